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
  const [end, output] = await readOutput(git, ["for-each-ref", "--format=%(HEAD)%(objectname) %(refname)"], spec, mostListBytes);
  if (describeFailure(end) !== null) return null;
  const rows = lines(output).map((line) => [line.slice(line.indexOf(" ", 1) + 1), line.slice(1, line.indexOf(" ", 1))] as const);
  const refs = new Map(rows);
  const current = lines(output).find((line) => line.startsWith("*"));
  const head = current === undefined ? await readHead(git, spec) : current.slice(1, current.indexOf(" "));
  if (head !== null) refs.set("HEAD", head);
  if (!refs.has("refs/stash")) return refs;
  // Only the newest entry is a ref; the others are in its log.
  const [stashEnd, stash] = await readOutput(git, ["rev-list", "--walk-reflogs", "refs/stash"], spec, mostListBytes);
  if (describeFailure(stashEnd) === null) for (const id of lines(stash)) refs.set(`stash ${id}`, id);
  return refs;
}

/** Of a HEAD on no branch. */
async function readHead(git: Git, spec: GitSpec): Promise<string | null> {
  const [end, output] = await readOutput(git, ["rev-parse", "--verify", "--quiet", "HEAD"], spec);
  return describeFailure(end) === null ? output.toString("latin1").trim() : null;
}

async function readAdded(git: Git, spec: GitSpec, span: RefSpan, look: (object: AddedObject) => void): Promise<AddedReading> {
  for (const [name, id] of span.to) if (!span.from.has(name) && name.startsWith("refs/")) look({ kind: "ref", id, name, text: name });
  const input = revisions(span);
  if (input === null) return { kind: "read", left: 0 };
  const args = ["rev-list", "--objects", "--ignore-missing", `--filter=blob:limit=${mostObjectBytes}`, "--filter-print-omitted", "--stdin"];
  const [end, output] = await readOutput(git, args, { ...spec, input }, mostListBytes);
  const failure = describeFailure(end);
  if (failure !== null) return { kind: "failed", detail: failure };
  const walked = lines(output);
  const names = new Map(
    walked.filter((line) => !line.startsWith("~")).map((line) => [line.slice(0, line.search(/ |$/)), line.replace(/^\S+ ?/, "")]),
  );
  const reading = await readObjects(git, spec, names, look);
  const omitted = walked.length - names.size;
  return reading.kind === "read" ? { kind: "read", left: reading.left + omitted } : reading;
}

/** Null = nothing points elsewhere than before. */
function revisions({ from, to }: RefSpan): string | null {
  const before = new Set(from.values());
  const fresh = [...new Set(to.values())].filter((id) => !before.has(id));
  return fresh.length === 0 ? null : `${[...fresh, ...[...before].map((id) => `^${id}`)].join("\n")}\n`;
}

/** @param names  by the object's id, in the order of the walk: a tree's are of no use but for what is in it */
async function readObjects(
  git: Git,
  spec: GitSpec,
  names: ReadonlyMap<string, string>,
  look: (object: AddedObject) => void,
): Promise<AddedReading> {
  const ids = [...names.keys()];
  const wanted = ids.slice(0, mostObjects);
  let [read, bytes] = [0, 0];
  const take = createReader((type, id, object) => {
    read += 1;
    const kind = kinds[type];
    if (kind === undefined) return;
    const text = textOf(object);
    look({ kind, id, name: names.get(id) ?? "", text: kind === "file" ? text : wordsOf(text) });
  });
  const onOutput = (chunk: Buffer): boolean => {
    bytes += chunk.length;
    take(chunk);
    return bytes <= mostBytes;
  };
  const failure = describeFailure(
    await git.run(["cat-file", "--batch"], { ...spec, input: wanted.map((id) => `${id}\n`).join(""), onOutput }),
  );
  return failure === null ? { kind: "read", left: ids.length - read } : { kind: "failed", detail: failure };
}

const kinds: Readonly<Record<string, "file" | "commit" | "tag">> = { blob: "file", commit: "commit", tag: "tag" };

/** `OID TYPE SIZE\n`, the bytes, `\n`, and so on: each object as soon as it is whole, so that no more than one is held. */
function createReader(give: (type: string, id: string, bytes: Buffer) => void): (chunk: Buffer) => void {
  let waiting: Buffer[] = [];
  let length = 0;
  let wanted = 0;
  return (chunk) => {
    waiting.push(chunk);
    length += chunk.length;
    if (length < wanted) return;
    let rest = Buffer.concat(waiting, length);
    for (;;) {
      const lineEnd = rest.indexOf(10);
      const [id = "", type = "", size = "0"] = lineEnd < 0 ? [] : rest.toString("latin1", 0, lineEnd).split(" ");
      const end = lineEnd + 1 + Number(size);
      wanted = lineEnd < 0 ? 0 : end + 1;
      if (lineEnd < 0 || rest.length < wanted) break;
      give(type, id, rest.subarray(lineEnd + 1, end));
      rest = rest.subarray(wanted);
    }
    waiting = [rest];
    length = rest.length;
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
