/**
 * Keys on their way into the history: in a message, in the text of a file that the command writes, and files that usually hold a secret.
 * A commit of a key that was in a file before is seen only by a check of the commit itself.
 */
import { type Denial, deny } from "../action.ts";
import { type Argument, filled, known } from "../argument.ts";
import { denyKey, judgeFileWrite } from "../file-writes.ts";
import { type GitCall, gitCallOf } from "../git.ts";
import { findKey } from "../key-shapes.ts";
import { hasFlag, readOptions } from "../options.ts";
import { readFrom } from "../output.ts";
import { isWithin } from "../paths.ts";
import { firstDenial, type Invocation, pathsOf, type Scene } from "../scene.ts";
import { namesSecret } from "../secrets.ts";

const keepers = new Set([
  "commit",
  "commit-tree",
  "tag",
  "notes",
  "stash",
  "merge",
  "am",
  "revert",
  "cherry-pick",
  "hash-object",
  "update-index",
  "config",
  "branch",
  "fast-import",
]);

/** Denies keys in what git keeps, secret files in the index, and adding what is ignored. */
export function judgeSecretsInCommits(invocation: Invocation, scene: Scene): Denial | null {
  const git = gitCallOf(invocation);
  if (git !== null) return judgeGit(git, invocation, scene);
  return invocation.name === "tee" ? judgeTee(invocation, scene) : null;
}

function judgeGit(git: GitCall, { input, inputFile }: Invocation, scene: Scene): Denial | null {
  const { command, args } = git;
  if (command === null) return null;
  if (command === "add" || command === "stage" || command === "update-index")
    return judgeAdd(args, scene) ?? judgeTexts(args) ?? judgeTaken(placesTaken(args, scene), scene);
  if (!keepers.has(command)) return null;
  const texts = [
    ...args,
    ...messageFiles(args, scene),
    ...(input === null ? [] : [input]),
    ...(inputFile === null ? [] : [readFrom(inputFile, scene)]),
  ];
  const named = command === "commit" ? args.filter((_, at) => !isMessage(args[at - 1])) : [];
  return judgeTexts(texts) ?? judgeNames(named, scene) ?? judgeTaken(placesKept(git, scene), scene);
}

/** The folders and files that are added; null = all of the tree. */
function placesTaken(args: readonly Argument[], scene: Scene): readonly string[] | null {
  const options = readOptions(args, { long: ["--chmod", "--pathspec-from-file"] });
  if (hasFlag(options, "-n", "--dry-run")) return [];
  const isPlain = options.operands.length > 0 && options.operands.every(({ text, hasGlob }) => text !== null && !hasGlob);
  return isPlain ? options.operands.flatMap(({ text }) => pathsOf(text ?? "", scene)) : null;
}

/** The same of a commit that takes in more than the index has, and of a stash. */
function placesKept({ command, args }: GitCall, scene: Scene): readonly string[] | null {
  if (command === "stash") return /^(push|save|-.*)?$/.test(args[0]?.text ?? "") ? null : [];
  if (command !== "commit") return [];
  const options = readOptions(args, {
    short: "mFCct",
    long: ["--message", "--file", "--author", "--date", "--fixup", "--squash", "--trailer"],
  });
  if (hasFlag(options, "-a", "--all")) return null;
  return options.operands.flatMap(({ text }) => (text === null ? [] : pathsOf(text, scene)));
}

/** Keys in what git would take in now, and in what this very script writes before. */
function judgeTaken(places: readonly string[] | null, scene: Scene): Denial | null {
  if (places?.length === 0) return null;
  scene.needs.changes = true;
  const texts = new Map([...(scene.context.changes ?? []), ...writtenTexts(scene)]);
  return firstDenial(texts, ([path, text]) => {
    if (!isWithin(path, scene.context.top) || places?.every((place) => !isWithin(path, place))) return null;
    const owner = findKey(text);
    return owner === null ? null : denyKey(owner);
  });
}

/** Of what was written before and git does not name, nothing is taken in: it is ignored. */
function writtenTexts({ files, context }: Scene): readonly (readonly [string, string])[] {
  return [...files].flatMap(([path, note]) => {
    const isIgnored = context.changes !== null && context.memory.get(path) === note;
    return note.text === null || isIgnored ? [] : [[path, note.text] as const];
  });
}

function judgeTexts(texts: readonly Argument[]): Denial | null {
  return firstDenial(texts, (text) => {
    const owner = findKey(filled(text, " "));
    return owner === null ? null : denyKey(owner);
  });
}

function judgeAdd(args: readonly Argument[], scene: Scene): Denial | null {
  const options = readOptions(args, {});
  const isPlainFile = ({ text, hasGlob }: Argument) => text !== null && !hasGlob && /[^./]\.[\w.-]+$/.test(text);
  const isPlain = options.operands.length > 0 && options.operands.every(isPlainFile) && !hasFlag(options, "-A", "--all", "-u", "--update");
  if (hasFlag(options, "-f", "--force") && !isPlain && !hasFlag(options, "-n", "--dry-run")) {
    return deny(
      "secrets-in-commits/add-ignored",
      "git add -f takes in what the project ignores",
      "leave ignored files out, or ask the person",
    );
  }
  return judgeNames(options.operands, scene);
}

function judgeNames(files: readonly Argument[], scene: Scene): Denial | null {
  const isSecret = files.some(
    (file) => (namesSecret(file, scene) && !isCertificate(file, scene)) || (file.hasGlob && /(^|\/)\.env/.test(file.text ?? "")),
  );
  return isSecret
    ? deny("secrets-in-commits/file", "a file that usually holds secrets", "keep it out of git, and name it in .gitignore")
    : null;
}

/** The public half of a pair often ends like the private one. */
function isCertificate({ text }: Argument, scene: Scene): boolean {
  if (text === null || !/\.(pem|crt)$/i.test(text)) return false;
  scene.needs.changes = true;
  const held = pathsOf(text, scene).flatMap((path) => scene.files.get(path)?.text ?? scene.context.changes?.get(path) ?? []);
  return held.length > 0 && held.every((one) => one.includes("-----BEGIN CERTIFICATE-----") && findKey(one) === null);
}

/** `-F FILE`, where this window wrote the file. */
function messageFiles(args: readonly Argument[], scene: Scene): readonly Argument[] {
  return args.flatMap((argument, at) => (/^(-F|--file)$/.test(args[at - 1]?.text ?? "") ? [readFrom(argument, scene)] : []));
}

function isMessage(before: Argument | undefined): boolean {
  return /^(-[a-zA-Z]*m|--message|-F|--file|--author|--date|-C|-c|--fixup|--squash|--trailer)$/.test(before?.text ?? "");
}

function judgeTee({ args, input }: Invocation, scene: Scene): Denial | null {
  const options = readOptions(args, {});
  const content = input ?? known("");
  const appends = hasFlag(options, "-a", "--append");
  return firstDenial(options.operands, (target) => judgeFileWrite({ target, content, appends }, scene));
}
