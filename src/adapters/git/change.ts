/** What happened to the history since a window's start, as git says (loose-change.ts says it where it can). Trees are compared with trees: no file of the working tree is read, no filter concerned. */
import type { TreeChange } from "../../core/ground.ts";
import type { WorkspaceLocation } from "../../ports/workspace.ts";
import { excludeArguments } from "./bookkeeping.ts";
import { describeFailure, type Git, type GitSpec, readOutput } from "./command.ts";
import { repositoryVariables } from "./location.ts";
import { createRecordSplitter } from "./status-reader.ts";

export type HistoryChange = Pick<TreeChange, "commits" | "codeChanged" | "conflictMarkers" | "baseLost"> & { readonly failure?: string };

interface Span {
  readonly git: Git;
  readonly spec: GitSpec;
  /** "" = the beginning of time. */
  readonly base: string;
  readonly head: string;
  readonly excludes: readonly string[];
}

const unchanged: HistoryChange = { commits: 0, codeChanged: false, conflictMarkers: [], baseLost: false };
const keptMarkers = 20;
const keptCandidates = 200;
const diffTree = ["diff-tree", "-r", "--no-renames", "--no-ext-diff", "--no-textconv", "--submodule=short", "--ignore-submodules=none"];

/** Compares two commits; `head` is not "". */
export async function readHistoryChange(git: Git, location: WorkspaceLocation, base: string, head: string, bookkeeping: readonly string[]) {
  const spec = { cwd: location.top, variables: repositoryVariables(location) };
  return compare({ git, spec, base, head, excludes: excludeArguments(bookkeeping) });
}

async function compare(span: Span): Promise<HistoryChange> {
  const [ancestry, difference] = await Promise.all([readAncestry(span), readDifference(span)]);
  if (ancestry.kind === "base-missing") return { ...unchanged, baseLost: true };
  if (ancestry.kind === "failed") return { ...unchanged, failure: ancestry.detail };
  if (difference.kind === "failed") return { ...unchanged, failure: difference.detail };
  const { commits, baseLost } = ancestry;
  const conflictMarkers = difference.mayHaveMarkers ? await listConflicted(span) : [];
  return { commits, baseLost, codeChanged: difference.codeChanged, conflictMarkers };
}

type Ancestry =
  | { readonly kind: "counted"; readonly commits: number; readonly baseLost: boolean }
  | { readonly kind: "base-missing" }
  | { readonly kind: "failed"; readonly detail: string };

async function readAncestry({ git, spec, base, head }: Span): Promise<Ancestry> {
  const range = base === "" ? head : `${base}...${head}`;
  const [end, output] = await readOutput(git, ["rev-list", "--left-right", "--count", range], spec);
  const failure = describeFailure(end);
  if (failure !== null) return (await isCommit({ git, spec }, base)) ? { kind: "failed", detail: failure } : { kind: "base-missing" };
  const [left = 0, right = 0] = output.toString("utf8").trim().split("\t").map(Number);
  return base === ""
    ? { kind: "counted", commits: left + right, baseLost: false }
    : { kind: "counted", commits: right, baseLost: left > 0 };
}

async function isCommit({ git, spec }: Pick<Span, "git" | "spec">, oid: string): Promise<boolean> {
  if (oid === "") return true;
  const end = await git.run(["cat-file", "-e", `${oid}^{commit}`], spec);
  return !(end.kind === "exited" && end.code !== 0);
}

type Difference =
  | { readonly kind: "compared"; readonly codeChanged: boolean; readonly mayHaveMarkers: boolean }
  | { readonly kind: "failed"; readonly detail: string };

/** One pass over the whole patch: anything at all is a change, and an added marker line calls for a second look. */
async function readDifference({ git, spec, base, head, excludes }: Span): Promise<Difference> {
  const scan = createMarkerScan();
  const args = [...diffTree, "--raw", "-z", "--patch", "--unified=0", base === "" ? emptyTree(head) : base, head, ...excludes];
  const end = await git.run(args, { ...spec, onOutput: scan.feed });
  const failure = describeFailure(end);
  if (failure !== null) return { kind: "failed", detail: failure };
  return { kind: "compared", codeChanged: scan.hasOutput(), mayHaveMarkers: scan.hasMarker() };
}

/** The object that git knows without having it; its name depends on the hash the repository uses. */
export function emptyTree(head: string): string {
  return head.length === 40
    ? "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    : "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";
}

function createMarkerScan() {
  const marker = Buffer.from("\n+<<<<<<<");
  let tail: Buffer = Buffer.alloc(0);
  let isSeen = false;
  let isAny = false;
  const feed = (chunk: Buffer): boolean => {
    isAny = true;
    const bytes = Buffer.concat([tail, chunk]);
    isSeen ||= bytes.includes(marker);
    tail = bytes.subarray(Math.max(0, bytes.length - marker.length + 1));
    return !isSeen; // all there is to know
  };
  return { feed, hasOutput: () => isAny, hasMarker: () => isSeen };
}

/**
 * Files whose marker lines changed since the base and which hold both ends of a conflict at HEAD: a file that was cleaned of them is none,
 * and neither is one with a row of signs under a heading.
 */
async function listConflicted({ git, spec, base, head, excludes }: Span): Promise<readonly string[]> {
  const from = base === "" ? emptyTree(head) : base;
  const candidates = await readRecords(git, spec, [
    ...diffTree,
    "--name-only",
    "-z",
    "--diff-filter=d",
    "-G^<<<<<<<([^<]|$)",
    from,
    head,
    ...excludes,
  ]);
  if (candidates.length === 0) return [];
  const patterns = ["--all-match", "-e", "^<<<<<<<([^<]|$)", "--or", "-e", "^>>>>>>>([^>]|$)"];
  const literal = { ...spec, options: ["--literal-pathspecs"] };
  const hits = await readRecords(git, literal, ["grep", "-l", "-z", "-E", "--no-textconv", ...patterns, head, "--", ...candidates]);
  return hits.map((hit) => hit.slice(head.length + 1)).slice(0, keptMarkers);
}

async function readRecords(git: Git, spec: GitSpec, args: readonly string[]): Promise<string[]> {
  const records: string[] = [];
  const split = createRecordSplitter((record) => records.push(record));
  await git.run(args, {
    ...spec,
    onOutput: (chunk) => {
      split(chunk);
      return records.length < keptCandidates;
    },
  });
  return records;
}
