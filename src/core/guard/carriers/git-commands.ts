/** Commands that git runs for others: aliases, programs named in its settings, `bisect run`, `rebase --exec`, `submodule foreach`, filters. */
import { type Denial, denyUnread } from "../action.ts";
import { type Argument, known } from "../argument.ts";
import { joinFields } from "../expand.ts";
import { type GitCall, type GitSetting, gitCallOf, gitCommands, lateGitCommands, writtenSettings } from "../git.ts";
import { aliasesNamed, gitSettingsHere, noteGitFolders, splitAlias } from "../git-settings.ts";
import { type OptionRules, readOptions, valuesOfFlag } from "../options.ts";
import { deeper, firstDenial, type Invocation, type Scene } from "../scene.ts";
import { judgeScriptText } from "./scripts.ts";

const programKeys =
  /^(core\.(editor|pager)|sequence\.editor|pager\..{1,80}|credential\.(.{1,200}\.)?helper|gpg\.(.{1,40}\.)?program|(merge|diff|man|browser)tool?\..{1,80}\.(cmd|driver|path)|trailer\..{1,80}\.(cmd|command)|interactive\.difffilter|sendemail\..{1,80}cmd)$/;
/** Judges what git would run. */
export function judgeGitCarrier(invocation: Invocation, scene: Scene): Denial | null {
  const git = gitCallOf(invocation);
  if (git === null) return null;
  noteGitFolders(git, scene);
  const settings = [...git.settings, ...writtenSettings(git)];
  return firstDenial(settings, (setting) => judgeSetting(setting, scene)) ?? judgeAlias(git, invocation, scene) ?? judgeInner(git, scene);
}

function judgeSetting({ key, value }: GitSetting, scene: Scene): Denial | null {
  if (key.startsWith("alias.")) {
    const { text } = value;
    if (text === null) return denyUnread("an alias that is not written out");
    const name = key.slice("alias.".length).replace(/\.command$/, "");
    scene.aliases.set(name, (scene.aliases.get(name) ?? new Set()).add(text));
    return judgeScriptText(known(text.startsWith("!") ? text.slice(1) : `git ${text}`), null, scene);
  }
  if (!programKeys.test(key)) return null;
  const text = value.text?.startsWith("!") === true ? known(value.text.slice(1)) : value;
  return key.includes("helper") && value.text?.startsWith("!") !== true ? null : judgeScriptText(text, null, scene);
}

/**
 * A command that git does not bring is an alias, or a program of the person's. It is judged by what it stands for in every folder where this may run; where
 * that is not known it does not run. What only some versions bring may be an alias as well.
 */
function judgeAlias(git: GitCall, invocation: Invocation, scene: Scene): Denial | null {
  const { command, args, settings } = git;
  if (command === null || (gitCommands.has(command) && !lateGitCommands.has(command))) return null;
  const own = settings.flatMap(({ key, value }) => (isAliasKey(key, command) ? (value.text ?? []) : []));
  const here = gitSettingsHere(git, invocation.environment, scene);
  const found = here.flatMap((one) => (one === null ? [] : aliasesNamed(command, one)));
  const values = new Set([...own, ...(scene.aliases.get(command.toLowerCase()) ?? []), ...found]);
  const denial = firstDenial(values, (value) => judgeExpansion(value, args, invocation, scene));
  if (denial !== null || gitCommands.has(command) || own.length > 0) return denial;
  if (here.includes(null)) return denyUnread("a git alias that is not known");
  const guesses = settings.some(({ key }) => key === "help.autocorrect") || here.some((one) => one?.guesses === true);
  return values.size === 0 && guesses ? denyUnread("a git command that git would guess at") : null;
}

function isAliasKey(key: string, command: string): boolean {
  const name = command.toLowerCase();
  return key === `alias.${name}` || key === `alias.${name}.command`;
}

function judgeExpansion(value: string, args: readonly Argument[], invocation: Invocation, scene: Scene): Denial | null {
  const inner = deeper(scene);
  if (value.startsWith("!")) {
    // Git runs it at the top of the working tree.
    scene.folders.add(scene.context.top);
    return judgeScriptText(known(`${value.slice(1)} "$@"`), invocation.input, { ...inner, positional: [known("sh"), ...args] });
  }
  const words = splitAlias(value);
  if (words === null) return denyUnread("a git alias that git cannot read");
  return scene.judge.words([known("git"), ...words.map((word) => known(word)), ...args], invocation, inner);
}

function judgeInner({ command, args }: GitCall, scene: Scene): Denial | null {
  const inner = deeper(scene);
  const like = { input: null, inputFile: null, environment: new Map<string, Argument>() };
  const [first, ...others] = args;
  if (command === "bisect" && first?.text === "run") return scene.judge.words(others, like, inner);
  if (command === "submodule") {
    const at = args.findIndex(({ text }) => text === "foreach");
    const rest = args.slice(at + 1).filter(({ text }) => text !== "--recursive" && text !== "-q" && text !== "--quiet");
    return at === -1 || rest.length === 0 ? null : judgeScriptText(joinFields(rest, " "), null, scene);
  }
  const options = readOptions(args, innerRules(command));
  const given = valuesOfFlag(options, ...scriptFlags(command));
  const filters =
    command === "filter-branch" ? options.flags.flatMap(({ name, value }) => (name.endsWith("-filter") ? (value ?? []) : [])) : [];
  return firstDenial([...given, ...filters], (script) => judgeScriptText(script, null, scene));
}

/** Which options of a command take a script, or the program at the other end. */
function scriptFlags(command: string | null): readonly string[] {
  if (command === "rebase" || command === "difftool") return ["-x", "--exec", "--extcmd"];
  if (command === "grep") return ["-O", "--open-files-in-pager"];
  if (command === "clone") return ["-u", "--upload-pack"];
  return ["fetch", "pull", "ls-remote", "fetch-pack", "archive"].includes(command ?? "") ? ["--upload-pack", "--exec"] : [];
}

function innerRules(command: string | null): OptionRules {
  const filters = [
    "--tree-filter",
    "--index-filter",
    "--msg-filter",
    "--env-filter",
    "--commit-filter",
    "--parent-filter",
    "--tag-name-filter",
  ];
  const short = command === "clone" ? "ubo" : command === "grep" ? "Oe" : "x";
  return { short, long: ["--exec", "--extcmd", "--upload-pack", ...filters] };
}
