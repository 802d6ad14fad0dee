/** Commands that write files which are only to be read. What is not known as a reader counts as a writer. */
import { type Argument, filled, known } from "../argument.ts";
import { hasFlag, readOptions, valuesOfFlag } from "../options.ts";
import { baseName, isWithin } from "../paths.ts";
import { rowOf, shells } from "../programs.ts";
import { namesHolder, namesProtected } from "../protected-paths.ts";
import { type Invocation, pathsOf, type Scene } from "../scene.ts";

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "));

const readers = setOf(
  "cat bat batcat head tail less more grep egrep fgrep rg ag ack ls exa eza lsd tree stat wc file diff cmp comm jq yq find fd test [ [[ md5sum sha1sum sha256sum shasum " +
    "cksum nl od xxd hexdump strings sort uniq cut awk gawk sed realpath readlink basename dirname echo printf cd pushd du df column tac rev shellcheck jsonlint true : " +
    "source . export read type which git hub xargs env sudo doas time timeout nohup nice command exec builtin eval npx xmllint curl wget",
);
/** Of these only some arguments are written. */
const copiers = setOf("cp install ln scp rsync");
/** They write whatever they name, also through a pattern. */
const writers = setOf("rm mv unlink tee truncate touch chmod chown chgrp chattr setfacl shred sponge dd mkdir rmdir patch ed ex");
/** Readers that write when they are told to. */
const inPlace: Readonly<Record<string, readonly string[]>> = {
  sed: ["-i", "--in-place"],
  awk: ["-i"],
  gawk: ["-i"],
  yq: ["-i", "--inplace"],
  sort: ["-o", "--output"],
  curl: ["-o", "--output", "-D", "-c"],
  wget: ["-O", "-o", "-P", "--output-document"],
};

/** The command writes a file that is only to be read, or might. */
export function writesProtected({ name, args }: Invocation, scene: Scene): boolean {
  const named = args.map(namedBy);
  if (copiers.has(name)) return writesByCopy(name, args, scene);
  if (writers.has(name)) return writesByName(name, named, scene);
  const reads = readers.has(name) || shells.has(name);
  const changes = rowOf(inPlace, name);
  const options = readOptions(args, {});
  const isInPlace = changes !== undefined && hasFlag(options, ...changes);
  if (name === "find")
    return args.some((argument, at) => /^-f(print|printf|print0|ls)$/.test(args[at - 1]?.text ?? "") && namesProtected(argument, scene));
  if (reads && !isInPlace) return false;
  return named.some((argument) => isPathLike(argument, isInPlace) && namesProtected(argument, scene));
}

/** Code and messages are no paths; nor is a pattern for any file of the folder, unless the command is sure to write. */
function isPathLike({ text, hasGlob }: Argument, isWritten: boolean): boolean {
  if (text === null || isWritten) return true;
  const isPattern = hasGlob && !text.replace(/^\.\//, "").includes("/");
  return !isPattern && text.length < 1_024 && !/[\n;|&()"'`{}<>]/.test(text);
}

/** `of=FILE` and `--output=FILE` name a file too, and so does `-oFILE`. */
function namedBy(argument: Argument): Argument {
  const text = filled(argument, "?");
  const at = text.indexOf("=");
  if (argument.text === null || !text.startsWith("-"))
    return at > 0 && at < 40 && argument.text !== null ? { ...argument, ...known(text.slice(at + 1), argument.hasGlob) } : argument;
  if (at !== -1) return known(text.slice(at + 1), argument.hasGlob);
  return /^-[A-Za-z]./.test(text) ? known(text.slice(2), argument.hasGlob) : known("");
}

function writesByName(name: string, named: readonly Argument[], scene: Scene): boolean {
  if (named.some((argument) => namesProtected(argument, scene))) return true;
  if (name !== "mv" && name !== "rm" && name !== "chmod" && name !== "chown" && name !== "unlink") return false;
  return named.some((argument) => namesHolder(argument, scene) && !isHarmlessMode(name, named, argument, scene));
}

/** `chmod -R u+w .` takes away no hook; `chmod -R -x .` does. The tree itself may be given rights, not have them taken. */
function isHarmlessMode(name: string, named: readonly Argument[], holder: Argument, { context }: Scene): boolean {
  if (name !== "chmod" && name !== "chown") return false;
  const isTop = holder.text === "." || holder.text === "./" || holder.text === context.top;
  const adds = named.some(({ text }) => /^([ugoa]*\+[rwxX]+,?)+$/.test(text ?? "") || /^0?7[57]5$/.test(text ?? ""));
  return isTop && (name === "chown" || adds);
}

/** The last argument is written, or the one after -t; the others are read. */
function writesByCopy(name: string, args: readonly Argument[], scene: Scene): boolean {
  const options = readOptions(args, { short: "tS", long: ["--target-directory", "--suffix"] });
  const { operands } = options;
  const writes = (argument: Argument): boolean => namesProtected(argument, scene) || namesInnerHolder(argument, scene);
  if (name === "ln") return operands.some(writes);
  const named = valuesOfFlag(options, "-t", "--target-directory");
  const targets = [...named, ...operands.slice(-1)];
  const isDeep = hasFlag(options, "-r", "-R", "-a", "--recursive", "--archive");
  const replaces = targets.some((target) => (isDeep ? writes(target) : namesProtected(target, scene)));
  return replaces || operands.some((source) => targets.some((target) => writes(landing(source, target))));
}

/** `cp settings.json .claude` lands in the folder under the name of the source. */
function landing(source: Argument, target: Argument): Argument {
  return source === target || source.text === null || target.text === null ? known("") : known(`${target.text}/${baseName(source.text)}`);
}

/** Below the tree's own folder, which holds everything. */
function namesInnerHolder(argument: Argument, scene: Scene): boolean {
  const { top } = scene.context;
  return namesHolder(argument, scene) && pathsOf(argument.text ?? "", scene).every((path) => !isWithin(top, path));
}
