/** Commands that take away whole trees. `rm FILE` and `rmdir` pass: what they delete is named, one by one. */
import { type Denial, deny } from "../action.ts";
import { type Argument, filled, headOf } from "../argument.ts";
import { denyDisk } from "../file-writes.ts";
import { type GitCall, gitCallOf } from "../git.ts";
import { hasFlag, readOptions } from "../options.ts";
import type { Invocation } from "../scene.ts";

const instead = "delete single files with rm FILE and empty folders with rmdir, or ask the person";
const removers = new Set(["rimraf", "del", "del-cli", "deltree", "trash-empty"]);
const wipers = new Set(["wipefs", "blkdiscard", "fdisk", "sfdisk", "parted", "cryptsetup"]);

/** Denies what removes folders with all they hold, or names that were not written out. */
export function judgeDeletedTrees(invocation: Invocation): Denial | null {
  const { name, args } = invocation;
  if (name === "rm") return judgeRm(args);
  const git = gitCallOf(invocation);
  if (git !== null) return judgeGit(git);
  if (removers.has(name)) return deny("delete-trees/remover", `${name} removes a whole tree`, instead);
  if (name === "rmdir" && args.some(({ text }) => /^\/s$/i.test(text ?? "")))
    return deny("delete-trees/rmdir", "rmdir /s removes a whole tree", instead);
  if (name === "rsync") return judgeRsync(args);
  if (name === "dd" && args.some((argument) => /^of=\/dev\/(?!null|stdout|stderr)/.test(headOf(argument)))) return denyDisk();
  if (wipers.has(name) || name.startsWith("mkfs")) return denyDisk();
  return null;
}

function judgeRm(args: readonly Argument[]): Denial | null {
  const options = readOptions(args, {});
  if (hasFlag(options, "-r", "-R", "--recursive", "--no-preserve-root"))
    return deny("delete-trees/rm", "rm -r removes a whole tree", instead);
  const isUnsure = options.isUnsure || options.operands.some((operand) => filled(operand, "{}").includes("{}") && operand.text !== null);
  if (isUnsure)
    return deny(
      "delete-trees/rm-names",
      "rm with names that are not written out",
      'write the names out, or end the options first: rm -- "$name"',
    );
  return null;
}

function judgeGit({ command, args }: GitCall): Denial | null {
  const options = readOptions(args, { short: command === "clean" ? "e" : "" });
  // Without -n it deletes, or fails: git clean takes its leave to delete also from the config.
  if (command === "clean" && !hasFlag(options, "-n", "--dry-run", "-h", "--help")) {
    return deny(
      "delete-trees/git-clean",
      "git clean deletes files that nobody can bring back",
      "look with git clean -n, then delete single files with rm FILE",
    );
  }
  const isForcedTree = command === "rm" && hasFlag(options, "-r") && hasFlag(options, "-f", "--force") && !hasFlag(options, "--cached");
  return isForcedTree
    ? deny("delete-trees/git-rm", "git rm -rf drops changes that were never committed", "use git rm -r, which refuses to lose changes")
    : null;
}

function judgeRsync(args: readonly Argument[]): Denial | null {
  const options = readOptions(args, { short: "eTBMf", long: ["--rsh", "--filter", "--exclude", "--include"] });
  const deletes = options.flags.some(({ name }) => name.startsWith("--del") || name === "--remove-source-files");
  return deletes && !hasFlag(options, "-n", "--dry-run")
    ? deny("delete-trees/rsync", "rsync --delete removes what is not in the source", instead)
    : null;
}
