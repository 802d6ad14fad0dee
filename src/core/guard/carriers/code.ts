/**
 * Code of other languages that is given on the command line: `python -c`, `node -e`, a here-document into an interpreter. Not parsed: a call that
 * deletes trees, and strings that a shell would be given, are looked for by their spelling. A fence against the plain case only.
 */
import { type Denial, deny, denyUnread } from "../action.ts";
import { type Argument, concat, filled, isOpen, known } from "../argument.ts";
import { judgeKillInCode } from "../families/end-of-loop.ts";
import { denyProtected } from "../file-writes.ts";
import { hasFlag, readOptions, valuesOfFlag } from "../options.ts";
import { readFrom } from "../output.ts";
import { interpreters, rowOf } from "../programs.ts";
import { namesProtected } from "../protected-paths.ts";
import { deeper, firstDenial, type Invocation, type Scene } from "../scene.ts";
import { isSecretFile } from "../secrets.ts";
import { denyFetched, isStandardInput } from "./scripts.ts";

interface Language {
  /** Options whose value is code. */
  readonly code: readonly string[];
  readonly short: string;
  readonly long: readonly string[];
  /** The first operand is code (awk), or a word in front says so (deno eval). */
  readonly operand?: boolean;
}

const script: Language = {
  code: ["-e", "--eval", "-p", "--print"],
  short: "epr",
  long: ["--eval", "--print", "--require", "--import", "--loader"],
};
const perl: Language = { code: ["-e", "-E"], short: "eEIMm", long: [] };
const languages: Readonly<Record<string, Language>> = {
  python: { code: ["-c"], short: "cmWX", long: [] },
  pypy: { code: ["-c"], short: "cmWX", long: [] },
  node: script,
  nodejs: script,
  bun: script,
  tsx: script,
  "ts-node": script,
  deno: { ...script, operand: true },
  perl,
  ruby: { code: ["-e"], short: "erI", long: [] },
  php: { code: ["-r"], short: "rdfc", long: [] },
  lua: { code: ["-e"], short: "el", long: [] },
  rscript: { code: ["-e"], short: "e", long: [] },
  osascript: { code: ["-e"], short: "e", long: [] },
  awk: { code: ["-e", "--source"], short: "vFfe", long: ["--assign", "--file", "--source"], operand: true },
};
const aliases: Readonly<Record<string, string>> = { gawk: "awk", mawk: "awk", nawk: "awk" };

