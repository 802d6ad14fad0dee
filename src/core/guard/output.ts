/**
 * What commands print, as far as it is known: a literal through `echo`, `printf` and `cat`, a plain word from commands that print a path or a
 * branch, else a gap. Marks whether it comes from the network or from secrets, also through filters that were not understood.
 */
import { type Argument, concat, filled, headOf, known, unknown, worstGap } from "./argument.ts";
import { expandWhole, expandWords, joinFields } from "./expand.ts";
import { readOptions } from "./options.ts";
import { baseName } from "./paths.ts";
import { fetchers } from "./programs.ts";
import { pathsOf, type Scene } from "./scene.ts";
import { isSecretFile, packers, packsTree, readsSecret } from "./secrets.ts";
import type { Command, Redirection, Script } from "./shell-tree.ts";

type Simple = Extract<Command, { kind: "simple" }>;

/** Commands that print one plain word. */
const wordPrinters = new Set([
  "mktemp",
  "date",
  "hostname",
  "uname",
  "whoami",
  "arch",
  "basename",
  "dirname",
  "realpath",
  "readlink",
  "tty",
  "uuidgen",
  "logname",
]);
/** Tools whose output is made to be run by the shell that asks for it. */
const setupTools = new Set(
  "ssh-agent gpg-agent direnv pyenv rbenv nodenv goenv jenv phpenv fnm mise asdf brew conda mamba micromamba opam dircolors starship zoxide minikube kubectl helm poetry".split(
    " ",
  ),
);
const setupWords = /^(-|hook|env|init|shell|activate|docker-env|completion|export|virtualenv-init)/;
/** Commands that print names which they look up, and filters that leave names names. */
const nameListers = new Set(["ls", "find", "gfind", "fd", "fdfind", "seq", "tree", "exa", "eza"]);
const nameFilters = new Set(["sort", "uniq", "head", "tail", "grep", "shuf", "tac"]);
const numberPrinters = new Set(["nproc", "wc", "expr"]);
const gitWords =
  /^(rev-parse|branch --show-current|symbolic-ref|describe|merge-base|rev-list -n ?1|log -1|config --get|hash-object|write-tree)/;

/** What a script prints, as a substitution takes it: without the line breaks at its end. */
export function outputOf(script: Script, scene: Scene): Argument {
  return withoutEnd(printedBy(script, null, scene));
}

/** What a script prints, byte for byte where it is known. */
export function printedBy(script: Script, input: Argument | null, scene: Scene): Argument {
  scene.budget.steps -= 1;
  if (scene.budget.steps < 0) return unknown("anything");
  const printed = script.pipelines.map((stages) =>
    stages.reduce<Argument | null>((fed, command) => printedByCommand(command, fed, scene), input),
  );
  return printed.reduce<Argument>((sum, one) => (one === null ? sum : concat(sum, one)), known(""));
}

/** What one command prints when it is fed `input`. */
export function printedByCommand(command: Command, input: Argument | null, scene: Scene): Argument {
  if (command.kind === "function") return known("");
  const fed = inputOf(command.redirections, scene) ?? input;
  if (command.kind === "simple") return printedBySimple(command, fed, scene);
  const scripts = command.kind === "block" ? command.lists : [command.body];
  const [only, ...others] = scripts;
  if (command.kind === "block" && only !== undefined && others.length === 0) return printedBy(only, fed, scene);
  const printed = scripts.map((script) => printedBy(script, fed, scene));
  return unknown("anything", marksOf(printed));
}

/** What redirections feed a command: a here-document, a here-string, or the pipe behind `< <(…)`. */
export function inputOf(redirections: readonly Redirection[], scene: Scene): Argument | null {
  let input: Argument | null = null;
  for (const redirection of redirections) {
    if ((redirection.descriptor ?? 0) !== 0) continue;
    if (redirection.kind === "text") input = oneOf(expandWhole(redirection.body, scene));
    if (redirection.kind === "read") input = readFrom(oneOf(expandWhole(redirection.target, scene)), scene);
  }
  return input;
}

