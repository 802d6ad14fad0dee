/**
 * Reads `git status --porcelain=v2 --branch -z --no-renames` as it comes: every entry is counted, the first 20 paths of each class are kept.
 * 100,000 dirty files must not fill the memory.
 */
import type { PathSample } from "../../core/ground.ts";

const keptPaths = 20;
const keptSuspects = 200;

export interface Dirt {
  readonly oid: string;
  readonly branch: string | null;
  readonly staged: PathSample;
  readonly changed: PathSample;
  readonly untracked: PathSample;
  readonly conflicted: PathSample;
  /** Files that git calls changed by their content alone, same kind and mode; empty when they were too many to keep. */
  readonly suspects: readonly string[];
  /** Submodules already in `changed`. */
  readonly changedSubmodules: ReadonlySet<string>;
}

export interface StatusReader {
  feed(chunk: Buffer): void;
  finish(): Dirt;
}

/** `1 XY sub mH mI mW hH hI path`; of an unmerged one (`u`) only the path matters. */
const ordinaryEntry = /^1 (.)(.) (.)\S{3} \d+ (\d+) (\d+) \S+ \S+ (.+)$/s;
const unmergedEntry = /^u .. \S{4} (?:\d+ ){4}(?:\S+ ){3}(.+)$/s;

export function createStatusReader(): StatusReader {
  const staged = createSample();
  const changed = createSample();
  const untracked = createSample();
  const conflicted = createSample();
  const changedSubmodules = new Set<string>();
  const suspects: string[] = [];
  let suspectCount = 0;
  let oid = "";
  let branch: string | null = null;

  const readOrdinary = (record: string): void => {
    const [, index = "", tree = "", submodule = "", indexMode = "", treeMode = "", path = ""] = ordinaryEntry.exec(record) ?? [];
    if (index !== ".") staged.add(path);
    if (tree !== ".") changed.add(path);
    if (submodule === "S" && tree !== ".") changedSubmodules.add(path);
    const isSuspect = tree === "M" && submodule === "N" && indexMode === treeMode;
    if (isSuspect && ++suspectCount <= keptSuspects) suspects.push(path);
  };
  const readHeader = (record: string): void => {
    if (record.startsWith("# branch.oid ")) oid = record.slice(13).replace("(initial)", "");
    if (record.startsWith("# branch.head ")) branch = record.slice(14) === "(detached)" ? null : record.slice(14);
  };
  const readRecord = (record: string): void => {
    if (record.startsWith("1")) readOrdinary(record);
    else if (record.startsWith("?")) untracked.add(record.slice(2));
    else if (record.startsWith("u")) conflicted.add(unmergedEntry.exec(record)?.[1] ?? "");
    else if (record.startsWith("#")) readHeader(record);
  };
  return {
    feed: createRecordSplitter(readRecord),
    finish: () => ({
      ...{ oid, branch, changedSubmodules },
      ...{ staged: staged.take(), changed: changed.take(), untracked: untracked.take(), conflicted: conflicted.take() },
      suspects: suspectCount > keptSuspects ? [] : suspects,
    }),
  };
}

/** Cuts a stream at its NUL bytes, also where a path is spread over two chunks. */
export function createRecordSplitter(onRecord: (record: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, start)) {
      onRecord(bytes.toString("utf8", start, end));
      start = end + 1;
    }
    rest = bytes.subarray(start);
  };
}

function createSample() {
  const paths: string[] = [];
  let count = 0;
  const add = (path: string): void => {
    count += 1;
    if (paths.length < keptPaths) paths.push(path);
  };
  return { add, take: (): PathSample => ({ count, paths }) };
}
