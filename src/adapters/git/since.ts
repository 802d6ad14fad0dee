/** What the commits since a base say and touch. Trees are compared with trees: no file of the working tree is read. */
import type { ChangedPaths, Messages, WorkspaceLocation } from "../../ports/workspace.ts";
import { excludeArguments } from "./bookkeeping.ts";
import { describeFailure, type Git, type GitSpec, readOutput } from "./command.ts";
import { readHead } from "./head.ts";
import { repositoryVariables } from "./location.ts";

const diffTree = ["diff-tree", "-r", "--no-renames", "--no-ext-diff", "--no-textconv", "--submodule=short", "--ignore-submodules=none"];
const maxMessages = 1000;

interface Place {
  readonly git: Git;
  readonly location: WorkspaceLocation;
}

/** @param base  "" = the beginning of time */
export async function readMessagesSince({ git, location }: Place, base: string): Promise<Messages> {
  const spec = specOf(location);
  const range = base === "" ? "HEAD" : `${base}..HEAD`;
  const args = ["log", `--max-count=${maxMessages}`, "--no-show-signature", "--format=%B%x00", "--end-of-options", range, "--"];
  const [end, output] = await readOutput(git, args, spec, 4 << 20);
  const failure = describeFailure(end);
  if (failure !== null) return { kind: "failed", detail: failure };
  const messages = output.toString("utf8").split("\0");
  return { kind: "read", messages: messages.slice(0, -1).map((message) => message.trim()) };
}

export interface PathQuery {
  readonly base: string;
  /** Literal paths below which it is looked; empty = everywhere. */
  readonly below: readonly string[];
  readonly bookkeeping: readonly string[];
  readonly limit: number;
}

export async function readChangedPaths({ git, location }: Place, { base, below, bookkeeping, limit }: PathQuery): Promise<ChangedPaths> {
  const head = await readHead(git, location);
  if (head.kind === "failed") return { kind: "failed", detail: head.detail };
  if (head.oid === "" || head.oid === base) return { kind: "read", paths: [] };
  const places = below.length > 0 ? ["--", ...below.map((path) => `:(top,literal)${path}`)] : excludeArguments(bookkeeping);
  const args = [...diffTree, "--name-only", "-z", base === "" ? emptyTree(head.oid) : base, head.oid, ...places];
  const chunks: Buffer[] = [];
  let seen = 0;
  const end = await git.run(args, {
    ...specOf(location),
    onOutput: (chunk) => {
      chunks.push(chunk);
      seen += chunk.filter((byte) => byte === 0).length;
      return seen <= limit;
    },
  });
  const failure = describeFailure(end);
  if (failure !== null) return { kind: "failed", detail: failure };
  const paths = Buffer.concat(chunks).toString("utf8").split("\0").slice(0, -1);
  return { kind: "read", paths: paths.slice(0, limit) };
}

/** The commit that a name stands for; null = none. */
export async function findCommit({ git, location }: Place, name: string): Promise<string | null> {
  const [end, output] = await readOutput(
    git,
    ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`],
    specOf(location),
  );
  const oid = output.toString("utf8").trim();
  return describeFailure(end) === null && /^[0-9a-f]{40,64}$/.test(oid) ? oid : null;
}

function specOf(location: WorkspaceLocation): GitSpec {
  return { cwd: location.top, variables: repositoryVariables(location) };
}

/** The object that git knows without having it; its name depends on the hash the repository uses. */
function emptyTree(head: string): string {
  return head.length === 40
    ? "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    : "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";
}
