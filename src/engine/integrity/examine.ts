/**
 * Looks for what speaks against a claim whose criteria hold: reads the change, measures in copies what only measuring can tell, and gives findings.
 * It decides nothing: the rules are core's. What cannot be read or measured is no finding against anybody.
 */
import type { Evidence } from "../../core/evidence.ts";
import { type Change, namesFile, wordsOf } from "../../core/integrity/change.ts";
import { judgeChange } from "../../core/integrity/change-rules.ts";
import { isBentCheck, isProduct } from "../../core/integrity/checks.ts";
import { judgeWords } from "../../core/integrity/comments.ts";
import { type Finding, refuse, refuses, remark } from "../../core/integrity/finding.ts";
import {
  judgeBent,
  judgeCounts,
  judgeFailures,
  judgeHidden,
  judgeHollow,
  judgeWorth,
  type Trial,
  unmeasured,
} from "../../core/integrity/measured-rules.ts";
import { nameOf } from "../../core/integrity/module-paths.ts";
import { oldTests } from "../../core/integrity/old-tests.ts";
import { asksForProduct } from "../../core/integrity/promised.ts";
import { looksOnly, reachOf } from "../../core/integrity/reach.ts";
import { changedData, dataOfTests } from "../../core/integrity/test-data.ts";
import { isTestFile } from "../../core/integrity/test-files.ts";
import { areChecksAlone, judgeUntouched, type Untouched } from "../../core/integrity/untouched.ts";
import type { Task } from "../../core/task.ts";
import type { RunContext } from "../context.ts";
import type { Measuring } from "../criteria/measuring.ts";
import { type ClaimedCommit, readClaimChange } from "./claim-change.ts";
import { hollowSubjects } from "./hollow.ts";
import { examineSources } from "./sources.ts";
import { isSource, readScripts, readSourceTree } from "./tree-texts.ts";
import { canMove, isRun, type RunCriterion, runIn, tryIn } from "./trials.ts";

export interface ClaimedTree extends ClaimedCommit {
  readonly task: Task;
  readonly evidence: readonly Evidence[];
}

export async function examineClaim(
  context: RunContext,
  measuring: Measuring,
  { task, commit, started, evidence }: ClaimedTree,
): Promise<readonly Finding[]> {
  const { ports, settings } = context;
  if (settings.integrity === "off" || commit === "") return [];
  const criteria = task.criteria.filter(isRun).filter(({ command }) => !looksOnly(command));
  const change = await readClaimChange(context, { commit, started });
  if (change === null) return [];
  const { base, last, changes, changedSinceBase } = change;
  const paths = criteria.length > 0 || changes.some(isSource) || asksForProduct([], wordsOf(task)) ? await ports.history.paths(commit) : [];
  if (paths === null) return [];
  const textAt = await readScripts(context, criteria.length > 0 ? paths : []);
  const reach = new Set(criteria.flatMap(({ command }) => reachOf(command, paths, textAt)));
  const facts = {
    changes,
    changedSinceBase,
    task,
    reach,
    protect: settings.protect,
    settings: change.settings,
    hasLint: criteria.some(({ kind, text }) => kind === "lint" || /\blint/i.test(text)),
  };
  const found = [
    ...judgeFailures(evidence),
    ...judgeChange(facts),
    ...judgeWords(changes, task, task.criteria),
    ...(await examineSources(context, { task, changes, paths, reach, evidence })),
  ];
  if (found.some(refuses)) return weighed(found, settings.integrity);
  const measured = await measureClaim({ context, measuring, task, commit, base, last, changes, paths, reach, criteria });
  // What was cut short speaks neither for the claim nor against it.
  return weighed([...found, ...(measuring.stop.isSaid() ? [stopped] : measured)], settings.integrity);
}

function weighed(findings: readonly Finding[], integrity: RunContext["settings"]["integrity"]): readonly Finding[] {
  return integrity === "refuse" ? findings : findings.map((one) => ({ ...one, weight: "remark" }));
}

interface Measure {
  readonly context: RunContext;
  readonly measuring: Measuring;
  readonly task: Task;
  readonly commit: string;
  readonly base: string;
  readonly last: string;
  readonly changes: readonly Change[];
  readonly paths: readonly string[];
  readonly reach: ReadonlySet<string>;
  readonly criteria: readonly RunCriterion[];
}

async function measureClaim(measure: Measure): Promise<readonly Finding[]> {
  const { context, measuring, commit, criteria } = measure;
  const worth = await measureWorth(measure);
  const weak = weakened(measure);
  const old = oldTests(measure.changes, measure.task).map(({ path }) => path);
  const tests = measure.changes.filter(({ path, kind }) => kind !== "removed" && isTestFile(path));
  const touched = measure.changes.filter(({ path }) => !isProduct(path)).length;
  const hidden = criteria.length === 0 ? [] : await context.ports.history.hidden();
  if (criteria.length === 0 || weak.length + old.length + tests.length + touched + hidden.length === 0) return worth;
  const until = context.ports.clock.monotonicMs() + context.settings.limits.criterionMs;
  const own = await runIn(context, measuring, { commit, criteria });
  if (own === null) return [...worth, noCopy];
  const found = [...worth, ...unmeasured(own), ...judgeHidden(own, hidden)];
  // What tells most first: a suite of many minutes is not run six times.
  const steps = [
    () => measureBent(measure, own, weak, "criterion-weakened"),
    () => measureBent(measure, own, old, "old-tests-fail"),
    () => measureBefore(measure, own, tests),
  ];
  for (const step of steps) {
    if (context.ports.clock.monotonicMs() > until) return [...found, outOfTime];
    found.push(...(await step()));
  }
  return found;
}

