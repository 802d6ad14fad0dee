/** Tasks that are added to a board without a file, and their words: what a person's command or list makes of those that stand there. A refusal is a value; nothing is done in part. */
import { heldBack } from "./fit.ts";
import type { TaskKey } from "./ids.ts";
import { changedWords } from "./plan-change.ts";
import { findCycle } from "./plan-order.ts";
import type { DoneBy, PlannedTask, Task } from "./task.ts";
import { keyMaker, nameOf } from "./task-key.ts";
import { noPriority } from "./task-priority.ts";

/** What a person says of a task; absent = as it is. */
export interface TaskWords extends Partial<Pick<PlannedTask, "title" | "objective" | "criteria" | "context" | "priority">> {
  /** Keys in any case. */
  readonly after?: readonly string[];
}

export type WordChange =
  | { readonly kind: "changed"; readonly task: PlannedTask; readonly changed: ReturnType<typeof changedWords> }
  | { readonly kind: "refused"; readonly reason: string };

/** @param key  null = one is made */
export function addTask(known: readonly Task[], key: TaskKey | null, words: TaskWords & { readonly title: string }): WordChange {
  const twin = key === null ? undefined : findByName(known, key);
  if (twin !== undefined) return { kind: "refused", reason: `there is a task ${twin.key} already: ${twin.title}` };
  const own = key ?? keyMaker(known.map((task) => task.key))();
  const empty = {
    key: own,
    keyGiven: true,
    title: "",
    objective: "",
    criteria: [],
    context: [],
    dependsOn: [],
    priority: noPriority,
    ticked: false,
  };
  return withWords(known, empty, words);
}

export function editTask(known: readonly Task[], key: string, words: TaskWords): WordChange {
  const task = findByName(known, key);
  return task === undefined ? { kind: "refused", reason: `there is no task ${key} on the board` } : withWords(known, task, words);
}

function withWords(known: readonly Task[], task: PlannedTask, { after, ...words }: TaskWords): WordChange {
  const needs = after?.map((name) => findByName([...known, task], name)?.key ?? name);
  const missing = needs?.find((name) => findByName([...known, task], name) === undefined);
  if (missing !== undefined) return { kind: "refused", reason: `${task.key} would wait for ${missing}, which is not on the board` };
  const next = plannedOf({ ...task, ...words, ...(needs === undefined ? {} : { dependsOn: [...new Set(needs as TaskKey[])] }) });
  const cycle = findCycle([next, ...known.filter(({ key }) => key !== task.key)]);
  if (cycle.length > 0) return { kind: "refused", reason: `tasks would wait for each other: ${cycle.join(" -> ")}` };
  return { kind: "changed", task: next, changed: changedWords(task, next) };
}

export function findByName<T extends Pick<Task, "key">>(known: readonly T[], key: string): T | undefined {
  const name = nameOf(key);
  return known.find((task) => nameOf(task.key) === name);
}

export interface ListMerge {
  /** All of the list's tasks, by the keys that they have on the board. */
  readonly tasks: readonly PlannedTask[];
  readonly added: readonly PlannedTask[];
  readonly edited: readonly { readonly task: PlannedTask; readonly changed: ReturnType<typeof changedWords> }[];
  readonly unchanged: readonly TaskKey[];
  /** Came by an earlier reading of this list and are not in it any more: they stay. */
  readonly gone: readonly TaskKey[];
  /** Their mark says done, and the board does not: states are the board's. */
  readonly ticked: readonly TaskKey[];
  /** From a key of the board to the one in the list, by which its marks are set. */
  readonly keysInList: ReadonlyMap<TaskKey, TaskKey>;
}

/**
 * A list is merged by key; a task without a key of its own by its title, else it is a new one: a key that was made by order says nothing about which task it is, and nobody's words
 * are written over on a guess.
 * @param earlier  the tasks that came by this list before
 */
export function mergeList(known: readonly Task[], list: readonly PlannedTask[], earlier: readonly TaskKey[] = []): ListMerge {
  const keys = keysOnBoard(known, list);
  const onBoard = (key: TaskKey) => keys.get(key) ?? key;
  const tasks = list.map((task) => plannedOf({ ...task, key: onBoard(task.key), keyGiven: true, dependsOn: task.dependsOn.map(onBoard) }));
  const before = new Map(known.map((task) => [task.key, task]));
  const listed = new Set(tasks.map(({ key }) => key));
  const both = tasks.flatMap((task) => {
    const was = before.get(task.key);
    return was === undefined ? [] : [{ task, was, changed: changedWords(was, task) }];
  });
  return {
    tasks,
    added: tasks.filter(({ key }) => !before.has(key)),
    edited: both.filter(({ changed }) => changed.length > 0).map(({ task, changed }) => ({ task, changed })),
    unchanged: both.filter(({ changed }) => changed.length === 0).map(({ task }) => task.key),
    gone: earlier.filter((key) => before.has(key) && !listed.has(key)),
    ticked: both.filter(({ task, was }) => task.ticked && was.state !== "done").map(({ task }) => task.key),
    keysInList: new Map([...keys].map(([inList, key]) => [key, inList])),
  };
}

/** From keys of the list to those of the board. */
function keysOnBoard(known: readonly Task[], list: readonly PlannedTask[]): ReadonlyMap<TaskKey, TaskKey> {
  const byName = new Map(known.map((task) => [nameOf(task.key), task]));
  const given = new Map(list.filter((task) => task.keyGiven).map(({ key }) => [key, byName.get(nameOf(key))?.key ?? key]));
  const taken = new Set<TaskKey>(given.values());
  const byTitle = Map.groupBy(
    known.filter(({ key }) => !taken.has(key)),
    ({ title }) => title,
  );
  const makeKey = keyMaker([...byName.keys(), ...taken]);
  return new Map(list.map(({ key, title }) => [key, given.get(key) ?? byTitle.get(title)?.shift()?.key ?? makeKey()]));
}

/** Its words in one order: what is stored is compared as text. */
function plannedOf(task: PlannedTask): PlannedTask {
  const { key, keyGiven, title, objective, criteria, context, dependsOn, priority } = task;
  return { key, keyGiven, title, objective, criteria, context, dependsOn, priority, ticked: task.ticked };
}

interface FirstMove {
  readonly key: TaskKey;
  readonly move: "close" | "block";
  readonly doneBy?: DoneBy;
  readonly reason: string;
  readonly by: string;
}

/** What becomes of new tasks at once: done where a person ticked them, held back where they suit no unattended run. */
export function firstMoves(added: readonly PlannedTask[], { yes }: { readonly yes: boolean }): readonly FirstMove[] {
  return added.flatMap((task): readonly FirstMove[] => {
    const { key, ticked } = task;
    if (ticked) return [{ key, move: "close", doneBy: "person", reason: "", by: "person" }];
    const reason = yes ? null : heldBack(task);
    return reason === null ? [] : [{ key, move: "block", reason, by: "harness" }];
  });
}
