/** Judges one command: each family of harm looks at it, then whatever it carries inside is judged the same way. */
import { type Denial, denyUnread } from "./action.ts";
import { type Argument, filled, known, tailOf } from "./argument.ts";
import { judgeCode } from "./carriers/code.ts";
import { judgeGitCarrier } from "./carriers/git-commands.ts";
import { judgeLauncher } from "./carriers/launchers.ts";
import { judgeRunner } from "./carriers/runners.ts";
import { judgeProjectScript, judgeScriptFile } from "./carriers/script-files.ts";
import { judgeFind, judgeXargs } from "./carriers/searches.ts";
import { judgeShell } from "./carriers/shells.ts";
import { judgeWrapper } from "./carriers/wrappers.ts";
import { judgeDataOut } from "./families/data-out.ts";
import { judgeDeletedTrees } from "./families/delete-trees.ts";
import { judgeEndOfLoop } from "./families/end-of-loop.ts";
import { judgeFetchAndRun } from "./families/fetch-and-run.ts";
import { judgeForcePush } from "./families/force-push.ts";
import { judgeGuardAndContract } from "./families/guard-and-contract.ts";
import { judgePolicy } from "./families/policy.ts";
import { judgeSecretsInCommits } from "./families/secrets-in-commits.ts";
import { noteFiles } from "./file-writes.ts";
import { grantsFor, isGrantable, neededGrant } from "./grants.ts";
import { findKey } from "./key-shapes.ts";
import { baseName } from "./paths.ts";
import { formatGrant } from "./policy.ts";
import { type Invocation, mostFolders, pathsOf, type Scene, type TracedCommand } from "./scene.ts";
import type { Command } from "./shell-tree.ts";

type Rule = (invocation: Invocation, scene: Scene) => Denial | null;

/** The order is the order of reasons: where two would deny, the first one speaks. */
const rules: readonly Rule[] = [
  judgePolicy,
  judgeDeletedTrees,
  judgeForcePush,
  judgeFetchAndRun,
  judgeSecretsInCommits,
  judgeEndOfLoop,
  judgeGuardAndContract,
  judgeDataOut,
  judgeWrapper,
  judgeShell,
  judgeFind,
  judgeXargs,
  judgeGitCarrier,
  judgeRunner,
  judgeCode,
  judgeScriptFile,
  judgeProjectScript,
  judgeLauncher,
];

type JudgeFunction = (bodies: readonly Command[], args: readonly Argument[], input: Argument | null, scene: Scene) => Denial | null;

/** Judges one command line whose name is still to be read. */
export function judgeInvocation(line: Omit<Invocation, "name">, scene: Scene, judgeFunction: JudgeFunction): Denial | null {
  // Every rule looks at every argument, and a carrier at every ending of them.
  scene.budget.steps -= 1 + line.args.length;
  if (scene.budget.steps < 0) return denyUnread("the command is too large to judge");
  if (scene.depth > 24) return denyUnread("commands nested too deeply");
  const name = nameOf(line.program);
  if (name === null) return denyUnread("the name of the command is computed");
  const invocation = { ...line, name };
  const bodies = scene.functions.get(line.program.text ?? "") ?? [];
  const denial = judgeFunction(bodies, line.args, line.input, scene) ?? judgeByRules(invocation, scene);
  changeFolder(invocation, scene);
  noteFiles(invocation, scene);
  return denial;
}

/** What a rule denies of this very command may be granted; what it carries inside was judged as a command of its own. */
function judgeByRules(invocation: Invocation, scene: Scene): Denial | null {
  const traced = noteCommand(invocation, scene);
  for (const [at, rule] of rules.entries()) {
    const denial = rule(invocation, scene);
    if (denial === null) continue;
    if (denial.command !== undefined) return denial;
    if (traced !== null) traced.rule = denial.rule;
    const grants = grantsFor(denial, invocation, scene).map((grant) => `${formatGrant(grant)} (${grant.by})`);
    if (grants.length === 0) return named(denial, rules.slice(at + 1), invocation, scene);
    for (const grant of grants) scene.granted.add(grant);
    if (traced !== null) traced.grant = grants.join(", ");
  }
  return null;
}

/** With what a person could write for it; what a later rule denies for good nobody can grant. */
function named(denial: Denial, later: readonly Rule[], invocation: Invocation, scene: Scene): Denial {
  const others = isGrantable(denial) ? later.map((rule) => rule(invocation, scene)) : [];
  const isOpen = isGrantable(denial) && others.every((other) => other === null || isGrantable(other));
  const needed = isOpen ? neededGrant(denial, invocation, scene) : null;
  const needs = needed === null ? null : formatGrant(needed);
  return { ...denial, command: wordsOf(invocation), ...(needs === null || findKey(needs) !== null ? {} : { needs }) };
}

const mostTraced = 200;

function noteCommand(invocation: Invocation, { trace, depth }: Scene): TracedCommand | null {
  if (trace === null) return null;
  const words = wordsOf(invocation);
  const before = trace.commands.find((one) => one.words === words && one.depth === depth);
  if (before !== undefined) return before; // judged once more, since something was found out
  const traced = { words, depth, rule: null, grant: null };
  if (trace.commands.length < mostTraced) trace.commands.push(traced);
  return traced;
}

/** For people: what is not known is shown as a gap, and no key is. */
function wordsOf({ name, program, args }: Invocation): string {
  const words = [program, ...args].slice(0, 40).map((word) => filled(word, "…").slice(0, 200));
  const text = words.join(" ").slice(0, 400);
  return findKey(text) === null ? text : `${name} …`;
}

/** The last part of the program's path, in lower case; null where it is not known. */
function nameOf(program: Argument): string | null {
  if (program.hasGlob) return null;
  const text = program.text ?? (tailOf(program).includes("/") ? tailOf(program) : null);
  if (text === null) return null;
  const name = baseName(text).toLowerCase().trim();
  const bare = name.startsWith("=") ? name.slice(1) : name;
  return bare.endsWith(".exe") ? bare.slice(0, -4) : bare;
}

function changeFolder({ name, args, program }: Invocation, scene: Scene): void {
  if (name !== "cd" && name !== "pushd" && name !== "chdir") return;
  const [target] = args.filter(({ text }) => text === null || !/^-[LPe@]*$/.test(text) || text === "-");
  if (target?.text === "-" || target?.text?.startsWith("+") === true) return;
  if (target !== undefined && target.text === null) {
    scene.folders.add(null);
    return;
  }
  if (scene.folders.has(null) && scene.folders.size > mostFolders) return;
  const goal = target ?? known(scene.context.home);
  const paths = pathsOf(goal.text ?? program.text ?? "", scene);
  for (const path of paths) if (scene.folders.size < mostFolders) scene.folders.add(path);
  if (scene.folders.size >= mostFolders) scene.folders.add(null);
}
