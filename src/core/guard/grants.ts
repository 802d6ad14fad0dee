/**
 * Whether a grant of the person's covers what a rule has just denied. Only what one command does by itself can be granted, written out and known: never what it carries inside,
 * never settings, hooks, config and state, never the run itself.
 */
import type { Denial, RuleName } from "./action.ts";
import { type Argument, headOf } from "./argument.ts";
import { gitCallOf } from "./git.ts";
import { hasFlag, readOptions } from "./options.ts";
import { isWithin, resolvePath } from "./paths.ts";
import { commandWords, type Grant, matchesWord } from "./policy.ts";
import { type Invocation, pathsOf, type Scene } from "./scene.ts";

/** What a person may let pass. */
const grantable: ReadonlySet<RuleName> = new Set<RuleName>([
  "delete-trees/rm",
  "delete-trees/rm-names",
  "delete-trees/remover",
  "delete-trees/rmdir",
  "delete-trees/find",
  "delete-trees/for-each",
  "delete-trees/git-clean",
  "delete-trees/git-rm",
  "delete-trees/rsync",
  "force-push/push",
  "force-push/refspec",
  "force-push/forge",
  "force-push/api",
  "fetch-and-run/address",
  "fetch-and-run/download",
  "secrets-in-commits/add-ignored",
  "end-of-loop/kill-by-name",
  "end-of-loop/service",
  "end-of-loop/session",
  "data-out/publish",
  "data-out/remote",
  "data-out/send",
  "data-out/mail",
]);

/** The grants that cover it together; empty = they do not. */
export function grantsFor({ rule }: Denial, invocation: Invocation, scene: Scene): readonly Grant[] {
  const { grants } = scene.context.policy;
  if (grants.length === 0 || !grantable.has(rule)) return [];
  const one = grants.find(({ kind, what }) => kind === "run" && isWordForWord(what, invocation));
  if (one !== undefined) return [one];
  const branches = forcedBranches(rule, invocation);
  if (branches !== null) return covering(branches, grants, (branch, { kind, what }) => kind === "force-push" && what === branch);
  const paths = rule.startsWith("delete-trees/") ? deletedPaths(invocation, scene) : null;
  return paths === null ? [] : covering(paths, grants, (path, grant) => grant.kind === "delete" && isWithin(path, placeOf(grant, scene)));
}

function placeOf({ what }: Grant, { context }: Scene): string {
  return resolvePath(context.top, what);
}

/** One grant for each thing, or none at all. */
function covering(things: readonly string[], grants: readonly Grant[], isFor: (thing: string, grant: Grant) => boolean): readonly Grant[] {
  const found = things.map((thing) => grants.find((grant) => isFor(thing, grant)) ?? null);
  return found.includes(null) ? [] : [...new Set(found.filter((grant) => grant !== null))];
}

/** Whether a person may let pass what it denies. */
export function isGrantable({ rule }: Denial): boolean {
  return grantable.has(rule);
}

/** The narrowest grant that would cover it; null = it cannot be written as one. */
export function neededGrant(denial: Denial, invocation: Invocation, scene: Scene): Pick<Grant, "kind" | "what"> | null {
  const { top } = scene.context;
  const paths = denial.family === "delete-trees" ? deletedPaths(invocation, scene) : null;
  const isPlain = (path: string) => isWithin(path, top) && path !== top && !/[*?[\],`"']/.test(path);
  if (paths?.every(isPlain)) return { kind: "delete", what: paths.map((path) => path.slice(top.length + 1)).join(", ") };
  const [branch] = forcedBranches(denial.rule, invocation) ?? [];
  if (branch !== undefined) return { kind: "force-push", what: branch };
  const words = [invocation.program, ...invocation.args].map(({ text }) => text);
  return words.some((word) => word === null || word === "" || /[\s"'\\`*?]/.test(word)) ? null : { kind: "run", what: words.join(" ") };
}

function isWordForWord(pattern: string, { program, args }: Invocation): boolean {
  const wanted = commandWords(pattern) ?? [];
  const words = [program, ...args];
  return wanted.length === words.length && words.every(({ text }, at) => text !== null && matchesWord(wanted[at] ?? "", text));
}

/** Every place that the command would delete, absolute, through links too; null where one of them is not known, or where it does more than to delete. */
function deletedPaths(invocation: Invocation, scene: Scene): readonly string[] | null {
  const targets = deletedTargets(invocation);
  if (targets === null || targets.length === 0) return null;
  const paths: string[] = [];
  for (const { text } of targets) {
    if (text === null || text === "" || (!text.startsWith("/") && scene.folders.has(null))) return null;
    paths.push(...pathsOf(text, scene));
  }
  return paths;
}

function deletedTargets(invocation: Invocation): readonly Argument[] | null {
  const { name, args } = invocation;
  const git = gitCallOf(invocation);
  if (git !== null) {
    if ((git.command !== "clean" && git.command !== "rm") || git.folders.length > 0 || git.settings.length > 0) return null;
    return plainOperands(git.args, git.command === "clean" ? "e" : "");
  }
  if (name === "find") {
    const end = args.findIndex((argument) => /^[-(!]/.test(headOf(argument)));
    const others = args.slice(end === -1 ? args.length : end);
    // Links are not followed and nothing else is started.
    return others.some(({ text }) => text === null || /^-(L|H|follow|exec|execdir|ok|okdir|fprint.*|fls)$/.test(text))
      ? null
      : args.slice(0, end);
  }
  return ["rm", "rimraf", "del", "del-cli", "trash-empty"].includes(name) ? plainOperands(args, "") : null;
}

function plainOperands(args: readonly Argument[], short: string): readonly Argument[] | null {
  const options = readOptions(args, { short });
  return options.isUnsure ? null : options.operands;
}

/** The branches of a push with force that says no more than that; null for any other. */
function forcedBranches(rule: RuleName, invocation: Invocation): readonly string[] | null {
  const git = gitCallOf(invocation);
  if (git?.command !== "push" || git.settings.length > 0 || (rule !== "force-push/push" && rule !== "force-push/refspec")) return null;
  const options = readOptions(git.args, { short: "o", long: ["--repo", "--push-option"] });
  if (hasFlag(options, "--mirror", "--prune", "-d", "--delete", "--all", "--tags", "--receive-pack", "--exec", "--branches")) return null;
  const branches = options.operands
    .slice(1)
    .map(({ text }) => /^\+?(?:[^:]+:)?(?:refs\/heads\/)?([\w][\w./-]*)$/.exec(text ?? "")?.[1] ?? null);
  return branches.length === 0 || options.isUnsure || branches.includes(null) ? null : branches.filter((branch) => branch !== null);
}
