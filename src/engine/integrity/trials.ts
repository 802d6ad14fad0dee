/** Measures criteria in scratch checkouts: a fresh copy for each question, made below our state folder and removed after it. */
import type { Criterion, MeasuredCriterion } from "../../core/criteria/criterion.ts";
import { steadyWords, type Trial } from "../../core/integrity/measured-rules.ts";
import type { TreeCopy } from "../../ports/history.ts";
import type { RunContext } from "../context.ts";
import { checkCriteria } from "../criteria/check.ts";
import type { Measuring } from "../criteria/measuring.ts";

/** Kinds that say the same wherever the tree lies. */
const movable: ReadonlySet<Criterion["kind"]> = new Set(["command", "file", "tests", "lint", "json", "coverage"]);
/** A command's own word alone: how many tests there must be is another question than whether those that are there hold. */
export function withoutCounts<C extends MeasuredCriterion>(criterion: C): C {
  const none = { passedAtLeast: null, newAtLeast: null, skippedAtMost: null, assertionsAtLeast: null };
  return criterion.kind === "tests" ? { ...criterion, ...none } : criterion;
}

/** Kinds that run something. */
const running: ReadonlySet<Criterion["kind"]> = new Set(["command", "tests", "lint", "coverage"]);

export function canMove(criterion: Criterion): criterion is MeasuredCriterion {
  return movable.has(criterion.kind);
}

export function isRun(criterion: Criterion): criterion is MeasuredCriterion & { readonly command: string } {
  return running.has(criterion.kind);
}

let copies = 0;

/** What `bend` does to the copy before it is measured; it gives why it could not be done. */
export type Bend = (copy: TreeCopy) => Promise<string | null>;

/**
 * Trials of criteria in a copy of a commit. Null = there can be no such copy, and nothing was measured.
 * @param bend  absent = the commit as it is
 */
export async function tryIn(
  context: Pick<RunContext, "ports" | "run">,
  measuring: Measuring,
  { commit, criteria, bend }: { readonly commit: string; readonly criteria: readonly MeasuredCriterion[]; readonly bend?: Bend },
): Promise<readonly Trial[] | null> {
  if (commit === "" || criteria.length === 0) return [];
  return inCopy(context, { commit, ...(bend === undefined ? {} : { bend }) }, async (folder) => {
    const trials: Trial[] = [];
    for (const criterion of criteria) trials.push(await tryOne(measuring, criterion, folder));
    return trials;
  });
}

/** What `work` gives of a copy of a commit, which is gone afterwards. Null = there can be no such copy. */
export async function inCopy<T>(
  { ports, run }: Pick<RunContext, "ports" | "run">,
  { commit, bend }: { readonly commit: string; readonly bend?: Bend },
  work: (folder: string) => Promise<T>,
): Promise<T | null> {
  copies += 1;
  const copied = await ports.history.copyOut(commit, `${scratchFolder(ports.stateFolder, run)}/${ports.processes.self().pid}-${copies}`);
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

/** The same, in another folder than the tree's. Nothing is counted as new there. */
export function placed({ fresh: _fresh, ...measuring }: Measuring, folder: string): Measuring {
  const { ports } = measuring;
  const workspace = { ...ports.workspace, location: { ...ports.workspace.location, top: folder } };
  return { ...measuring, ports: { ...ports, workspace }, onRan: () => undefined };
}

async function tryOne(measuring: Measuring, criterion: MeasuredCriterion, folder: string): Promise<Trial> {
  let said = "";
  const there: Measuring = {
    ...placed(measuring, folder),
    heard: (output) => {
      said += output;
    },
  };
  const [evidence] = await checkCriteria(there, [criterion], { commit: "", window: null });
  const { passed, skipped } = evidence?.figures ?? {};
  const counts = passed === undefined ? null : { passed, skipped: skipped ?? 0 };
  return { criterion: criterion.text, holds: evidence?.verdict === "holds", said: steadyWords(said, folder), counts };
}
