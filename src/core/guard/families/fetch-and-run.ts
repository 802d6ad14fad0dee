/**
 * Code from the network that runs without having been read: from a package runner given an address, or from a file that was just downloaded.
 * What a shell or an interpreter is fed directly is judged where their scripts are: see carriers/scripts.ts.
 */

import { type Denial, deny } from "../action.ts";
import { type Argument, filled, headOf } from "../argument.ts";
import { rowOf } from "../programs.ts";
import { type Invocation, pathsOf, type Scene } from "../scene.ts";

const instead = "install it by name and version from the registry, or download it, read it, and ask the person";
const remote =
  /^(?:[\w.-]{1,80}(?:\[[\w,.-]{1,80}\])? ?@ ?)?(?:git\+|git:|ssh:|https?:|ftp:|github:|gitlab:|bitbucket:|gist:|git@|hg\+|svn\+|bzr\+)/i;
/** The registry's own address may be set, and is not code. */
const notCode =
  /^--?(index-url|extra-index-url|index|default-index|find-links|i|f|registry|proxy|trusted-host|allow-net|repository|source)$/;

/** Which words of a command make it an installer or a runner of packages. */
const installers: Readonly<Record<string, RegExp>> = {
  npx: /./,
  bunx: /./,
  uvx: /./,
  pnpx: /./,
  npm: /^(i|in|ins|inst|install|add|it|install-test|exec|x|create|init|update|up)$/,
  pnpm: /^(i|install|add|dlx|create|update|up)$/,
  yarn: /^(add|dlx|create|global|up|upgrade)$/,
  bun: /^(i|install|add|x|create|update)$/,
  pip: /^(install|download|wheel)$/,
  pip3: /^(install|download|wheel)$/,
  pipx: /^(install|run|inject)$/,
  uv: /^(pip|add|tool|run|sync)$/,
  poetry: /^add$/,
  pdm: /^add$/,
  cargo: /^(install|add)$/,
  deno: /^(run|install|x|test|serve|cache|bench)$/,
  gem: /^install$/,
  brew: /^(install|reinstall|cask)$/,
  conda: /^(install|create|env)$/,
};
const fileInstallers: ReadonlySet<string> = new Set(
  "dpkg rpm apt apt-get dnf yum pip pip3 npm pnpm yarn installer brew gem snap java go tsx ts-node docker".split(" "),
);
/** The first operand is the package that runs. */
const runsAtOnce = new Set(["npx", "bunx", "uvx", "pnpx"]);
const takesValue = /^(-w|--workspace|--filter|-F|--prefix|-C|--dir|--cwd|--python|-c|--call|--registry|--tag)$/;
/** npm takes a plain owner/name as a repository on GitHub. */
const shorthand = new Set(["npx", "npm", "pnpm", "yarn", "bun", "bunx"]);

/** Denies packages that come from an address, and installers given a download. */
export function judgeFetchAndRun(invocation: Invocation, scene: Scene): Denial | null {
  const { name, args } = asInstaller(invocation);
  if (fileInstallers.has(name) && args.some((argument) => isDownload(argument, scene))) {
    return deny("fetch-and-run/download", `${name} of a file that was just downloaded`, instead);
  }
  const words = rowOf(installers, name);
  const verb = args.find(({ text }) => text !== null && !text.startsWith("-"))?.text ?? "";
  if (words === undefined || !words.test(verb === "" && args.length > 0 ? "-" : verb)) return null;
  const isFromAddress = packageArguments(name, args).some((argument, at, all) => isAddress(name, argument, all[at - 1]));
  return isFromAddress ? deny("fetch-and-run/address", `${name} of code from an address`, instead) : null;
}

/** What stands behind the package that is run belongs to the package. */
function packageArguments(name: string, args: readonly Argument[]): readonly Argument[] {
  const from = runsAtOnce.has(name) ? 0 : args.findIndex(({ text }) => /^(exec|x|dlx|run)$/.test(text ?? "")) + 1;
  if (from === 0 && !runsAtOnce.has(name)) return args;
  const end = args.findIndex(
    (argument, at) => at >= from && !headOf(argument).startsWith("-") && !takesValue.test(args[at - 1]?.text ?? ""),
  );
  return end === -1 ? args : args.slice(0, end + 1);
}

/** `python -m pip` is pip. */
function asInstaller({ name, args }: Invocation): Pick<Invocation, "name" | "args"> {
  const at = args.findIndex(({ text }) => text === "-m");
  const module = args[at + 1]?.text ?? "";
  if (!/^(python|pypy)[\d.]*$/.test(name) || at === -1 || !/^(pip|pipx)$/.test(module))
    return { name: name.replace(/^pip3\.\d+$/, "pip3"), args };
  return { name: module, args: args.slice(at + 2) };
}

function isAddress(name: string, argument: Argument, before: Argument | undefined): boolean {
  const text = filled(argument, "?");
  if (text.length > 4_096 || notCode.test(before?.text ?? "")) return false;
  const [option = "", value] = text.startsWith("--") ? text.split("=", 2) : ["", text];
  if (value === undefined) return option === "--git" && name === "cargo";
  if (notCode.test(option)) return false;
  if (remote.test(value)) return true;
  return shorthand.has(name) && !takesValue.test(before?.text ?? "") && isShorthand(value);
}

function isShorthand(text: string): boolean {
  return /^[A-Za-z0-9][\w-]{0,60}\/[\w.-]{1,100}(?:#[\w./-]{0,100})?$/.test(text);
}

function isDownload({ text }: Argument, scene: Scene): boolean {
  return text !== null && pathsOf(text, scene).some((path) => scene.files.get(path)?.isFetched === true);
}
