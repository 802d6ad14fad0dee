/** Git's part of the guards: hooks are not skipped, settings that start programs are not made. */
import { type Denial, deny } from "../action.ts";
import { type Argument, known } from "../argument.ts";
import { denyProtected } from "../file-writes.ts";
import { type GitCall, type GitSetting, writtenSettings } from "../git.ts";
import { hasFlag, readOptions } from "../options.ts";
import { readFrom } from "../output.ts";
import { namesProtected } from "../protected-paths.ts";
import type { Invocation, Scene } from "../scene.ts";

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(" "));

const gitReaders = setOf(
  "diff log show status blame annotate add stage ls-files ls-tree check-ignore check-attr grep cat-file rev-parse rev-list describe commit diff-tree diff-index diff-files hash-object config help shortlog whatchanged range-diff format-patch stash push",
);
const startsPrograms =
  /^(core\.(hookspath|fsmonitor|sshcommand|gitproxy|askpass|attributesfile)|include\.path|includeif\..{1,200}\.path|diff\.external|diff\..{1,80}\.(command|textconv)|filter\..{1,80}\.(clean|smudge|process)|init\.templatedir|protocol\..{0,40}allow|core\.gitdir)$/;
const skipsHooks = setOf("commit push merge am rebase cherry-pick revert pull");

/** Denies calls of git that change hooks and settings, skip hooks, or write a file that is only to be read. */
export function judgeGitGuards(git: GitCall, invocation: Invocation, scene: Scene): Denial | null {
  const { command, args, settings } = git;
  if (git.isUnsure) return deny("unreadable/git", "a git command that is not written out", "write the command and its options out");
  const set = [...settings, ...writtenSettings(git)];
  if (set.some(isProgramSetting)) return denySetting();
  if (command === null) return null;
  if (skipsHooks.has(command) && skips(command, args)) return denySkip();
  // No one is there to edit: whatever the editor is, it is a way around the other rules.
  if (command === "config" && args.some(({ text }) => text === "-e" || text === "--edit" || text === "edit")) return denyProtected();
  if (command === "config") return writesConfigFile(git, scene) ? denyProtected() : null;
  if (command === "apply" || command === "am") return patches(git, invocation, scene) ? denyProtected() : null;
  if (gitReaders.has(command)) return null;
  return args.some((argument) => namesProtected(argument, scene)) ? denyProtected() : null;
}

function writesConfigFile(git: GitCall, scene: Scene): boolean {
  const files = git.args.filter((_, at) => /^(-f|--file)$/.test(git.args[at - 1]?.text ?? ""));
  return writtenSettings(git).length > 0 && files.some((file) => namesProtected(file, scene));
}

/** A patch names the files it writes, where its text is known. */
function patches({ args }: GitCall, { input, inputFile }: Invocation, scene: Scene): boolean {
  const texts = [input, inputFile === null ? null : readFrom(inputFile, scene), ...args.map((file) => readFrom(file, scene))];
  return texts.some((text) => {
    const names = (text?.text ?? "")
      .split("\n")
      .flatMap((line) => /^(?:\+\+\+ b|--- a|rename to |rename from )\/?(\S.{0,400})/.exec(line)?.[1] ?? []);
    return names.some((name) => namesProtected(known(name.trim()), scene));
  });
}

function isProgramSetting({ key, value }: GitSetting): boolean {
  if (key === "core.fsmonitor" && /^(true|false|0|1)$/.test(value.text ?? "")) return false;
  return startsPrograms.test(key);
}

function skips(command: string, args: readonly Argument[]): boolean {
  const options = readOptions(args, {
    short: command === "commit" ? "mFCct" : "mXso",
    long: ["--message", "--file", "--author", "--date"],
  });
  return (
    options.flags.some(({ name }) => name.startsWith("--no-v") && "--no-verify".startsWith(name)) ||
    (command === "commit" && hasFlag(options, "-n"))
  );
}

function denySetting(): Denial {
  return deny(
    "guard-and-contract/git-setting",
    "a git setting that changes hooks or starts programs",
    "leave git's settings as they are, or ask the person",
  );
}

function denySkip(): Denial {
  return deny("guard-and-contract/no-verify", "git without its hooks", "let the hooks run, and mend what they complain about");
}
