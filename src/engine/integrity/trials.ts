/** Measures criteria in copies of commits: a fresh one for each question, made below our state folder and removed after it. */
import type {
  CommandCriterion,
  CoverageCriterion,
  Criterion,
  LintCriterion,
  MeasuredCriterion,
  TestsCriterion,
} from "../../core/criteria/criterion.ts";
import { steadyWords, type Trial } from "../../core/integrity/measured-rules.ts";
import type { TreeCopy } from "../../ports/history.ts";
import type { RunContext } from "../context.ts";
import { checkCriteria } from "../criteria/check.ts";
import type { Measuring } from "../criteria/measuring.ts";
import { measureTests } from "../criteria/tests.ts";

/** Kinds that say the same wherever the tree lies. */
const movable: ReadonlySet<Criterion["kind"]> = new Set(["command", "file", "tests", "lint", "json", "coverage"]);
/** Kinds that run something. */
const running: ReadonlySet<Criterion["kind"]> = new Set(["command", "tests", "lint", "coverage"]);

export function canMove(criterion: Criterion): criterion is MeasuredCriterion {
  return movable.has(criterion.kind);
}

export type RunCriterion = CommandCriterion | TestsCriterion | LintCriterion | CoverageCriterion;

export function isRun(criterion: Criterion): criterion is RunCriterion {
  return running.has(criterion.kind);
}

/** What `bend` does to the copy before it is measured; it gives why it could not be done. */
export type Bend = (copy: TreeCopy) => Promise<string | null>;

interface Wanted<C extends Criterion> {
  /** "" = there is none: nothing is measured. */
  readonly commit: string;
  readonly criteria: readonly C[];
  readonly bend?: Bend;
}

/** Whether criteria hold in a copy of a commit, with all that their lines ask. Null = there can be no such copy, and nothing was measured. */
export function tryIn(
  context: Pick<RunContext, "ports" | "run">,
  measuring: Measuring,
  wanted: Wanted<MeasuredCriterion>,
): Promise<readonly Pick<Trial, "criterion" | "holds">[] | null> {
  return eachIn(context, wanted, (criterion, folder) => tryOne(measuring, criterion, folder));
}

/**
 * Runs of criteria in a copy of a commit, by their commands alone: how many tests there must be, and what else their lines ask, is another question than whether what
 * is there holds. Null = there can be no such copy.
 */
export function runIn(
  context: Pick<RunContext, "ports" | "run">,
  measuring: Measuring,
  wanted: Wanted<RunCriterion>,
): Promise<readonly Trial[] | null> {
  return eachIn(context, wanted, (criterion, folder) => runOne(measuring, criterion, folder));
}

async function eachIn<C extends Criterion, T>(
  context: Pick<RunContext, "ports" | "run">,
  { criteria, ...at }: Wanted<C>,
  measure: (criterion: C, folder: string) => Promise<T>,
): Promise<readonly T[] | null> {
  if (at.commit === "" || criteria.length === 0) return [];
  return inCopy(context, at, async (folder) => {
    const trials: T[] = [];
    for (const criterion of criteria) trials.push(await measure(criterion, folder));
    return trials;
  });
}

/** What `work` gives of a copy of a commit, which is gone afterwards. Null = there can be no such copy. */
export async function inCopy<T>(
  { ports, run }: Pick<RunContext, "ports" | "run">,
  { commit, bend }: { readonly commit: string; readonly bend?: Bend },
  work: (folder: string) => Promise<T>,
): Promise<T | null> {
  const copied = await ports.history.copyOut(commit, scratchFolder(ports.stateFolder, run));
  if (copied.kind === "failed") return null;
  const { copy } = copied;
  try {
    return bend !== undefined && (await bend(copy)) !== null ? null : await work(copy.folder);
  } finally {
    await copy.remove();
  }
}

export function scratchFolder(stateFolder: string, run: string): string {
  return `${stateFolder}/scratch/${run}`;
}

async function runOne(measuring: Measuring, { text, command, ...criterion }: RunCriterion, folder: string): Promise<Trial> {
  const path = criterion.kind === "tests" ? criterion.report : null;
  const measured = await measureTests(placed(measuring, folder), { command, report: path });
  const report = measured?.reading.kind === "report" ? measured.reading.report : null;
  const isGood = measured?.end.kind === "exited" && measured.end.code === 0;
  const holds = isGood && (report === null || (report.failed === 0 && report.passed > 0));
  const counts = report === null ? null : { passed: report.passed, failed: report.failed, skipped: report.skipped, names: report.names };
  const said = measured === null ? "" : steadyWords(`${measured.output}${measured.end.stderrTail}`, folder);
  return { criterion: text, holds, said, counts };
}

/** The same, in another folder than the tree's. Nothing is counted as new there. */
export function placed({ fresh: _fresh, ...measuring }: Measuring, folder: string): Measuring {
  const { ports } = measuring;
  const workspace = { ...ports.workspace, location: { ...ports.workspace.location, top: folder } };
  return { ...measuring, ports: { ...ports, workspace }, onRan: () => undefined };
}

async function tryOne(measuring: Measuring, criterion: MeasuredCriterion, folder: string): Promise<Pick<Trial, "criterion" | "holds">> {
  const [evidence] = await checkCriteria(placed(measuring, folder), [criterion], { commit: "", window: null });
  return { criterion: criterion.text, holds: evidence?.verdict === "holds" };
}
