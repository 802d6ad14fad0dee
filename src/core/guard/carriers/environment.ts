/** Variables that are set for a command, or for all that follow: switches that turn guards off, and names of programs that others start. */
import { type Denial, deny } from "../action.ts";
import { type Argument, filled, headOf } from "../argument.ts";
import { rowOf } from "../programs.ts";
import { firstDenial, type Scene } from "../scene.ts";
import { judgeScriptText } from "./scripts.ts";

const switches = /^(MIDWATCH_\w{1,60}|GIT_CONFIG\w{0,60}|GIT_TEMPLATE_DIR|GIT_EXEC_PATH|CLAUDE_CONFIG_DIR|CLAUDE_CODE_\w{1,60}|BASH_ENV)$/;
/** These only with a value that switches something off. */
const offSwitches: Readonly<Record<string, RegExp>> = {
  HUSKY: /^(0|false|no|off)$/i,
  LEFTHOOK: /^(0|false|no|off)$/i,
  HUSKY_SKIP_HOOKS: /./,
  HUSKY_SKIP_INSTALL: /./,
  PRE_COMMIT_ALLOW_NO_CONFIG: /./,
};
/** Their value is run by git, by a pager, or by the shell itself. */
const programs: ReadonlySet<string> = new Set(
  (
    "GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_SSH GIT_SSH_COMMAND GIT_PROXY_COMMAND GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS EDITOR VISUAL PAGER MANPAGER " +
    "LESSOPEN BROWSER PROMPT_COMMAND PS4"
  ).split(" "),
);

/** @param words  the command that they are set for; empty where they are set for all that follow */
export function judgeEnvironment(environment: ReadonlyMap<string, Argument>, words: readonly Argument[], scene: Scene): Denial | null {
  const [program] = words;
  const name = program === undefined ? "" : headOf(program);
  return firstDenial(environment, ([variable, value]) => {
    if (programs.has(variable)) return judgeScriptText(value, null, scene);
    const isOff =
      rowOf(offSwitches, variable)?.test(filled(value, "0")) === true ||
      (variable === "SKIP" && /^(git|pre-commit|export|declare|typeset)$/.test(name));
    if (!isOff && !switches.test(variable)) return null;
    return deny(
      "guard-and-contract/variable",
      `the variable ${variable} changes what guards the work`,
      "leave it as it is, or ask the person",
    );
  });
}
