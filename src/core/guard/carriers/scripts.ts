/** Text that is about to run as a script: known, and then judged; or not, and then denied. */
import { type Denial, deny, denyUnread } from "../action.ts";
import { type Argument, filled, worstGap } from "../argument.ts";
import { readFrom } from "../output.ts";
import { firstDenial, pathsOf, type Scene } from "../scene.ts";
import { standIn } from "../variables.ts";

/** Stands in a script for a file name that was looked up: it may be anything, but is one argument. */
const lookedUp = "midwatch_name";

/** Judges a text as a script; single plain words in it may be unknown. */
export function judgeScriptText(script: Argument, input: Argument | null, scene: Scene): Denial | null {
  if (script.isFetched) return denyFetched();
  const worst = worstGap(script);
  if (worst === "setup" && script.pieces.length === 1) return null;
  const isWord = worst === "word" || worst === "number";
  if (script.text === null && !isWord && (worst !== "names" || script.pieces.length === 1))
    return denyUnread("a script whose text is not known before it runs");
  return scene.judge.text(script.text ?? filled(script, worst === "number" ? "$!" : `\${${isWord ? standIn : lookedUp}}`), input, scene);
}

/** What to say to code from the network. */
export function denyFetched(): Denial {
  return deny(
    "fetch-and-run/script",
    "code from the network that runs unread",
    "download it to a file, read it, and ask the person before it runs",
  );
}

/** The names under which a program finds what it is fed. */
export function isStandardInput({ text }: Argument): boolean {
  return text === "-" || text === "/dev/stdin" || text === "/dev/fd/0" || text === "/proc/self/fd/0";
}

/** Judges a file that is about to run as a shell script. One that was there before this window passes. */
export function judgeScriptFileText(file: Argument, input: Argument | null, scene: Scene): Denial | null {
  if (file.channels.length > 0) return judgeScriptText(readFrom(file, scene), input, scene);
  if (isStandardInput(file)) return input === null ? null : judgeScriptText(input, null, scene);
  if (file.text === null)
    return /^(anything|text)$/.test(worstGap(file) ?? "") && file.pieces.length === 1
      ? denyUnread("a script whose name is not known")
      : null;
  if (/^\/(dev|proc\/\w{1,20})\/fd\//.test(file.text)) return denyUnread("a script from another descriptor");
  return firstDenial(pathsOf(file.text, scene), (path) => judgeNoted(path, input, scene));
}

function judgeNoted(path: string, input: Argument | null, scene: Scene): Denial | null {
  const note = scene.files.get(path);
  if (note === undefined) return null;
  if (note.isFetched) return denyFetched();
  if (note.text === null) return note.isPart ? null : denyUnread("a script whose text is not known");
  const denial = scene.judge.text(note.text, input, scene);
  // A part of a file need not be a script by itself.
  return note.isPart && denial?.family === "unreadable" ? null : denial;
}
