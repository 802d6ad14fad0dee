/**
 * What came into a repository between two looks at its refs, by git's own walk: objects that the refs of now reach and those of before did not, wherever they hang: branches, tags, notes,
 * the stash. An object that a ref reached in between and that nothing reaches any more is not among them: it goes nowhere.
 */
import type { AddedObject, AddedReading, History, RefSpan, Refs } from "../../ports/history.ts";
import { describeFailure, type Git, type GitSpec, readOutput } from "./command.ts";

const mostObjects = 50_000;
const mostBytes = 256 << 20;
const mostObjectBytes = 32 << 20;
const mostListBytes = 64 << 20;

export function addedParts(git: Git, spec: GitSpec): Pick<History, "refs" | "added" | "bringer" | "textAt"> {
  return addedIn(git, { ...spec, variables: { ...spec.variables, GIT_NO_REPLACE_OBJECTS: "1" } });
}

/** Without `git replace`, which could show another object in the place of one that is pushed. */
function addedIn(git: Git, spec: GitSpec): ReturnType<typeof addedParts> {
  return {
    refs: () => readRefs(git, spec),
    added: (span, look) => readAdded(git, spec, span, look),
    bringer: (span, id) => findBringer(git, spec, span, id),
    async textAt(commit, path) {
      const [end, bytes] = await readOutput(git, ["cat-file", "blob", `${commit}:${path}`], spec, mostObjectBytes);
      return describeFailure(end) === null ? textOf(bytes) : null;
    },
  };
}

async function readRefs(git: Git, spec: GitSpec): Promise<Refs | null> {
  const [end, output] = await readOutput(git, ["for-each-ref", "--format=%(objectname) %(refname)"], spec, mostListBytes);
  if (describeFailure(end) !== null) return null;
  const refs = new Map(lines(output).map((line) => [line.slice(line.indexOf(" ") + 1), line.slice(0, line.indexOf(" "))]));
  const [headEnd, head] = await readOutput(git, ["rev-parse", "--verify", "--quiet", "HEAD"], spec);
  if (describeFailure(headEnd) === null) refs.set("HEAD", head.toString("latin1").trim());
  if (!refs.has("refs/stash")) return refs;
  // Only the newest entry is a ref; the others are in its log.
  const [stashEnd, stash] = await readOutput(git, ["rev-list", "--walk-reflogs", "refs/stash"], spec, mostListBytes);
  if (describeFailure(stashEnd) === null) for (const id of lines(stash)) refs.set(`stash ${id}`, id);
  return refs;
}

async function readAdded(git: Git, spec: GitSpec, span: RefSpan, look: (object: AddedObject) => void): Promise<AddedReading> {
  for (const [name, id] of span.to) if (!span.from.has(name) && name.startsWith("refs/")) look({ kind: "ref", id, name, text: name });
  const input = revisions(span);
  if (input === null) return { kind: "read", left: 0 };
  const [end, output] = await readOutput(git, ["rev-list", "--objects", "--ignore-missing", "--stdin"], { ...spec, input }, mostListBytes);
  const failure = describeFailure(end);
  if (failure !== null) return { kind: "failed", detail: failure };
  const names = new Map(lines(output).map((line) => [line.slice(0, line.search(/ |$/)), line.replace(/^\S+ ?/, "")]));
  return readObjects(git, spec, names, look);
}

/** Null = nothing points elsewhere than before. */
function revisions({ from, to }: RefSpan): string | null {
  const before = new Set(from.values());
  const fresh = [...new Set(to.values())].filter((id) => !before.has(id));
  return fresh.length === 0 ? null : `${[...fresh, ...[...before].map((id) => `^${id}`)].join("\n")}\n`;
}