const stopped = refuse("unmeasured", null, null, "a person said stop before all was measured: claim it again");
const noCopy = remark(
  ...(["unmeasured", null, null] as const),
  "there is no room for a copy of the tree, or git cannot make one: nothing was measured in one",
);
const outOfTime = remark("unmeasured", null, null, "the time of one criterion was over before all was measured");

/** Beside the last accepted claim's tree. */
async function measureBefore(measure: Measure, own: readonly Trial[], tests: readonly Change[]): Promise<readonly Finding[]> {
  const { context, measuring, last, changes, task, criteria } = measure;
  const before = (await runIn(context, measuring, { commit: last, criteria })) ?? [];
  const mayBeChecks = areChecksAlone(changes, new Set(changedData(changes)));
  return [
    ...judgeCounts(own, before, isExcused(measure)),
    ...(mayBeChecks
      ? judgeUntouched({ changes, task, before, own, failedAtBase: failedAtBase(measure), ...(await readProduct(measure)) })
      : []),
    ...(await measureHollow(measure, { own, before }, tests)),
  ];
}

/** Each criterion of the task on the base, once for a run; with them those of all tasks that cost no run of anything. */
async function measureWorth({ context, measuring, task, base }: Measure): Promise<readonly Finding[]> {
  const known = context.beginning.held;
  const own = task.criteria.filter(canMove).filter(({ text }) => !known.has(text));
  if (own.length > 0) {
    const all = await context.ports.store.tasks(context.run);
    const cheap = all.flatMap(({ criteria }) => criteria.filter(canMove).filter((one) => !isRun(one) && !known.has(one.text)));
    const trials = await tryIn(context, measuring, {
      commit: base,
      criteria: [...new Map([...own, ...cheap].map((one) => [one.text, one])).values()],
    });
    for (const { criterion, holds } of trials ?? []) known.set(criterion, holds);
  }
  return judgeWorth(task.criteria.filter(canMove).flatMap(({ text }) => ({ criterion: text, holds: known.get(text) === true })));
}

/** What the criteria run, and was changed or taken away. */
function weakened({ changes, reach, task, criteria }: Measure): readonly string[] {
  const commands = criteria.map(({ command }) => command);
  return changes
    .filter((change) => reach.has(change.path) && isBentCheck(change, commands) && (change.after === null || !namesFile(task, change.path)))
    .map(({ path }) => path);
}

async function measureBent(
  { context, measuring, commit, last, criteria }: Measure,
  own: readonly Trial[],
  paths: readonly string[],
  rule: "criterion-weakened" | "old-tests-fail",
): Promise<readonly Finding[]> {
  if (paths.length === 0) return [];
  const bent = await runIn(context, measuring, { commit, criteria, bend: (copy) => copy.put(last, paths) });
  return bent === null ? [] : judgeBent(own, bent, paths, rule);
}

function failedAtBase({ context, task }: Measure): ReadonlySet<string> {
  return new Set(task.criteria.map(({ text }) => text).filter((text) => context.beginning.held.get(text) === false));
}

/** Names of functions, and of files without their endings; and what of the changed data only tests read. */
async function readProduct({ context, paths, changes }: Measure): Promise<Pick<Untouched, "productNames" | "testData">> {
  const data = changedData(changes);
  const product = paths.filter(isProduct);
  const { facts, texts, isWhole } = await readSourceTree(context, data.length === 0 ? product : paths);
  const functions = product.flatMap((path) => facts.get(path)?.functions.map(({ name }) => name.split(".").at(-1) ?? name) ?? []);
  const literals = (ofTests: boolean) =>
    new Set([...facts].flatMap(([path, one]) => (isTestFile(path) === ofTests ? [...one.literals] : [])));
  const readers = { tests: literals(true), product: literals(false), texts };
  return { productNames: new Set([...functions, ...product.map(nameOf)]), testData: isWhole ? dataOfTests(data, readers) : new Set() };
}

/** Fewer tests are no loss where what they tested went too, or the task speaks of them. */
function isExcused({ changes, task }: Measure): boolean {
  return changes.some(({ path, kind }) => (kind === "removed" && !isTestFile(path)) || (isTestFile(path) && namesFile(task, path)));
}

async function measureHollow(
  measure: Measure,
  { own, before }: { readonly own: readonly Trial[]; readonly before: readonly Trial[] },
  tests: readonly Change[],
): Promise<readonly Finding[]> {
  const { context, measuring, commit, criteria } = measure;
  if (tests.length === 0) return [];
  const hollow = await hollowSubjects(context, measure, tests);
  if (hollow.size === 0) return [];
  const without = await runIn(context, measuring, {
    commit,
    criteria,
    bend: (copy) =>
      copy.put(
        "",
        tests.map(({ path }) => path),
      ),
  });
  const over = await runIn(context, measuring, {
    ...{ commit, criteria },
    async bend(copy) {
      for (const [path, text] of hollow) {
        const failure = await copy.write(path, text);
        if (failure !== null) return failure;
      }
      return null;
    },
  });
  return without === null || over === null ? [] : judgeHollow({ own, before, without, over }, tests);
}
