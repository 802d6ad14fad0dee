/**
 * Drafts become tasks: every task gets its key, and every name a task. What must hold afterwards: keys are unique in any case,
 * each dependency is in the list, and no task waits for itself, however long the way round.
 */
import { type TaskKey, taskKey } from "../../core/ids.ts";
import { findCycle } from "../../core/plan-order.ts";
import type { PlannedTask } from "../../core/task.ts";
import { keyMaker, nameOf } from "../../core/task-key.ts";
import type { Draft } from "./draft.ts";
import { type Findings, formatSize, lineAt, maxTaskBytes, maxTroubles } from "./plan-text.ts";

/** One task a draft, in the same order. With a fault in the findings they are of no use. */
export function linkDrafts(text: string, drafts: readonly Draft[], findings: Findings): readonly PlannedTask[] {
  const keys = keysOf(text, drafts, findings);
  const byName = new Map(keys.map((key) => [nameOf(key), key]));
  const tasks = drafts.map((draft, index): PlannedTask => {
    const key = keys[index] ?? taskKey("");
    refuseSize(text, draft, key, findings);
    return {
      key,
      keyGiven: draft.givenKey !== null,
      title: draft.title,
      objective: draft.objective,
      criteria: draft.criteria,
      context: draft.context,
      ...(draft.allows.length === 0 ? {} : { allows: draft.allows }),
      dependsOn: dependenciesOf(draft, key, byName, findings),
      priority: draft.priority,
      ticked: draft.ticked,
    };
  });
  const cycle = findCycle(tasks);
  const start = drafts[tasks.findIndex((task) => task.key === cycle[0])];
  if (start !== undefined) findings.faults.push({ at: start.at, reason: `tasks wait for each other: ${cycle.join(" -> ")}` });
  return tasks;
}

function keysOf(text: string, drafts: readonly Draft[], findings: Findings): readonly TaskKey[] {
  const taken = new Map<string, Draft>();
  for (const draft of drafts) {
    if (draft.givenKey === null) continue;
    const first = taken.get(nameOf(draft.givenKey));
    if (first === undefined) taken.set(nameOf(draft.givenKey), draft);
    else if (findings.faults.length < maxTroubles)
      findings.faults.push({ at: draft.at, reason: `the key ${draft.givenKey} stands twice: first in line ${lineAt(text, first.at)}` });
  }
  const nextKey = keyMaker(taken.keys());
  return drafts.map(({ givenKey }) => (givenKey === null ? nextKey() : taskKey(givenKey)));
}

function dependenciesOf(draft: Draft, key: TaskKey, byName: ReadonlyMap<string, TaskKey>, findings: Findings): readonly TaskKey[] {
  const found = new Set<TaskKey>();
  for (const { name, at } of draft.after) {
    const target = byName.get(nameOf(name));
    if (target !== undefined) found.add(target);
    else findings.faults.push({ at, reason: `${key} waits for ${name.slice(0, 80)}, which is not in the list` });
  }
  return [...found];
}

function refuseSize(text: string, draft: Draft, key: TaskKey, findings: Findings): void {
  if ((draft.end - draft.at) * 3 <= maxTaskBytes) return;
  const bytes = Buffer.byteLength(text.slice(draft.at, draft.end));
  if (bytes > maxTaskBytes)
    findings.faults.push({
      at: draft.at,
      reason: `${key} has ${formatSize(bytes)} of text; ${formatSize(maxTaskBytes)} is the limit for a task`,
    });
}
