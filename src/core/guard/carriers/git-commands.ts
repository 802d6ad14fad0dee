/** Commands that git runs for others: aliases, programs named in its settings, `bisect run`, `rebase --exec`, `submodule foreach`, filters. */
import { type Denial, denyUnread } from "../action.ts";
import { type Argument, known } from "../argument.ts";
import { joinFields } from "../expand.ts";
import { type GitCall, type GitSetting, gitCallOf, gitCommands, writtenSettings } from "../git.ts";
import { readOptions, valuesOfFlag } from "../options.ts";
import { firstDenial, type Invocation, pathsOf, type Scene } from "../scene.ts";
import { judgeScriptText } from "./scripts.ts";

const programKeys =
  /^(core\.(editor|pager)|sequence\.editor|pager\..{1,80}|credential\.(.{1,200}\.)?helper|gpg\.(.{1,40}\.)?program|(merge|diff|man|browser)tool?\..{1,80}\.(cmd|driver|path)|trailer\..{1,80}\.(cmd|command)|interactive\.difffilter|sendemail\..{1,80}cmd)$/;
/** Variables whose value git, or a pager behind it, runs. */
const programVariables = [
  "GIT_EDITOR",
  "GIT_SEQUENCE_EDITOR",
  "GIT_PAGER",
  "GIT_SSH_COMMAND",
  "GIT_SSH",
  "GIT_EXTERNAL_DIFF",
  "GIT_ASKPASS",
  "SSH_ASKPASS",
  "EDITOR",
  "VISUAL",
  "PAGER",
];

/** Judges what git, or a program that asks the same variables, would run. */
export function judgeGitCarrier(invocation: Invocation, scene: Scene): Denial | null {
  const byVariable = firstDenial(programVariables, (name) => {
    const value = invocation.environment.get(name);
    return value === undefined ? null : judgeScriptText(value, null, scene);
  });
  if (byVariable !== null) return byVariable;
  const git = gitCallOf(invocation);
  if (git === null) return null;
  noteFolders(git, scene);
  const settings = [...git.settings, ...writtenSettings(git)];
  return firstDenial(settings, (setting) => judgeSetting(setting, scene)) ?? judgeAlias(git, invocation, scene) ?? judgeInner(git, scene);
}

function noteFolders({ folders }: GitCall, scene: Scene): void {
  for (const { text } of folders)
    for (const path of text === null ? [] : pathsOf(text, scene)) if (scene.folders.size < 16) scene.folders.add(path);
}

function judgeSetting({ key, value }: GitSetting, scene: Scene): Denial | null {
  if (key.startsWith("alias.")) {
    const { text } = value;
    if (text === null) return denyUnread("an alias that is not written out");
    return judgeScriptText(known(text.startsWith("!") ? text.slice(1) : `git ${text}`), null, scene);
  }
  if (!programKeys.test(key)) return null;
  const text = value.text?.startsWith("!") === true ? known(value.text.slice(1)) : value;
  return key.includes("helper") && value.text?.startsWith("!") !== true ? null : judgeScriptText(text, null, scene);
}

/** A command that git does not bring is an alias, or a program of the person's; an alias that was not looked up is not run. */
function judgeAlias({ command, args, settings }: GitCall, invocation: Invocation, scene: Scene): Denial | null {
  if (command === null || gitCommands.has(command)) return null;
  const { gitAliases } = scene.context;
  const set = settings.find(({ key }) => key === `alias.${command.toLowerCase()}`)?.value.text;
  const value = set ?? gitAliases?.get(command) ?? gitAliases?.get(command.toLowerCase());
  if (value === undefined || value === null) return gitAliases === null ? denyUnread("a git alias that is not known") : null;
  const inner = { ...scene, depth: scene.depth + 1 };
  if (value.startsWith("!"))
    return judgeScriptText(known(`${value.slice(1)} "$@"`), invocation.input, { ...inner, positional: [known("sh"), ...args] });
  const words = value.split(/\s+/).filter((word) => word !== "");
  return scene.judge.words([known("git"), ...words.map((word) => known(word)), ...args], invocation, inner);
}

function judgeInner({ command, args }: GitCall, scene: Scene): Denial | null {
  const inner = { ...scene, depth: scene.depth + 1 };
  const like = { input: null, inputFile: null, environment: new Map<string, Argument>() };
  const [first, ...others] = args;
  if (command === "bisect" && first?.text === "run") return scene.judge.words(others, like, inner);
  if (command === "submodule") {
    const at = args.findIndex(({ text }) => text === "foreach");
    const rest = args.slice(at + 1).filter(({ text }) => text !== "--recursive" && text !== "-q" && text !== "--quiet");
    return at === -1 || rest.length === 0 ? null : judgeScriptText(joinFields(rest, " "), null, scene);
  }
  const options = readOptions(args, {
    short: "x",
    long: ["--exec", "--tree-filter", "--index-filter", "--msg-filter", "--env-filter", "--commit-filter", "--extcmd"],
  });
  const scripts =
    command === "rebase" || command === "filter-branch" || command === "difftool" ? valuesOfFlag(options, "-x", "--exec", "--extcmd") : [];
  const filters =
    command === "filter-branch"
      ? options.flags.flatMap(({ name, value }) => (name.endsWith("-filter") && value !== null ? [value] : []))
      : [];
  return firstDenial([...scripts, ...filters], (script) => judgeScriptText(script, null, scene));
}
