/** Shells, and the commands by which a shell runs text: `sh -c`, a script that it is fed, `eval`, `source`, `trap`, `alias`. */
import { type Denial, deny, denyUnread } from "../action.ts";
import { type Argument, headOf, known } from "../argument.ts";
import { joinFields } from "../expand.ts";
import { hasFlag, readOptions, valuesOfFlag } from "../options.ts";
import { shells } from "../programs.ts";
import { firstDenial, type Invocation, type Scene } from "../scene.ts";
import { judgeScriptFileText, judgeScriptText } from "./scripts.ts";

/** Judges the script of a shell or of a command that runs text in this one. */
export function judgeShell(invocation: Invocation, scene: Scene): Denial | null {
  const { name, args, input } = invocation;
  if (shells.has(name)) return judgeNewShell(invocation, scene);
  const given = args[0]?.text === "--" ? args.slice(1) : args;
  const [first, ...others] = given;
  // fish reads its standard input then.
  if ((name === "source" || name === ".") && (first === undefined || first.text === "-") && input !== null)
    return judgeScriptText(input, null, scene);
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
  // These have a grammar of their own.
  if (name === "csh" || name === "tcsh") return deny("unreadable/other-shell", `${name} is not understood`, "use sh or bash");
  const call = readShell(name, args);
  if (call === null) return denyUnread(`${name} with options that are not known`);
  const inner = { ...scene, positional: call.positional };
  const started =
    firstDenial(call.startFiles, (file) => judgeScriptFileText(file, null, inner)) ??
    firstDenial(call.startScripts, (script) => judgeScriptText(script, null, inner));
  if (started !== null) return started;
  if (call.script !== null) return judgeScriptText(name === "zsh" ? withoutQualifiers(call.script) : call.script, input, inner);
  if (call.file !== null) return judgeScriptFileText(call.file, input, inner);
  if (inputFile !== null) return judgeScriptFileText(inputFile, null, inner);
  return input === null ? null : judgeScriptText(input, null, inner);
}

/** zsh may say behind a pattern which kinds of files are meant, `*(.N)`: of the plain ones nothing runs. */
function withoutQualifiers(script: Argument): Argument {
  return script.text === null ? script : { ...script, ...known(script.text.replace(/(?<=[*?\]\w])\([.ND/@*=onL]{1,6}\)/g, "")) };
}

interface ShellCall {
  readonly script: Argument | null;
  readonly file: Argument | null;
  /** `$0` and what follows it. */
  readonly positional: readonly Argument[];
  /** What is run before it. */
  readonly startFiles: readonly Argument[];
  readonly startScripts: readonly Argument[];
}

/** `bash -euo pipefail -c SCRIPT NAME ARG`, `bash FILE ARG`, `bash -s ARG`; null where an option might hide the script. */
function readShell(name: string, args: readonly Argument[]): ShellCall | null {
  // fish takes the script as the value of its option; the others take the first operand.
  const isFish = name === "fish";
  const long = ["--rcfile", "--init-file", ...(isFish ? ["--command", "--init-command"] : [])];
  const options = readOptions(args.map(withoutPlus), { isLeading: true, short: isFish ? "cCdD" : "oO", long });
  if (options.flags.some(({ name: flag, value }) => flag === "-?" || (value !== null && value.text === null))) return null;
  const before = {
    startFiles: valuesOfFlag(options, "--rcfile", "--init-file"),
    startScripts: isFish ? valuesOfFlag(options, "-C", "--init-command") : [],
  };
  const operands = /^--?$/.test(options.operands[0]?.text ?? "") ? options.operands.slice(1) : options.operands;
  const [first = null] = operands;
  const [given] = isFish ? valuesOfFlag(options, "-c", "--command") : [];
  if (given !== undefined) return { script: given, file: null, positional: [known(name), ...operands], ...before };
  if (!isFish && hasFlag(options, "-c")) return { script: first ?? known(""), file: null, positional: operands.slice(1), ...before };
  if (hasFlag(options, "-s") || first === null) return { script: null, file: null, positional: [known(name), ...operands], ...before };
  return { script: null, file: first, positional: operands, ...before };
}

/** `+x` is an option too; where one is not known it may be `-c`. */
function withoutPlus(argument: Argument): Argument {
  const head = headOf(argument);
  if (argument.text === null) return /^[-+]/.test(head) ? known("-?") : argument;
  return head.startsWith("+") && head.length > 1 ? known(head.replace("+", "-").replaceAll("c", "")) : argument;
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