const deletesTree =
  /\brmtree\b(?!\s?[|/])|\bremovedirs\b|\brm_rf?\b|\bremove_entry|\bremove_tree\b|\brimraf(?:\.sync|Sync|["'`]\))?\s?\(|\b(?:remove|empty)(?:Dir)?Sync\s?\(|\bfs\.remove\(|\b(?:rm|rmdir)(?:Sync)?\s?\([\s\S]{0,400}?\brecursive\b|\bDeno\.remove(?:Sync)?\([\s\S]{0,200}?recursive/;
const runsShell =
  /\bsystem\b|\bpopen\b|subprocess|\bexec|\bspawn|check_(?:output|call)|getoutput|\bqx\b|%x|\bProcess\b|\bpty\b|child_process|shell_exec|passthru|do shell script|\bCommand\(|`|\|\s?"/i;
const writes =
  /\bopen\([^)]{0,200}["'](?:[wax]|r\+)|write|unlink|remove|rename|chmod|copy|symlink|truncate|\bmove\b|\brm(?:Sync)?\b|appendFile|\bdump\(/i;
const sends =
  /requests\.|urllib|http\.client|httpx|aiohttp|\bfetch\s?\(|axios|https?\.(?:request|get|post)|\bsocket\b|\bnet\.|XMLHttpRequest|Net::HTTP|LWP::|HTTP::|file_get_contents/;
const brings = /urlopen|requests\.get|httpx\.get|\bfetch\s?\(|https?\.get|axios|urlretrieve|Net::HTTP|LWP::|open-uri|URI\.open/;
const runsCode =
  /(?<![.\w])(?:exec|eval)(?:\s?\(|\s+[\w$"']|\s?\))|\bos\.system\b|subprocess|execSync|spawnSync|child_process|new Function|vm\.run|instance_eval|\bpopen\b/;

/** Judges the code that an interpreter is given directly. */
export function judgeCode(invocation: Invocation, scene: Scene): Denial | null {
  const base = invocation.name.replace(/[\d.]+$/, "");
  const language = rowOf(languages, rowOf(aliases, base) ?? base);
  if (language === undefined || !interpreters.has(base)) return null;
  return firstDenial(codesOf(invocation, language, scene), (code) => judgeCodeArgument(code, scene));
}

function codesOf({ args, input, inputFile }: Invocation, language: Language, scene: Scene): readonly Argument[] {
  // `node -pe CODE` is `-p -e CODE`.
  const plain = args.map((argument) => (language === script && /^-(pe|ep)$/.test(argument.text ?? "") ? known("-e") : argument));
  const options = readOptions(plain, { short: language.short, long: language.long, isLeading: language.operand !== true });
  const given = valuesOfFlag(options, ...language.code);
  // What is loaded in front says what the code can do: `-MLWP::Simple`, `-ropen-uri`.
  const loaded = plain.filter(({ text }) => /^-[MmrI]\w/.test(text ?? "")).map(({ text }) => known(`${text?.slice(2)}\n`));
  if (given.length > 0) return given.map((code) => loaded.reduceRight((sum, one) => concat(one, sum), code));
  const [first, second] = options.operands;
  if (language.operand === true && first !== undefined) return first.text === "eval" && second !== undefined ? [second] : [first];
  if (first !== undefined && first.channels.length > 0) return [readFrom(first, scene)];
  // `-m module` runs what is installed; a file is judged where files are.
  if (hasFlag(options, "-m") || (first !== undefined && !isStandardInput(first))) return [];
  return [...(input === null ? [] : [input]), ...(inputFile === null ? [] : [readFrom(inputFile, scene)])];
}

function judgeCodeArgument(code: Argument, scene: Scene): Denial | null {
  if (code.isFetched) return denyFetched();
  if (code.text === null && isOpen(code) && code.pieces.length === 1) return denyUnread("code whose text is not known before it runs");
  return judgeCodeText(filled(code, "x"), scene);
}

/** Judges code by what it spells out. */
export function judgeCodeText(code: string, scene: Scene): Denial | null {
  if (deletesTree.test(code)) return denyTree();
  const strings = stringsIn(code);
  if (brings.test(code) && runsCode.test(code)) return denyFetched();
  const asShell = runsShell.test(code) ? judgeStrings(strings, scene) : null;
  if (asShell !== null) return asShell;
  if (writes.test(code) && strings.some((text) => text.length < 1_024 && !text.includes("\n") && namesProtected(known(text), scene)))
    return denyProtected();
  if (sends.test(code) && strings.some((text) => isSecretFile(text))) return denySecret();
  return judgeKillInCode(code, scene);
}

/** Deletes a tree that it names; one in a folder for temporary files may go. */
const deletesNamed =
  /(?:\brmtree|\bremovedirs|\brm_rf?|\bremove_tree|\brimraf(?:Sync)?|\b(?:remove|empty)(?:Dir)?Sync|\bfs\.remove)\s?\(([^\n;]{0,200})|\b(?:rm|rmdir)(?:Sync)?\s?\(([^;]{0,200}?\brecursive\b)/g;
/** Reads a file that it names. */
const readsNamed =
  /(?:\bopen|readFile(?:Sync)?|read_text|read_bytes|File\.read|file_get_contents|Path|slurp)\s?\(?\s?[rbf]?["'`]([^"'`\n]{1,200})["'`]/g;

/** Judges a program that the window wrote in an earlier call: most of them are the work itself, so that only what is plainly spelled out counts. */
export function judgeRememberedCode(code: string): Denial | null {
  for (const [, one = "", other = ""] of code.matchAll(deletesNamed)) {
    const target = one + other;
    const isNamed = /["'`]/.test(target.replace(/["'`]?recursive["'`]?.*$/s, "")) || isOfList(target, code);
    if (isNamed && !/te?mp/i.test(target)) return denyTree();
  }
  const readsSecret = [...code.matchAll(readsNamed)].some(([, path = ""]) => isSecretFile(path));
  return readsSecret && sends.test(code) ? denySecret() : null;
}

/** The target is one of a list that is written out in front: `for d in ("src", "docs")`. */
function isOfList(target: string, code: string): boolean {
  const names = [...code.matchAll(/\bfor \(?(?:const |let )?(\w{1,60}) (?:in|of) ?[([]\s?["']/g)].map(([, name]) => name);
  return names.some((name) => new RegExp(`\\b${name}\\b`).test(target));
}

function denyTree(): Denial {
  return deny("delete-trees/code", "code that removes a whole tree", "delete single files, or ask the person");
}

function denySecret(): Denial {
  return deny("data-out/code", "code that may send a secret", "keep it on this machine, or ask the person");
}

/** Each string as a script, and neighbours as the words of one command: `["rm", "-rf", "x"]`. */
function judgeStrings(strings: readonly string[], scene: Scene): Denial | null {
  const words = strings.filter((text) => text !== "" && !/\s/.test(text)).slice(0, 60);
  const lists = words.map((_, at) =>
    words
      .slice(at, at + 6)
      .map(quoted)
      .join(" "),
  );
  const scripts = strings.filter((text) => /\s/.test(text)).slice(0, 60);
  return firstDenial([...scripts, ...lists], (text) => {
    const denial = scene.judge.text(text, null, deeper(scene));
    return denial?.family === "unreadable" ? null : denial;
  });
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "")}'`;
}

/** Every text between quotes, as far as a scan without a grammar can tell. In time of the length of the code. */
export function stringsIn(code: string): readonly string[] {
  const strings: string[] = [];
  for (let at = 0; at < code.length && strings.length < 2_000; at += 1) {
    const quote = code[at];
    if (quote !== '"' && quote !== "'" && quote !== "`") continue;
    const mark = code.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
    const end = endOfString(code, at + mark.length, mark);
    if (end === -1) continue;
    strings.push(code.slice(at + mark.length, end).replace(/\\(["'`])/g, "$1"));
    at = end + mark.length - 1;
  }
  return strings;
}

function endOfString(code: string, from: number, mark: string): number {
  for (let at = from; at < code.length; at += 1) {
    if (code[at] === "\\") at += 1;
    else if (code.startsWith(mark, at)) return at;
    // A string on one line ends there; an apostrophe in a comment is no string.
    else if (code[at] === "\n" && mark.length === 1 && mark !== "`") return -1;
  }
  return -1;
}