/** What a file holds, if this window wrote it; a file that was there before is `content`. */
export function readFrom(file: Argument, scene: Scene): Argument {
  const [channel] = file.channels;
  if (channel !== undefined) return printedBy(channel, null, scene);
  const notes = file.text === null ? [] : pathsOf(file.text, scene).flatMap((path) => scene.files.get(path) ?? []);
  const [note] = notes;
  if (note?.text !== undefined && note.text !== null) return { ...known(note.text), isFetched: note.isFetched, isSecret: note.isSecret };
  const marks = { isFetched: note?.isFetched === true, isSecret: note?.isSecret === true || readsSecret([file], scene) };
  return unknown("content", marks);
}

function printedBySimple(command: Simple, input: Argument | null, scene: Scene): Argument {
  const lines = expandWords(command.words, scene);
  const [line] = lines;
  if (line === undefined || lines.length > 1) return unknown("anything", marksOf([...lines.flat(), ...(input === null ? [] : [input])]));
  const [program, ...args] = line;
  if (program === undefined) return input !== null && command.redirections.length > 0 ? input : known("");
  return printedByProgram(baseName(program.text ?? "").toLowerCase(), args, input, scene);
}

function printedByProgram(name: string, args: readonly Argument[], input: Argument | null, scene: Scene): Argument {
  const marks = {
    isFetched: fetchers.has(name) || input?.isFetched === true || args.some(({ isFetched }) => isFetched),
    isSecret:
      input?.isSecret === true || readsFromSecret(name, args, scene) || printsPacked(name, args, scene) || printsEnvironment(name, args),
  };
  const text = textOfProgram(name, args, input, scene);
  return { ...text, isFetched: text.isFetched || marks.isFetched, isSecret: text.isSecret || marks.isSecret };
}

/** `echo .env` prints a name; `grep '^\.env'` leaves the names that are meant. */
function readsFromSecret(name: string, args: readonly Argument[], scene: Scene): boolean {
  if (name === "echo" || name === "printf") return args.some(({ isSecret }) => isSecret);
  const isMeant = name === "grep" && args.some(({ text }) => isSecretFile((text ?? "").replace(/[\\^$]/g, "")));
  return isMeant || readsSecret(args, scene);
}

/** An archive on standard output, of the tree or of a folder in it. */
function printsPacked(name: string, args: readonly Argument[], scene: Scene): boolean {
  const isToOutput = args.some(({ text }) => text === "-" || /^-?[a-z]*c[a-z]*$/.test(text ?? "")) && args.some(({ text }) => text === "-");
  return packsTree(name, args, scene) || (packers.has(name) && isToOutput && args.some(({ text }) => /^-?[a-z]*c/.test(text ?? "")));
}

function printsEnvironment(name: string, args: readonly Argument[]): boolean {
  return (name === "printenv" || name === "env") && args.every(({ text }) => text?.startsWith("-") === true);
}

function textOfProgram(name: string, args: readonly Argument[], input: Argument | null, scene: Scene): Argument {
  const [first] = args;
  if (name === "echo") return echoed(args);
  if (name === "printf") return formatted(args);
  if (name === "cat" || name === "tee") return copied(name, args, input, scene);
  if (name === "true" || name === ":" || name === "cd") return known("");
  if (name === "pwd") return scene.folders.size === 1 ? folderOf(scene) : unknown("word");
  if (name === "which" || ((name === "command" || name === "type") && /^-[vp]$/.test(first?.text ?? ""))) return pathOf(args);
  if (name === "jobs" && first?.text === "-p") return unknown("number");
  if (name === "git") return printedByGit(args, scene);
  if (name === "id") return unknown(first?.text?.includes("n") === true ? "word" : "number");
  if (setupTools.has(name) && (args.length === 0 || setupWords.test(first?.text ?? ""))) return unknown("setup");
  if (name === "ls" || name === "find") return namesBelow(name, args);
  if (nameListers.has(name) || (nameFilters.has(name) && input !== null && worstGap(input) === "names")) return unknown("names");
  if (numberPrinters.has(name)) return unknown("number");
  // `basename x/-rf` and `date +-rf` print an option.
  if (wordPrinters.has(name)) return unknown(args.some(({ text }) => /^\+[-+]|\/-|^--$/.test(text ?? "")) ? "anything" : "word");
  return unknown("anything");
}

