/**
 * Changes of what guards the agent: settings, hooks, our config and state, switches in the environment. Reading them passes. A command that is
 * not known as a reader and names such a file is denied, whatever it would do.
 */
import { type Denial, deny } from "../action.ts";
import { type Argument, filled, headOf, known } from "../argument.ts";
import { denyProtected } from "../file-writes.ts";
import { type GitCall, type GitSetting, gitCallOf, writtenSettings } from "../git.ts";
import { hasFlag, readOptions } from "../options.ts";
import { agents, rowOf, shells } from "../programs.ts";
import { namesHolder, namesProtected } from "../protected-paths.ts";
import type { Invocation, Scene } from "../scene.ts";

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
const gitReaders = setOf(
  "diff log show status blame annotate add stage ls-files ls-tree check-ignore check-attr grep cat-file rev-parse rev-list describe commit diff-tree diff-index diff-files hash-object config help shortlog whatchanged range-diff format-patch stash push",
);
const startsPrograms =
  /^(core\.(hookspath|fsmonitor|sshcommand|gitproxy|askpass|attributesfile)|include\.path|includeif\..{1,200}\.path|diff\.external|diff\..{1,80}\.(command|textconv)|filter\..{1,80}\.(clean|smudge|process)|init\.templatedir|protocol\..{0,40}allow|core\.gitdir)$/;
const skipsHooks = setOf("commit push merge am rebase cherry-pick revert pull");
const switches =
  /^(MIDWATCH_\w{1,60}|GIT_CONFIG\w{0,60}|GIT_TEMPLATE_DIR|CLAUDE_CONFIG_DIR|CLAUDE_CODE_\w{1,60}|HUSKY_SKIP_\w{1,40}|BASH_ENV|LD_PRELOAD|DYLD_INSERT_LIBRARIES)$/;
const offSwitches: Readonly<Record<string, RegExp>> = {
  HUSKY: /^(0|false|no|off)$/i,
  LEFTHOOK: /^(0|false|no|off)$/i,
  PRE_COMMIT_ALLOW_NO_CONFIG: /./,
  HUSKY_SKIP_HOOKS: /./,
};

/** Denies what changes the guards or the contract, or gets around them. */
export function judgeGuardAndContract(invocation: Invocation, scene: Scene): Denial | null {
  const { name, args } = invocation;
  if (agents.has(name) && !args.some(({ text }) => /^(--version|-v|--help|-h|mcp|doctor)$/.test(text ?? ""))) {
    return deny("guard-and-contract", "an agent started from a command runs outside the guards", "use your own subagents");
  }
  if (/^(crontab|at|batch|systemd-run|atd|anacron)$/.test(name) && !args.some(({ text }) => text === "-l")) {
    return deny("guard-and-contract", `${name} runs things after the window`, "run it now, or ask the person");
  }
  const git = gitCallOf(invocation);
  if (git !== null) return judgeGit(git, scene);
  return writesProtected(name, args, scene) ? denyProtected() : null;
}

function writesProtected(name: string, args: readonly Argument[], scene: Scene): boolean {
  const named = args.map(namedBy);
  if (copiers.has(name)) return writesByCopy(name, args, scene);
  if (writers.has(name)) return writesByName(name, named, scene);
  const reads = readers.has(name) || shells.has(name);
  const changes = rowOf(inPlace, name);
  const options = readOptions(args, {});
  const isInPlace = changes !== undefined && hasFlag(options, ...changes);
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
  const targets = options.flags.flatMap(({ name: flag, value }) =>
    value !== null && (flag === "-t" || flag.startsWith("--t")) ? [value] : [],
  );
  const last = options.operands.at(-1);
  const written = [...targets, ...(last === undefined ? [] : [last])];
  if (name === "ln")
    return [...options.operands, ...written].some((argument) => namesProtected(argument, scene) || namesHolder(argument, scene));
  const intoFolder = options.operands.slice(0, -1).some((source) => namesCopy(source, written, scene));
  const replacesHolder =
    hasFlag(options, "-r", "-R", "-a", "--recursive", "--archive") &&
    written.some((target) => namesHolder(target, scene) && target.text !== ".");
  return intoFolder || replacesHolder || written.some((argument) => namesProtected(argument, scene));
}

/** `cp settings.json .claude` lands in the folder under the name of the source. */
function namesCopy(source: Argument, targets: readonly Argument[], scene: Scene): boolean {
  const base = (source.text ?? "")
    .split("/")
    .filter((part) => part !== "")
    .at(-1);
  return base !== undefined && targets.some(({ text }) => text !== null && namesProtected(known(`${text}/${base}`), scene));
}

function judgeGit(git: GitCall, scene: Scene): Denial | null {
  const { command, args, settings } = git;
  if (git.isUnsure) return deny("unreadable", "a git command that is not written out", "write the command and its options out");
  const set = [...settings, ...writtenSettings(git)];
  if (set.some(isProgramSetting))
    return deny(
      "guard-and-contract",
      "a git setting that changes hooks or starts programs",
      "leave git's settings as they are, or ask the person",
    );
  if (command === null) return null;
  if (skipsHooks.has(command) && skips(command, args))
    return deny("guard-and-contract", "git without its hooks", "let the hooks run, and mend what they complain about");
  if (command === "config" && args.some(({ text }) => text === "-e" || text === "--edit")) return null;
  if (command === "config")
    return args.some((argument, at) => /^(-f|--file)$/.test(args[at - 1]?.text ?? "") && namesProtected(argument, scene)) &&
      writtenSettings(git).length > 0
      ? denyProtected()
      : null;
  if (gitReaders.has(command)) return null;
  return args.some((argument) => namesProtected(argument, scene)) ? denyProtected() : null;
}

function isProgramSetting({ key, value }: GitSetting): boolean {
  if (key === "core.fsmonitor" && /^(true|false|0|1)$/.test(value.text ?? "")) return false;
  return startsPrograms.test(key);
}

function skips(command: string, args: readonly Argument[]): boolean {
  const options = readOptions(args, {
    short: command === "commit" ? "mFCct" : "mXso",
    long: ["--message", "--file", "--author", "--date"],
  });
  return (
    options.flags.some(({ name }) => name.startsWith("--no-v") && "--no-verify".startsWith(name)) ||
    (command === "commit" && hasFlag(options, "-n"))
  );
}

/** Denies variables that switch guards off or smuggle settings in, for one command or for all that follow. */
export function judgeEnvironment(environment: ReadonlyMap<string, Argument>, words: readonly Argument[]): Denial | null {
  const program = headOf(words[0] ?? known(""));
  for (const [name, value] of environment) {
    const isOff = rowOf(offSwitches, name)?.test(filled(value, "0")) === true || (name === "SKIP" && /^(git|pre-commit)$/.test(program));
    if (isOff || switches.test(name))
      return deny("guard-and-contract", `the variable ${name} changes what guards the work`, "leave it as it is, or ask the person");
  }
  return null;
}
