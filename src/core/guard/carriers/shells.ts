/** Shells, and the commands by which a shell runs text: `sh -c`, a script that it is fed, `eval`, `source`, `trap`, `alias`. */
import { type Denial, deny, denyUnread } from "../action.ts";
import { type Argument, headOf, known } from "../argument.ts";
import { joinFields } from "../expand.ts";
import { shells } from "../programs.ts";
import { firstDenial, type Invocation, type Scene } from "../scene.ts";
import { judgeScriptFileText, judgeScriptText } from "./scripts.ts";

/** Judges the script of a shell or of a command that runs text in this one. */
export function judgeShell(invocation: Invocation, scene: Scene): Denial | null {
  const { name, args, input } = invocation;
  if (shells.has(name)) return judgeNewShell(invocation, scene);
  const given = args[0]?.text === "--" ? args.slice(1) : args;
  const [first, ...others] = given;
  if (first === undefined) return null;
  if (name === "eval") return judgeScriptText(joinFields(given, " "), input, scene);
  if (name === "source" || name === ".")
    return judgeScriptFileText(first, input, others.length > 0 ? { ...scene, positional: given } : scene);
  if (name === "trap") return judgeTrap(first, scene);
  if (name === "alias") return firstDenial(given, (argument) => judgeAlias(argument, scene));
  if (name === "hash" && args.some(({ text }) => text === "-p")) return denyUnread("hash -p gives a command another name");
  if (name === "enable" && args.some(({ text }) => text?.startsWith("-f") === true))
    return denyUnread("enable -f loads code into the shell");
  return null;
}

function judgeNewShell({ name, args, input, inputFile }: Invocation, scene: Scene): Denial | null {
  const call = readShell(name, args);
  if (call === null) return denyUnread(`${name} with options that are not known`);
  if (isPowerful(name)) return deny("unreadable", `${name} is not understood`, "use sh or bash");
  const inner = { ...scene, positional: call.positional };
  if (call.startFiles.length > 0) {
    const denial = firstDenial(call.startFiles, (file) => judgeScriptFileText(file, null, inner));
    if (denial !== null) return denial;
  }
  if (call.script !== null) return judgeScriptText(call.script, input, inner);
  if (call.file !== null) return judgeScriptFileText(call.file, input, inner);
  if (inputFile !== null) return judgeScriptFileText(inputFile, null, inner);
  return input === null ? null : judgeScriptText(input, null, inner);
}

/** csh has a grammar of its own. */
function isPowerful(name: string): boolean {
  return name === "csh" || name === "tcsh";
}

interface ShellCall {
  readonly script: Argument | null;
  readonly file: Argument | null;
  readonly positional: readonly Argument[];
  readonly startFiles: readonly Argument[];
}

/** `bash -euo pipefail -c SCRIPT NAME ARG`, `bash FILE ARG`, `bash -s ARG`; null where an option might hide the script. */
function readShell(name: string, args: readonly Argument[]): ShellCall | null {
  let [takesScript, readsInput, at] = [false, false, 0];
  const startFiles: Argument[] = [];
  for (; at < args.length; at += 1) {
    const argument = args[at] ?? known("");
    const head = headOf(argument);
    if (argument.text === "--" || argument.text === "-") {
      at += 1;
      break;
    }
    if (argument.text === null && /^[-+]/.test(head)) return null;
    if (!/^[-+]./.test(head)) break;
    const long = /^--(\w[\w-]*)(?:=([\s\S]*))?$/.exec(head);
    if (long !== null) {
      if (long[1] === "command" || long[1] === "init-command") {
        if (long[2] !== undefined) return { script: known(long[2]), file: null, positional: args.slice(at + 1), startFiles };
        takesScript = true;
      }
      if (long[1] === "rcfile" || long[1] === "init-file") {
        at += 1;
        startFiles.push(args[at] ?? known(""));
      }
      continue;
    }
    const letters = head.slice(1);
    if (name === "fish" && /^[cC]./.test(letters))
      return { script: known(letters.slice(1)), file: null, positional: args.slice(at + 1), startFiles };
    if (head.startsWith("-") && letters.includes("c")) takesScript = true;
    if (head.startsWith("-") && letters.includes("s")) readsInput = true;
    if (/[oO]$/.test(letters)) at += 1;
  }
  const rest = args.slice(at);
  const [first = null] = rest;
  if (takesScript) return { script: first ?? known(""), file: null, positional: rest.slice(1), startFiles };
  if (readsInput || first === null) return { script: null, file: null, positional: [known(name), ...rest], startFiles };
  return { script: null, file: first, positional: rest, startFiles };
}

/** `trap 'script' EXIT`; `-` and nothing set a signal back. */
function judgeTrap(first: Argument, scene: Scene): Denial | null {
  const { text } = first;
  if (text === "-" || text === "" || text === "-p" || text === "-l") return null;
  return judgeScriptText(first, null, scene);
}

/** An alias that would be denied if it were called as it stands is denied when it is made. */
function judgeAlias(argument: Argument, scene: Scene): Denial | null {
  const at = headOf(argument).indexOf("=");
  if (at === -1) return null;
  if (argument.text === null) return denyUnread("an alias that is not written out");
  return judgeScriptText(known(argument.text.slice(at + 1)), null, scene);
}
