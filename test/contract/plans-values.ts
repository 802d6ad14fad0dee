/** Tasks and readings of plans, written short. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { plans } from "../../src/adapters/plans/plans.ts";
import type { Criterion, FileExpectation } from "../../src/core/criteria/criterion.ts";
import { taskKey } from "../../src/core/ids.ts";
import type { PlannedTask } from "../../src/core/task.ts";
import type { PlanParse } from "../../src/ports/plans.ts";

export const fixtures = [
  "check-boxes.md",
  "check-boxes-pt.md",
  "task-file.md",
  "task-file-several.md",
  "tarefas.md",
  "prd.json",
  "prd-short.json",
] as const;

export function readFixture(name: string): string {
  return readFileSync(join(import.meta.dirname, "../fixtures/plans", name), "utf8");
}

type Rest = Partial<Omit<PlannedTask, "key" | "title" | "dependsOn">> & { readonly after?: readonly string[] };

export function task(key: string, title: string, { after = [], ...rest }: Rest = {}): PlannedTask {
  const blank = { keyGiven: true, objective: "", criteria: [], context: [], priority: 1000, ticked: false };
  return { ...blank, ...rest, key: taskKey(key), title, dependsOn: after.map(taskKey) };
}

/** A task without a key of its own. */
export function unkeyed(key: string, title: string, rest: Rest = {}): PlannedTask {
  return task(key, title, { keyGiven: false, ...rest });
}

export const prose = (text: string): Criterion => ({ kind: "prose", text });
export const command = (text: string, value: string): Criterion => ({ kind: "command", text, command: value });
export const file = (text: string, path: string, needle?: string): Criterion => ({
  kind: "file",
  text,
  path,
  expect: needle === undefined ? { kind: "exists" } : { kind: "contains", needle },
});
export const absentFile = (text: string, path: string): Criterion => ({
  kind: "file",
  text,
  path,
  expect: { kind: "absent" } satisfies FileExpectation,
});

/** The tasks of a plan that must be one. */
export function tasksOf(path: string, text: string): readonly PlannedTask[] {
  const read = plans.parse(path, text);
  if (read.kind === "broken") throw new Error(`line ${read.line}: ${read.reason}`);
  return read.tasks;
}

export function broken(line: number, reason: string): PlanParse {
  return { kind: "broken", line, reason };
}