/** `ls DIR/PATTERN` and `find DIR` print names that begin so. */
function namesBelow(name: string, args: readonly Argument[]): Argument {
  const end = name === "find" ? args.findIndex((argument) => /^[-(!]/.test(headOf(argument))) : -1;
  const [place, ...others] = (end === -1 ? args : args.slice(0, end)).filter((argument) => !headOf(argument).startsWith("-"));
  const text = place?.text ?? "";
  const below = name === "find" ? text : text.slice(0, Math.max(0, text.lastIndexOf("/")));
  if (others.length > 0 || below === "" || /[*?[\]]/.test(below) || (name === "ls" && place?.hasGlob !== true)) return unknown("names");
  return concat(known(`${below.replace(/\/+$/, "")}/`), unknown("names"));
}

/** `which NAME`: some folder, and the name. */
function pathOf(args: readonly Argument[]): Argument {
  const name = args.at(-1)?.text ?? "";
  return /^[\w.+-]{1,80}$/.test(name) && !name.startsWith("-") ? concat(unknown("word"), known(`/${name}`)) : unknown("word");
}

function folderOf({ folders }: Scene): Argument {
  const [folder] = folders;
  return typeof folder === "string" ? known(folder) : unknown("word");
}

/** `echo`: its options are only those that consist of n, e and E. Some shells read escapes without -e, and an escape may spell anything. */
function echoed(args: readonly Argument[]): Argument {
  let from = 0;
  while (/^-[neE]+$/.test(args[from]?.text ?? "")) from += 1;
  const text = joinFields(args.slice(from), " ");
  if (filled(text, "").includes("\\")) return concat(text, unknown("anything"));
  return args.slice(0, from).some((option) => option.text?.includes("n") === true) ? text : concat(text, known("\n"));
}

/** `printf`: only the plain formats. */
function formatted(args: readonly Argument[]): Argument {
  const [format, ...values] = args[0]?.text === "--" ? args.slice(1) : args;
  if (format?.text === undefined || format.text === null) return unknown("anything", marksOf(args));
  const text = format.text.replaceAll("\\n", "\n").replaceAll("\\t", "\t");
  const pieces = text.split("%s");
  if (/[%\\]/.test(pieces.join(""))) return concat(joinFields(args, " "), unknown("anything"));
  if (pieces.length === 1) return known(text);
  const rounds = Math.max(1, Math.ceil(values.length / (pieces.length - 1)));
  if (rounds > 64) return unknown("anything", marksOf(args));
  let printed = known("");
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, piece] of pieces.entries()) {
      const value = at === pieces.length - 1 ? known("") : (values[round * (pieces.length - 1) + at] ?? known(""));
      printed = concat(concat(printed, known(piece)), value);
    }
  }
  return printed;
}

function copied(name: string, args: readonly Argument[], input: Argument | null, scene: Scene): Argument {
  const { operands, flags } = readOptions(args, {});
  if (name === "tee" || operands.length === 0) return input ?? known("");
  if (flags.length > 0) return unknown("anything");
  return operands.map((file) => (file.text === "-" ? (input ?? known("")) : readFrom(file, scene))).reduce(concat);
}

function printedByGit(args: readonly Argument[], { context }: Scene): Argument {
  const line = joinFields(args, " ");
  if (line.text === "rev-parse --show-toplevel") return known(context.top);
  if (line.text === "rev-parse --git-dir" || line.text === "rev-parse --absolute-git-dir") return known(`${context.top}/.git`);
  const path = /^rev-parse --git-path (\S{1,200})$/.exec(line.text ?? "")?.[1];
  if (path !== undefined) return known(`${context.top}/.git/${path}`);
  if (/^(ls-files|diff --name-only|ls-tree --name-only|grep -l)/.test(headOf(line))) return unknown("names");
  return unknown(gitWords.test(headOf(line)) ? "word" : "anything");
}

/** Several alternatives as one. */
export function oneOf(values: readonly Argument[]): Argument {
  const [only, ...others] = values;
  return only !== undefined && others.length === 0 ? only : unknown("anything", marksOf(values));
}

function marksOf(values: readonly Argument[]): { isFetched: boolean; isSecret: boolean } {
  return { isFetched: values.some(({ isFetched }) => isFetched), isSecret: values.some(({ isSecret }) => isSecret) };
}

function withoutEnd(printed: Argument): Argument {
  const last = printed.pieces.at(-1);
  if (typeof last !== "string") return printed;
  let end = last.length;
  while (last[end - 1] === "\n") end -= 1;
  if (end === last.length) return printed;
  const kept = last.slice(0, end);
  return { ...printed, pieces: [...printed.pieces.slice(0, -1), kept], text: printed.text === null ? null : kept };
}
