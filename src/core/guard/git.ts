/** The command line of git: its own options, the command, and what belongs to the command. */
import { type Argument, headOf, known } from "./argument.ts";
import type { Invocation } from "./scene.ts";

export interface GitSetting {
  /** Lower case, such as `core.hookspath`. */
  readonly key: string;
  readonly value: Argument;
}

export interface GitCall {
  /** What `-c` and its kin set for this call. */
  readonly settings: readonly GitSetting[];
  /** Where `-C`, `--git-dir` and `--work-tree` point. */
  readonly folders: readonly Argument[];
  /** Null where git is only asked for help, or where it is not known. */
  readonly command: string | null;
  readonly args: readonly Argument[];
  /** The command, or an option in front of it, is not known. */
  readonly isUnsure: boolean;
}

const withValue = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--super-prefix",
  "--config-env",
  "--attr-source",
  "--exec-path",
]);

/** Reads a call of git; null when the command is another. */
export function gitCallOf({ name, args }: Pick<Invocation, "name" | "args">): GitCall | null {
  if (name.startsWith("git-")) return { settings: [], folders: [], command: name.slice(4), args, isUnsure: false };
  if (name !== "git" && name !== "hub") return null;
  const settings: GitSetting[] = [];
  const folders: Argument[] = [];
  let hasOtherPrograms = false;
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at];
    const text = argument?.text ?? null;
    if (argument === undefined || text === null) {
      const read = argument === undefined ? null : splitSetting(argument);
      if (argument !== undefined && read === null) return { settings, folders, command: null, args: args.slice(at + 1), isUnsure: true };
      continue;
    }
    if (!text.startsWith("-")) return { settings, folders, command: text, args: args.slice(at + 1), isUnsure: hasOtherPrograms };
    const [option = "", glued] = text.startsWith("--") ? splitOnce(text, "=") : [text];
    // Git then takes its commands from there.
    if (option === "--exec-path" && glued !== undefined) hasOtherPrograms = true;
    const value = glued !== undefined ? known(glued) : withValue.has(option) ? args[at + 1] : undefined;
    if (glued === undefined && value !== undefined && option !== "--exec-path") at += 1;
    if (value === undefined) continue;
    if (option === "-c" || option === "--config-env") settings.push(settingOf(value, option === "-c"));
    else if (option !== "--exec-path") folders.push(value);
  }
  return { settings, folders, command: null, args: [], isUnsure: false };
}

function splitSetting(argument: Argument): GitSetting | null {
  return headOf(argument).startsWith("--") ? settingOf(argument, false) : null;
}

/** `key=value`; without a value it is true. `--config-env` takes the value from the environment, so it may be anything. */
export function settingOf(argument: Argument, isKnown = true): GitSetting {
  const [key = "", value] = splitOnce(headOf(argument), "=");
  const isWhole = isKnown && argument.text !== null;
  return { key: key.toLowerCase(), value: isWhole ? known(value ?? "true") : { ...argument, pieces: [{ gap: "anything" }], text: null } };
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** The settings that a call of `git config` writes, or those that `git clone` and `git init` start with. */
export function writtenSettings({ command, args }: GitCall): readonly GitSetting[] {
  if (command === "clone" || command === "init") return startSettings(args);
  if (command !== "config") return [];
  const texts = args.map(({ text }) => text ?? "");
  if (texts.some((text) => /^(--get|--list|-l|--get-.*|get|list)$/.test(text))) return [];
  const operands = withoutOptions(args, new Set(["-f", "--file", "--blob", "--type", "--default", "--comment", "--value"]));
  const [first] = operands;
  const named = ["set", "unset", "rename-section", "remove-section", "edit"].includes(first?.text ?? "") ? operands.slice(1) : operands;
  const [key, value] = named;
  const removes = texts.some((text) => /^(--unset.*|unset|--remove-section|remove-section|--rename-section|rename-section)$/.test(text));
  if (key === undefined || (value === undefined && !removes)) return [];
  return [{ key: headOf(key).toLowerCase(), value: value ?? known("") }];
}

function startSettings(args: readonly Argument[]): readonly GitSetting[] {
  return args.flatMap((argument, at) => {
    const before = args[at - 1]?.text;
    if (before === "-c" || before === "--config") return [settingOf(argument)];
    const head = headOf(argument);
    if (head.startsWith("--template")) return [{ key: "init.templatedir", value: argument }];
    return head.startsWith("--config=") ? [settingOf({ ...argument, ...known(head.slice("--config=".length)) })] : [];
  });
}

function withoutOptions(args: readonly Argument[], valued: ReadonlySet<string>): readonly Argument[] {
  return args.filter((argument, at) => !headOf(argument).startsWith("-") && !valued.has(args[at - 1]?.text ?? ""));
}

/** The commands that git brings itself, and those of well-known extensions. */
export const gitCommands: ReadonlySet<string> = new Set(
  (
    "add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout checkout-index cherry " +
    "cherry-pick citool clean clone column commit commit-graph commit-tree config count-objects credential credential-cache credential-store daemon describe diagnose diff " +
    "diff-files diff-index diff-pairs diff-tree difftool fast-export fast-import fetch fetch-pack filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch fsck " +
    "gc get-tar-commit-id gitk grep gui hash-object help hook http-backend http-fetch http-push imap-send index-pack init init-db instaweb interpret-trailers lfs log " +
    "ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-one-file merge-tree mergetool mktag mktree multi-pack-index mv " +
    "name-rev notes p4 pack-objects pack-redundant pack-refs patch-id prune prune-packed pull push quiltimport range-diff read-tree rebase receive-pack reflog refs remote " +
    "repack replace replay request-pull rerere reset restore rev-list rev-parse revert rm scalar send-email send-pack shell shortlog show show-branch show-index show-ref " +
    "sparse-checkout stage stash status stripspace submodule subtree svn switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info " +
    "upload-archive upload-pack var verify-commit verify-pack verify-tag version web--browse whatchanged worktree write-tree absorb filter-repo flow annex crypt secret town"
  ).split(" "),
);

/** Those of them that some versions, or only extensions, bring: elsewhere an alias may have the name. */
export const lateGitCommands: ReadonlySet<string> = new Set(
  (
    "absorb annex citool crypt diagnose diff-pairs filter-repo flow for-each-repo gitk gui hook instaweb lfs maintenance merge-tree p4 refs replay scalar secret " +
    "send-email sparse-checkout subtree svn town"
  ).split(" "),
);
