/** Commands that run the command behind them: `sudo`, `env`, `timeout` and their kin. Each row says which options take a value and what stands in front. */

import { type Denial, denyUnread } from "../action.ts";
import { type Argument, concat, headOf, known } from "../argument.ts";
import { joinFields } from "../expand.ts";
import { readOptions, valuesOfFlag } from "../options.ts";
import { rowOf } from "../programs.ts";
import { deeper, firstDenial, type Invocation, type Scene } from "../scene.ts";
import { judgeEnvironment } from "./environment.ts";
import { judgeScriptText } from "./scripts.ts";

interface Wrapper {
  /** Letters and names of options that take a value. */
  readonly short?: string;
  readonly long?: readonly string[];
  /** How many operands stand in front of the command. */
  readonly skips?: number;
  /** Assignments may stand in front of the command. */
  readonly assigns?: boolean;
}

const wrappers: Readonly<Record<string, Wrapper>> = {
  sudo: {
    short: "ugpCcDhrtTUR",
    long: [
      "--user",
      "--group",
      "--prompt",
      "--chdir",
      "--host",
      "--role",
      "--type",
      "--other-user",
      "--chroot",
      "--close-from",
      "--command-timeout",
    ],
    assigns: true,
  },
  doas: { short: "uCa" },
  pkexec: { long: ["--user"] },
  env: { short: "uCSaP", long: ["--unset", "--chdir", "--split-string", "--argv0"], assigns: true },
  "cross-env": { assigns: true },
  dotenv: { short: "efvp" },
  timeout: { short: "sk", long: ["--signal", "--kill-after"], skips: 1 },
  gtimeout: { short: "sk", long: ["--signal", "--kill-after"], skips: 1 },
  nohup: {},
  nice: { short: "n", long: ["--adjustment"] },
  ionice: { short: "cnpPu", long: ["--class", "--classdata"] },
  time: { short: "fo", long: ["--format", "--output"] },
  command: {},
  builtin: {},
  exec: { short: "a" },
  stdbuf: { short: "ioe", long: ["--input", "--output", "--error"] },
  setsid: {},
  setpriv: { long: ["--reuid", "--regid", "--groups"] },
  chrt: { short: "TPD", skips: 1 },
  taskset: { skips: 1 },
  chroot: { long: ["--userspec", "--groups"], skips: 1 },
  busybox: {},
  toybox: {},
  noglob: {},
  nocorrect: {},
  repeat: { skips: 1 },
  unbuffer: {},
  caffeinate: { short: "tw" },
  eatmydata: {},
  fakeroot: {},
  catchsegv: {},
  "dbus-run-session": {},
  "xvfb-run": { short: "efnspw", long: ["--server-args", "--server-num", "--auth-file"] },
  proxychains: { short: "f" },
  proxychains4: { short: "f" },
  torsocks: {},
  prlimit: {},
  strace: { short: "eopsEuSaIbPX" },
  ltrace: { short: "eopsu" },
  "-": {},
  // Words of fish.
  and: {},
  or: {},
  not: {},
  begin: {},
};

/** Judges the command inside a wrapper. */
export function judgeWrapper(invocation: Invocation, scene: Scene): Denial | null {
  const wrapper = rowOf(wrappers, invocation.name);
  if (wrapper === undefined) return null;
  // `command -v rm` only looks.
  if (invocation.name === "command" && /^-[vV]/.test(invocation.args[0]?.text ?? "")) return null;
  const options = readOptions(invocation.args, { isLeading: true, short: wrapper.short ?? "", long: wrapper.long ?? [] });
  const [split] = invocation.name === "env" ? valuesOfFlag(options, "-S", "--split-string") : [];
  if (split !== undefined) return judgeScriptText(joinFields([split, ...options.operands], " "), invocation.input, scene);
  if (options.operands[0] === undefined && options.isUnsure) return denyUnread(`${invocation.name} of a command that is not written out`);
  return judgeInner(options.operands, wrapper, invocation, scene);
}

function judgeInner(operands: readonly Argument[], wrapper: Wrapper, invocation: Invocation, scene: Scene): Denial | null {
  let words = operands[0]?.text === "--" ? operands.slice(1) : operands;
  const environment = new Map(invocation.environment);
  while (wrapper.assigns === true && words[0] !== undefined && isAssignment(words[0])) {
    const head = headOf(words[0]);
    const at = head.indexOf("=");
    const value =
      words[0].text === null
        ? concat(known(head.slice(at + 1)), { ...words[0], pieces: [{ gap: "anything" }] })
        : known(head.slice(at + 1));
    environment.set(head.slice(0, at), value);
    words = words.slice(1);
  }
  const skips = wrapper.skips ?? 0;
  // Where a word in front is not known it may be several, and the command may start later.
  const isUnsure = words.slice(0, skips).some((word) => word.text === null);
  return firstDenial(isUnsure ? [skips, skips + 1, skips + 2] : [skips], (start) => {
    const inner = words.slice(start);
    const like = { ...invocation, environment };
    const denial = judgeEnvironment(environment, inner, scene) ?? scene.judge.words(inner, like, deeper(scene));
    return start > skips && denial?.family === "unreadable" ? null : denial;
  });
}

function isAssignment(word: Argument): boolean {
  return /^[A-Za-z_]\w{0,100}=/.test(headOf(word));
}