/** @param names  by the object's id, in the order of the walk */
async function readObjects(
  git: Git,
  spec: GitSpec,
  names: ReadonlyMap<string, string>,
  look: (object: AddedObject) => void,
): Promise<AddedReading> {
  const sized = await sizesOf(git, spec, [...names.keys()].slice(0, mostObjects));
  if (sized === null) return { kind: "failed", detail: "git does not tell the sizes of what was added" };
  let room = mostBytes;
  const wanted = sized.filter(({ bytes }) => {
    if (bytes > mostObjectBytes || bytes > room) return false;
    room -= bytes;
    return true;
  });
  const reader = createReader((kind, id, bytes) =>
    look({ kind, id, name: names.get(id) ?? "", text: kind === "file" ? textOf(bytes) : wordsOf(textOf(bytes)) }),
  );
  const input = wanted.map(({ id }) => `${id}\n`).join("");
  const end = await git.run(["cat-file", "--batch"], { ...spec, input, onOutput: reader });
  const failure = describeFailure(end);
  if (failure !== null) return { kind: "failed", detail: failure };
  return { kind: "read", left: sized.length - wanted.length + Math.max(0, names.size - mostObjects) };
}

interface Sized {
  readonly id: string;
  readonly bytes: number;
}

/** Without trees: their names come with what is in them. */
async function sizesOf(git: Git, spec: GitSpec, ids: readonly string[]): Promise<readonly Sized[] | null> {
  const format = "--batch-check=%(objectname) %(objecttype) %(objectsize)";
  const [end, output] = await readOutput(git, ["cat-file", format], { ...spec, input: ids.map((id) => `${id}\n`).join("") }, mostListBytes);
  if (describeFailure(end) !== null) return null;
  return lines(output).flatMap((line) => {
    const [, id, bytes] = /^(\S+) (?:blob|commit|tag) (\d+)$/.exec(line) ?? [];
    return id === undefined ? [] : [{ id, bytes: Number(bytes) }];
  });
}

/** `OID TYPE SIZE\n`, the bytes, `\n`, and so on: each object as soon as it is whole, so that no more than one is held. */
function createReader(give: (kind: "file" | "commit" | "tag", id: string, bytes: Buffer) => void): (chunk: Buffer) => boolean {
  let waiting: Buffer[] = [];
  let length = 0;
  let wanted = 0;
  return (chunk) => {
    waiting.push(chunk);
    length += chunk.length;
    if (length < wanted) return true;
    let rest = Buffer.concat(waiting, length);
    for (;;) {
      const lineEnd = rest.indexOf(10);
      const [id = "", type = "", size = "0"] = lineEnd < 0 ? [] : rest.toString("latin1", 0, lineEnd).split(" ");
      const end = lineEnd + 1 + Number(size);
      wanted = lineEnd < 0 ? 0 : end + 1;
      if (lineEnd < 0 || rest.length < wanted) break;
      if (type === "blob" || type === "commit" || type === "tag")
        give(type === "blob" ? "file" : type, id, rest.subarray(lineEnd + 1, end));
      rest = rest.subarray(wanted);
    }
    waiting = [rest];
    length = rest.length;
    return true;
  };
}

async function findBringer(git: Git, spec: GitSpec, span: RefSpan, id: string): Promise<string | null> {
  const input = revisions(span);
  if (input === null) return null;
  const args = [
    "log",
    "--format=%H",
    "--no-patch",
    "-m",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-missing",
    `--find-object=${id}`,
    "--reverse",
    "--stdin",
  ];
  const [end, output] = await readOutput(git, args, { ...spec, input }, mostListBytes);
  return describeFailure(end) === null ? (lines(output)[0] ?? null) : null;
}

/** Of a commit or tag its message, and below it who is said to have made it. */
function wordsOf(text: string): string {
  const end = text.indexOf("\n\n");
  const people = text.slice(0, end).match(/^(?:author|committer|tagger) .*$/gm) ?? [];
  return [text.slice(end + 2), ...people].join("\n");
}

function lines(output: Buffer): readonly string[] {
  return output
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString("latin1"); // a key is Latin letters wherever it stands
  }
}
