/** Runners of packages and environments: `npx NAME`, `uv run NAME`, `bundle exec NAME`. The package's name is the command's name. */

import type { Denial } from "../action.ts";
import { type Argument, known } from "../argument.ts";
import { readOptions, valuesOfFlag } from "../options.ts";
import { rowOf } from "../programs.ts";
import { deeper, firstDenial, type Invocation, type Scene } from "../scene.ts";
import { judgeScriptText } from "./scripts.ts";

/** Which words, behind the runner, lead to the command; the empty word stands for none. */
const runners: Readonly<Record<string, readonly string[]>> = {
  npx: [""],
  bunx: [""],
  uvx: [""],
  npm: ["exec", "x"],
  pnpm: ["exec", "dlx", "x"],
  pnpx: [""],
  yarn: ["exec", "dlx", "run"],
  bun: ["x", "run"],
  pipx: ["run"],
  uv: ["run", "tool run"],
  poetry: ["run"],
  pdm: ["run"],
  hatch: ["run"],
  rye: ["run"],
  pipenv: ["run"],
  bundle: ["exec"],
  conda: ["run"],
  mamba: ["run"],
  mise: ["exec", "x"],
  asdf: ["exec"],
  rustup: ["run"],
  direnv: ["exec"],
  dotenv: ["run"],
  devbox: ["run"],
  nix: ["shell", "develop", "run"],
  "nix-shell": [""],
  op: ["run"],
  doppler: ["run"],
};
const valued = {
  short: "pcwCnP",
  long: [
    "--package",
    "--call",
    "--workspace",
    "--prefix",
    "--with",
    "--python",
    "--from",
    "--cwd",
    "--dir",
    "--filter",
    "--directory",
    "--run",
    "--command",
  ],
};

/** Judges the command that a runner starts. */
export function judgeRunner(invocation: Invocation, scene: Scene): Denial | null {
  const ways = rowOf(runners, invocation.name);
  if (ways === undefined) return null;
  const rest = behind(invocation.args, ways);
  if (rest === null) return null;
  const options = readOptions(rest, { ...valued, isLeading: true });
  const [script] = valuesOfFlag(options, "-c", "--call", "--run", "--command");
  if (script !== undefined) return judgeScriptText(script, invocation.input, scene);
  // What stands behind `--` is a command in any case: `mise exec node@24 -- command`.
  const dashes = rest.findIndex(({ text }) => text === "--");
  const lines = [options.operands, ...(dashes === -1 ? [] : [rest.slice(dashes + 1)])];
  return firstDenial(lines, ([first, ...others]) => {
    return first === undefined || first.text === "--" ? null : scene.judge.words([bare(first), ...others], invocation, deeper(scene));
  });
}

function behind(args: readonly Argument[], ways: readonly string[]): readonly Argument[] | null {
  for (const way of ways) {
    if (way === "") return args;
    const words = way.split(" ");
    const at = args.findIndex((_, from) => words.every((word, index) => args[from + index]?.text === word));
    // Only options of the runner may stand in front.
    if (at !== -1 && at < 4) return args.slice(at + words.length);
  }
  return null;
}

/** `rimraf@5` is rimraf; `@scope/name@1` keeps its scope as a folder. An unknown name is some package. */
function bare(name: Argument): Argument {
  const { text } = name;
  if (text === null) return name;
  const at = text.indexOf("@", 1);
  return known(at === -1 ? text : text.slice(0, at));
}
