/** `find` and `xargs`: commands that run another one for names that are found while they run. */
import { type Denial, deny } from "../action.ts";
import { type Argument, concat, headOf, known, unknown, worstGap } from "../argument.ts";
import { hasFlag, type Options, readOptions, valuesOfFlag } from "../options.ts";
import { baseName } from "../paths.ts";
import { deeper, firstDenial, type Invocation, type Scene } from "../scene.ts";

const instead = "look at what is found first, then delete single files with rm FILE";
/** For names that nobody wrote out, these are too much. */
const destroyers = new Set(["rm", "unlink", "shred", "truncate"]);
/** Words that may stand in front of the command that does it. */
const fronts = new Set(["sudo", "doas", "env", "command", "nice", "nohup", "time", "timeout", "busybox", "exec", "ionice"]);

/** Judges what `find` or `fd` does with what it finds. */
export function judgeFind(invocation: Invocation, scene: Scene): Denial | null {
  const { name, args } = invocation;
  const isFd = name === "fd" || name === "fdfind";
  if (name !== "find" && name !== "gfind" && !isFd) return null;
  if (!isFd && args.some(({ text }) => text === "-delete"))
    return deny("delete-trees/find", "find -delete deletes whatever it finds", instead);
  const starts = isFd ? /^(-x|-X|--exec|--exec-batch)$/ : /^-(exec|execdir|ok|okdir)$/;
  // Once as a name of which nothing is known, and once as one in the folder that is searched: that folder may be a protected one.
  const places = [unknown("names"), ...placesOf(args)];
  return firstDenial(args.keys(), (at) => {
    if (!starts.test(args[at]?.text ?? "")) return null;
    const rest = args.slice(at + 1);
    const end = rest.findIndex(({ text }) => text === ";" || text === "+");
    const command = end === -1 ? rest : rest.slice(0, end);
    return firstDenial(places, (place) => {
      const words = command.map((word) => fillIn(word, "{}", place));
      return judgeForEach(isFd ? [...words, place] : words, invocation, scene);
    });
  });
}

/** The folders that are searched. */
function placesOf(args: readonly Argument[]): readonly Argument[] {
  const end = args.findIndex(({ text }) => /^[-(!]/.test(text ?? ""));
  return (end === -1 ? args : args.slice(0, end))
    .slice(0, 4)
    .flatMap(({ text }) => (text === null ? [] : [concat(known(`${text}/`), unknown("names"))]));
}

function fillIn(word: Argument, marker: string, found: Argument): Argument {
  if (word.text === null || !word.text.includes(marker)) return word;
  const [first = "", ...others] = word.text.split(marker);
  return others.reduce((sum, part) => concat(concat(sum, found), known(part)), known(first));
}

/** Judges what `xargs` puts together from what it is fed. */
export function judgeXargs(invocation: Invocation, scene: Scene): Denial | null {
  const { name, args, input } = invocation;
  if (name !== "xargs" && name !== "gxargs") return null;
  const options = readOptions(args, {
    isLeading: true,
    short: "IJLnPsdEaR",
    long: ["--max-args", "--max-procs", "--delimiter", "--arg-file", "--max-lines", "--max-chars", "--eof", "--process-slot-var"],
  });
  const marker =
    valuesOfFlag(options, "-I", "-J", "--replace")[0]?.text ??
    (options.flags.some(({ name: flag }) => flag === "-i" || flag === "--replace") ? "{}" : null);
  if (options.operands.length === 0) return null; // it only prints
  const fed = input ?? unknown("anything");
  const inner = { ...invocation, input: null };
  if (marker === null) return firstDenial(fedWords(fed, options), (added) => judgeForEach([...options.operands, ...added], inner, scene));
  // With a marker the command runs once for each line.
  const lines =
    fed.text === null
      ? [unknown(worstGap(fed) ?? "anything", fed)]
      : fed.text
          .trim()
          .split("\n")
          .slice(0, 64)
          .map((line) => known(line));
  return firstDenial(lines, (line) =>
    judgeForEach(
      options.operands.map((word) => fillIn(word, marker, line)),
      inner,
      scene,
    ),
  );
}

/** The words that are added, in each way in which xargs may deal them out: all, line by line, or from any word on. */
function fedWords(fed: Argument, options: Options): readonly (readonly Argument[])[] {
  const isCutElsewhere = hasFlag(options, "-0", "--null", "-d", "--delimiter");
  // Once as names of which nothing is known, and once as what they begin with.
  const open = [[unknown(worstGap(fed) ?? "anything", fed)]];
  if (fed.text === null && worstGap(fed) === "names" && fed.pieces.length === 2) return [...open, [fed]];
  if (fed.text === null || isCutElsewhere || /["'\\]/.test(fed.text)) return open;
  const words = fed.text.split(/\s+/).filter((word) => word !== "");
  if (words.length > 64) return [[unknown("anything", fed)]];
  const starts = hasFlag(options, "-n", "-L", "-l", "--max-args", "--max-lines") ? words.keys() : [0];
  return [...starts].map((start) => words.slice(start).map((word) => known(word)));
}

/** The command is judged with the gap in place; what destroys is not let loose on names that are not known. */
function judgeForEach(words: readonly Argument[], invocation: Invocation, scene: Scene): Denial | null {
  const names = words.map((word) => baseName(headOf(word)));
  const destroyer = names.find((name, at) => destroyers.has(name) && fronts.has(names[at - 1] ?? "sudo"));
  const hasGap = words.some((word) => worstGap(word) !== null);
  if (destroyer !== undefined && hasGap) return deny("delete-trees/for-each", `${destroyer} of whatever is found`, instead);
  return scene.judge.words(words, invocation, deeper(scene));
}
