/** Whatever would end the supervisor, the agent itself, or the machine. A process that the agent started, named by its number, may be ended. */
import { type Denial, deny } from "../action.ts";
import { type Argument, headOf, tailOf } from "../argument.ts";
import { hasFlag, readOptions } from "../options.ts";
import type { Invocation, Scene } from "../scene.ts";

const instead = "end your own process by its number: start it with & and keep pid=$!, then kill $pid";
const byName = new Set(["pkill", "killall", "killall5", "skill", "slay", "xkill", "taskkill", "kill-port", "fkill", "fkill-cli", "snice"]);
const machine = new Set(["reboot", "shutdown", "poweroff", "halt", "telinit", "systemsetup", "pm-suspend", "zzz"]);
const serviceStops =
  /^(stop|kill|poweroff|reboot|halt|suspend|hibernate|hybrid-sleep|isolate|mask|disable|rescue|emergency|exit|kexec|soft-reboot)$/;

/** Denies kills by name or of everything, and the end of the machine or of a session. */
export function judgeEndOfLoop({ name, args }: Invocation, scene: Scene): Denial | null {
  if (byName.has(name)) return deny("end-of-loop/kill-by-name", `${name} ends processes by their name`, instead);
  if (machine.has(name)) return deny("end-of-loop/machine", `${name} ends the machine's work`, "this is never part of a task");
  const words = args.map(({ text }) => text ?? "?");
  if (name === "wsl" && words.some((word) => /^(--shutdown|--terminate|-t)$/.test(word)))
    return deny("end-of-loop/machine", "wsl ends the machine's work", "this is never part of a task");
  if (name === "kill") return judgeKill(args, scene);
  if (name === "init" && /^[06sS]$/.test(words[0] ?? ""))
    return deny("end-of-loop/machine", "init changes the machine's state", "this is never part of a task");
  if (name === "fuser" && hasFlag(readOptions(args, { short: "nN" }), "-k", "--kill"))
    return deny("end-of-loop/kill-by-name", "fuser -k ends whoever uses it", instead);
  if (stopsService(name, words)) return deny("end-of-loop/service", `${name} stops a service`, "leave services alone, or ask the person");
  if (name === "tmux" && words.some((word) => /^kill/.test(word)))
    return deny("end-of-loop/session", "tmux kill ends a session that may hold the run", instead);
  if (name === "screen" && words.includes("quit"))
    return deny("end-of-loop/session", "screen quit ends a session that may hold the run", instead);
  if (name === "loginctl" && words.some((word) => /^(terminate|kill)/.test(word)))
    return deny("end-of-loop/session", "loginctl ends a session", instead);
  return name === "midwatch" ? judgeOwnCommand(words) : null;
}

function judgeKill(args: readonly Argument[], { context }: Scene): Denial | null {
  const words = args.map(({ text }) => text ?? "");
  // Only asks: signal 0, and the list of signals.
  if (words[0] === "-0" || words[0] === "-l" || words[0] === "-L" || (words[0] === "-s" && words[1] === "0")) return null;
  const targets = killTargets(args);
  const isOwn = targets.every((target) => isOwnProcess(target, context.supervisorPids));
  return isOwn ? null : deny("end-of-loop/kill", "kill of a process that is not known to be yours", instead);
}

/** What is left when the signal is taken off: `-9`, `-KILL`, `-s KILL`, `-n 9`. */
function killTargets(args: readonly Argument[]): readonly Argument[] {
  const [first, second] = args.map(headOf);
  if (first === "-s" || first === "-n" || first === "--signal") return withoutDashes(args.slice(2));
  if (first === "--" || first === undefined || second === undefined) return withoutDashes(args);
  return withoutDashes(first.startsWith("-") ? args.slice(1) : args);
}

function withoutDashes(args: readonly Argument[]): readonly Argument[] {
  return args.filter(({ text }) => text !== "--");
}

/** A job, a number that is not the supervisor's, or a number that the script got from `$!` or a file. */
function isOwnProcess(target: Argument, supervisors: readonly number[]): boolean {
  const { text } = target;
  if (text !== null) {
    if (/^%[\w+-]*$/.test(text) && text !== "") return true;
    const pid = Math.abs(Number(text));
    return /^-?\d{1,10}$/.test(text) && pid > 1 && !supervisors.includes(pid);
  }
  const known = headOf(target) + tailOf(target);
  return (
    /^-?$/.test(known) &&
    target.pieces.every((piece) => typeof piece === "string" || piece.gap === "number" || (piece.gap === "content" && !target.isSecret))
  );
}

function stopsService(name: string, words: readonly string[]): boolean {
  const isOurs = words.some((word) => word.includes("midwatch"));
  if (name === "systemctl") return words.some((word) => serviceStops.test(word) || (isOurs && word.includes("restart")));
  if (name === "service" || name === "rc-service") return words.includes("stop") || (isOurs && words.includes("restart"));
  return name === "launchctl" && words.some((word) => /^(unload|bootout|stop|kill|remove|disable)$/.test(word));
}

/** Our own program: to look is fine, to steer the run is not the agent's to do. */
function judgeOwnCommand(words: readonly string[]): Denial | null {
  const verb = words.find((word) => !word.startsWith("-"));
  if (verb === undefined || /^(status|why|report|doctor|help|demo|--version|--help)$/.test(verb)) return null;
  if (verb === "config" && words.includes("show")) return null;
  return deny("end-of-loop/own-command", "midwatch is steered by the person", "end your turn, or write the handoff note");
}

/** A process-killing call in code of another language. */
export function judgeKillInCode(code: string, { context }: Scene): Denial | null {
  const match =
    /\b(?:os|process|Process)\.kill(?:pg)?\s{0,4}\(?\s{0,4}([^,)]{0,80})/.exec(code) ??
    // perl names the signal first.
    /(?<![.\w])kill\s{0,4}\(?\s{0,4}["']?-?\w{1,12}["']?\s{0,4}(?:,|=>)\s{0,4}([^,);]{0,80})/.exec(code);
  if (match === null) return null;
  const target = (match[1] ?? "").trim().replace(/^\$/, "");
  const isNumber = /^\d+$/.test(target) && Number(target) > 1 && !context.supervisorPids.includes(Number(target));
  return isNumber || (/^[A-Za-z_][\w.]*pid$/.test(target) && !/ppid/i.test(target))
    ? null
    : deny("end-of-loop/kill-in-code", "a kill of a process that is not known to be yours", instead);
}
