/** Files that a command writes: judged by their place and by what is put in, and noted, so that running or sending them later is seen. */
import { type Denial, deny } from "./action.ts";
import { type Argument, concat, filled, known, unknown } from "./argument.ts";
import { judgeWrittenPath } from "./families/policy.ts";
import { findKey } from "./key-shapes.ts";
import { hasFlag, readOptions, valuesOfFlag } from "./options.ts";
import { baseName, isWithin } from "./paths.ts";
import { fetchers } from "./programs.ts";
import { namesHolder, namesProtected } from "./protected-paths.ts";
import { firstDenial, type Invocation, pathsOf, type Scene } from "./scene.ts";
import { isTree, namesSecret, packsTree } from "./secrets.ts";

export interface FileWrite {
  readonly target: Argument;
  readonly content: Argument;
  readonly appends: boolean;
}

/** What to say to a write of a file that is only to be read. */
export function denyProtected(): Denial {
  return deny(
    "guard-and-contract/protected-file",
    "a change of settings, hooks, config or state that the agent may only read",
    "leave the file as it is, or ask the person",
  );
}

/** Judges one write, and notes what the file holds from then on. */
export function judgeFileWrite({ target, content, appends }: FileWrite, scene: Scene): Denial | null {
  if (target.text === "/dev/null" || target.text === "/dev/stderr" || target.text === "/dev/stdout") return null;
  if (namesProtected(target, scene) || namesHolder(target, scene)) return denyProtected();
  if (target.text === "/proc/sysrq-trigger") return denyDisk();
  if (/^\/dev\/(sd|hd|vd|nvme|mmcblk|disk|mapper)/.test(target.text ?? "")) return denyDisk();
  const { text } = target;
  if (text === null) return null;
  for (const path of pathsOf(text, scene)) noteContent(path, content, appends, scene);
  return firstDenial(pathsOf(text, scene), (path) => judgeWrittenPath(path, scene.context) ?? judgeContent(path, content, scene));
}

/** What to say to a command that writes over a disk, or past the kernel. */
export function denyDisk(): Denial {
  return deny("delete-trees/disk", "a write to the bare machine", "this is never part of a task");
}

function judgeContent(path: string, content: Argument, scene: Scene): Denial | null {
  const text = filled(content, " ");
  const owner = isWithin(path, scene.context.top) ? findKey(text) : null;
  if (owner !== null) return denyKey(owner);
  const switchesOff = text.includes("disableAllHooks") && /\.jsonc?$/.test(path);
  return switchesOff ? denyProtected() : null;
}

/** What to say to a key in a file of the tree or in a message. */
export function denyKey(owner: string): Denial {
  return deny(
    "secrets-in-commits/key",
    `text that looks like ${owner}`,
    "read the key from an environment variable; in a sample, write EXAMPLE into it",
  );
}

function noteContent(path: string, content: Argument, appends: boolean, scene: Scene): void {
  const before = appends ? scene.files.get(path) : undefined;
  const whole = before?.text === undefined || before.text === null ? content : concat(known(before.text), content);
  scene.files.set(path, {
    text: whole.text,
    isPart: appends && before === undefined,
    isFetched: whole.isFetched || before?.isFetched === true,
    isSecret: whole.isSecret || before?.isSecret === true,
  });
}

/** Notes what a command leaves in files: downloads, copies, archives. */
export function noteFiles({ name, args, input }: Invocation, scene: Scene): void {
  if (fetchers.has(name)) for (const file of downloads(name, args)) mark(file, { isFetched: true }, scene);
  if (name === "cp" || name === "mv" || name === "ln" || name === "install") noteCopy(args, input, scene);
  if (name === "dd") noteDump(args, input, scene);
  if (packsTree(name, args, scene)) for (const file of args) if (!isTree(file, scene)) mark(file, { isSecret: true }, scene);
}

/** `dd of=FILE` writes what it is fed. */
function noteDump(args: readonly Argument[], input: Argument | null, scene: Scene): void {
  const target = args.map(({ text }) => text ?? "").find((text) => text.startsWith("of="));
  if (target === undefined) return;
  for (const path of pathsOf(target.slice(3), scene)) noteContent(path, input ?? unknown("anything"), false, scene);
}

/** Where a fetcher puts what it brings. */
function downloads(name: string, args: readonly Argument[]): readonly Argument[] {
  const options = readOptions(args, {
    short: "oOPTdXHeuAbFwmx",
    long: ["--output", "--output-document", "--directory-prefix", "--output-dir", "--header", "--data"],
  });
  const named = valuesOfFlag(options, "-o", "--output", "--output-document", ...(name === "wget" ? ["-O"] : []));
  const isNamedByUrl = name === "wget" || hasFlag(options, "-O", "--remote-name", "--remote-name-all");
  const urls = args.filter(({ text }) => text !== null && /^[a-z]+:\/\/|^[\w.-]+\.[a-z]{2,}\//i.test(text));
  return isNamedByUrl ? [...named, ...urls.map(({ text }) => known(baseName((text ?? "").split(/[?#]/)[0] ?? "")))] : named;
}

/** A copy of a program of the machine, or a link to one, is that program under another name. */
function programOf({ text, pieces }: Argument, { context }: Scene): string | null {
  const path = text ?? pieces.map((piece) => (typeof piece === "string" ? piece : "/?")).join("");
  const name = baseName(path).toLowerCase();
  const isOfMachine = /^\/(.*\/)?(\?|s?bin|libexec|local|opt)\//.test(path) && !isWithin(path, context.top);
  return isOfMachine && /^[\w+-]{1,40}$/.test(name) ? name : null;
}

function noteCopy(args: readonly Argument[], input: Argument | null, scene: Scene): void {
  const files = args.filter((argument) => argument.text === null || !argument.text.startsWith("-"));
  const target = files.at(-1);
  if (target === undefined) return;
  for (const source of files.slice(0, -1)) {
    if (source.text === "/dev/stdin")
      for (const path of pathsOf(target.text ?? "", scene)) noteContent(path, input ?? unknown("anything"), false, scene);
    const note = pathsOf(source.text ?? "", scene).flatMap((path) => scene.files.get(path) ?? [])[0];
    const isSecret = note?.isSecret === true || namesSecret(source, scene);
    const program = programOf(source, scene);
    if (note === undefined && !isSecret && program === null) continue;
    const kept = note ?? { text: null, isPart: true, isFetched: false, isSecret, ...(program === null ? {} : { program }) };
    for (const path of pathsOf(target.text ?? "", scene)) {
      scene.files.set(path, kept);
      // The target may be a folder.
      scene.files.set(`${path}/${baseName(source.text ?? "")}`, kept);
    }
  }
}

function mark(file: Argument, marks: { isFetched?: boolean; isSecret?: boolean }, scene: Scene): void {
  const { text } = file;
  if (text === null || text === "" || text === "-" || text.startsWith("-")) return;
  for (const path of pathsOf(text, scene)) {
    const before = scene.files.get(path);
    scene.files.set(path, {
      text: null,
      isPart: false,
      isFetched: before?.isFetched === true,
      isSecret: before?.isSecret === true,
      ...marks,
    });
  }
}
