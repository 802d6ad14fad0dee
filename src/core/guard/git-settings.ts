/**
 * What git's own settings say to the guards: its aliases, and where a push goes. They are read again for each judgement that needs them, since a window may change
 * them: an old copy must never allow. Where a push may go is what stood there when the run began.
 */
import type { Argument } from "./argument.ts";
import type { GitCall } from "./git.ts";
import { mostFolders, pathsOf, type Scene } from "./scene.ts";

export interface GitSettings {
  /** Name to command, as git keeps them: `st`, or `st.command` where the name is a subsection. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly routes: readonly GitRoute[];
  /** A command that git does not know is taken for the one most like it, and run. */
  readonly guesses: boolean;
}

/** A setting that says where a push goes, by git's key for it: `remote.origin.url`, `branch.main.pushremote`, `url.….insteadof`. */
export interface GitRoute {
  readonly key: string;
  readonly value: string;
}

/** The setting has a part in where a push goes, and how. */
export function isRouteKey(key: string): boolean {
  return /^(remote\..+\.(url|pushurl|push|mirror|receivepack|vcs)|remote\.pushdefault|url\..+\.(push)?insteadof|branch\..+\.(push)?remote)$/s.test(
    key,
  );
}

/** These lead git to other settings than those that are looked up. */
const leadsElsewhere = ["HOME", "XDG_CONFIG_HOME", "GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE"];

/** Where `-C` and its kin lead, git may run too. */
export function noteGitFolders({ folders }: GitCall, scene: Scene): void {
  for (const { text } of folders)
    for (const path of text === null ? [] : pathsOf(text, scene)) if (scene.folders.size < mostFolders) scene.folders.add(path);
  if (scene.folders.size >= mostFolders) scene.folders.add(null);
}

/**
 * The settings of git in each folder in which this may run; null stands for some that are not known. What was not looked up is noted, so that the caller
 * can look and ask again.
 */
export function gitSettingsHere(
  { folders }: Pick<GitCall, "folders">,
  environment: ReadonlyMap<string, Argument>,
  scene: Scene,
): readonly (GitSettings | null)[] {
  if (folders.some(({ text }) => text === null)) return [null];
  if (leadsElsewhere.some((name) => environment.has(name) || scene.variables.has(name))) return [null];
  return [...scene.folders].map((folder) => {
    if (folder === null) return null;
    scene.gitFolders.add(folder);
    return scene.context.gitSettingsOf(folder);
  });
}

/** Every command that an alias of this name may stand for. Git ignores case in the short form. */
export function aliasesNamed(name: string, { aliases }: GitSettings): readonly string[] {
  const names = new Set([name, name.toLowerCase(), `${name}.command`]);
  return [...names].flatMap((one) => aliases.get(one) ?? []);
}

/**
 * A push to `target` (a name or an address; null = where git thinks fit) goes where it went when the run began, and in the same way.
 * @param start  the routes of that time
 */
export function isKnownPush(target: string | null, { routes: now }: GitSettings, start: readonly GitRoute[]): boolean {
  const rewrites = now.filter(({ key }) => key.startsWith("url."));
  const targets = target === null ? usualTargets(now) : [target];
  return isPart(rewrites, start) && targets.every((one) => one === "." || isKnownName(one, now, start) || addressesOf(start).has(one));
}

function isKnownName(name: string, now: readonly GitRoute[], start: readonly GitRoute[]): boolean {
  const its = (routes: readonly GitRoute[]) => routes.filter(({ key }) => remoteOf(key) === name);
  return its(start).some(isAddress) && isPart(its(now), start);
}

/** Where a push without a target may go: what the settings name, `origin`, or the only remote there is. */
function usualTargets(now: readonly GitRoute[]): readonly string[] {
  const named = now.filter(({ key }) => key.startsWith("branch.") || key === "remote.pushdefault").map(({ value }) => value);
  const remotes = new Set(now.flatMap(({ key }) => remoteOf(key) ?? []));
  return [...named, ...(remotes.has("origin") ? ["origin"] : remotes)];
}

/** Every address that a remote had. */
export function addressesOf(routes: readonly GitRoute[]): ReadonlySet<string> {
  return new Set(routes.filter(isAddress).map(({ value }) => value));
}

/** The name is one of a remote. */
export function namesRemote(name: string, routes: readonly GitRoute[]): boolean {
  return routes.some((route) => isAddress(route) && remoteOf(route.key) === name);
}

function isAddress({ key }: GitRoute): boolean {
  return key.startsWith("remote.") && /\.(push)?url$/.test(key);
}

function remoteOf(key: string): string | null {
  return /^remote\.(.+)\.[^.]+$/s.exec(key)?.[1] ?? null;
}

function isPart(routes: readonly GitRoute[], of: readonly GitRoute[]): boolean {
  return routes.every(({ key, value }) => of.some((one) => one.key === key && one.value === value));
}

/** The words of an alias, cut as git cuts them; null where git would refuse it. */
export function splitAlias(text: string): readonly string[] | null {
  const words: string[] = [];
  let [word, isOpen, quote]: [string, boolean, string] = ["", false, ""];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? "";
    if (quote === "" && /\s/.test(letter)) {
      if (isOpen) words.push(word);
      [word, isOpen] = ["", false];
      continue;
    }
    isOpen = true;
    if (quote === "" && (letter === "'" || letter === '"')) quote = letter;
    else if (letter === quote) quote = "";
    else if (letter === "\\" && quote !== "'") {
      at += 1;
      if (at === text.length) return null;
      word += text[at] ?? "";
    } else word += letter;
  }
  if (quote !== "") return null;
  return isOpen ? [...words, word] : words;
}
