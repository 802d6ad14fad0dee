/** What a person does with tasks from any terminal, without a run. Which tasks are meant, how they stand, and each change as one transaction that decides by what it finds there. */
import {
  addTask,
  editTask,
  findByName,
  firstMoves,
  type ListMerge,
  mergeList,
  type TaskWords,
  type WordChange,
} from "../core/board-words.ts";
import { MidwatchError } from "../core/error.ts";
import type { QuestionId, RunId, TaskKey } from "../core/ids.ts";
import { personMove, type Wish } from "../core/person-move.ts";
import { claimable } from "../core/plan-order.ts";
import { type PlannedTask, type Task, type TaskMove, type TaskState, taskMoves } from "../core/task.ts";
import { nameOf } from "../core/task-key.ts";
import type { BoardView } from "../core/task-why.ts";
import type { BoardRecord } from "../ports/board.ts";
import type { RunRecord, Store, TaskChange } from "../ports/store.ts";

export type BoardWish = { readonly kind: "any" | "board" } | { readonly kind: "plan"; readonly path: string };

export type BoardChoice =
  /** The repository's own; null = nothing was put there yet. */
  | { readonly kind: "board"; readonly board: BoardRecord | null }
  /** The tasks of a plan file, as the last run of it left them. */
  | { readonly kind: "plan"; readonly board: BoardRecord; readonly path: string }
  | { readonly kind: "no-run"; readonly path: string };

/** Where a person stands: real paths of the git common dir and of the tree. */
export interface BoardPlace {
  readonly repository: string;
  readonly worktree: string;
}

/** So many runs of a tree are looked through for one of a plan. */
const mostRuns = 1000;

/** The board without a file where it has tasks; else the tasks of the last run's plan in this tree. */
export async function chooseBoard(store: Store, { repository, worktree }: BoardPlace, wish: BoardWish): Promise<BoardChoice> {
  const own = wish.kind === "plan" ? null : await store.boards.ofRepository(repository);
  if (wish.kind === "board" || own?.hasTasks) return { kind: "board", board: own };
  const runs = await store.runs({ worktree, limit: wish.kind === "plan" ? mostRuns : 1 });
  const run = runs.find(({ settings: { plan } }) => plan.kind === "list" && (wish.kind !== "plan" || plan.path === wish.path));
  if (run !== undefined) return { kind: "plan", board: await store.boards.ofRun(run.id), path: run.settings.plan.path };
  return wish.kind === "plan" ? { kind: "no-run", path: wish.path } : { kind: "board", board: own };
}

export interface BoardLook extends BoardView {
  /** Open ones that a task of this board waits for. */
  readonly questions: ReadonlyMap<TaskKey, QuestionId>;
  /** Keys of those that are done. */
  readonly done: ReadonlySet<TaskKey>;
}

export async function lookAtBoard(store: Store, { id }: Pick<BoardRecord, "id">): Promise<BoardLook> {
  const tasks = await store.boards.tasks(id);
  const owners = new Map<RunId, string>();
  for (const { owner } of tasks) if (owner !== null && !owners.has(owner)) owners.set(owner, ownerWords(owner, await store.run(owner)));
  const waiting = new Set(tasks.filter(({ state }) => state === "waiting-person").map(({ key }) => nameOf(key)));
  const done = new Set(tasks.filter(({ state }) => state === "done").map(({ key }) => key));
  return { tasks, done, questions: await openQuestions(store, id, waiting), ownerOf: (run) => owners.get(run) ?? ownerWords(run, null) };
}

function ownerWords(id: RunId, run: RunRecord | null): string {
  return run?.settings.member?.name ?? `run ${id}`;
}

/** @param names  of the tasks that are asked about, as keys are compared */
async function openQuestions(store: Store, board: number, names: ReadonlySet<string>): Promise<ReadonlyMap<TaskKey, QuestionId>> {
  const found = new Map<TaskKey, QuestionId>();
  if (names.size === 0) return found;
  for (const { id, run, task } of await store.questions({ state: "open" }))
    if (task !== null && names.has(nameOf(task)) && !found.has(task) && (await store.boards.ofRun(run)).id === board) found.set(task, id);
  return found;
}

export interface WordsGiven {
  readonly words: TaskWords;
  /** A person's yes to what suits no unattended run. */
  readonly yes: boolean;
}

export interface Changed {
  readonly task: PlannedTask & Pick<Task, "state" | "owner" | "reason">;
  readonly changed: readonly string[];
}

/** @param key  null = one is made. Throws MidwatchError kind usage, and then nothing is changed; so do the others. */
export async function addToBoard(
  store: Store,
  repository: string,
  { key, words, yes }: WordsGiven & { readonly key: TaskKey | null; readonly words: { readonly title: string } },
  now: number,
): Promise<Changed> {
  const put = await putOne(store, repository, { decide: (known) => addTask(known, key, words), yes }, now);
  const [move] = firstMoves([put.task], { yes });
  return {
    ...put,
    task: { ...put.task, owner: null, state: move === undefined ? "pending" : taskMoves.pending[move.move], reason: move?.reason ?? "" },
  };
}

export async function editOnBoard(store: Store, repository: string, key: string, words: TaskWords, now: number): Promise<Changed> {
  let before: Task | undefined;
  const decide = (known: readonly Task[]) => {
    before = findByName(known, key);
    return editTask(known, key, words);
  };
  const { task, changed } = await putOne(store, repository, { decide, yes: true }, now);
  const { state = "pending", owner = null, reason = "" } = before ?? {};
  return { changed, task: { ...task, state, owner, reason } };
}

interface Putting {
  readonly decide: (known: readonly Task[]) => WordChange;
  readonly yes: boolean;
}

async function putOne(store: Store, repository: string, { decide, yes }: Putting, now: number) {
  const put: { readonly task: PlannedTask; readonly changed: readonly string[] }[] = [];
  const tasks = (known: readonly Task[]) => {
    const decided = decide(known);
    if (decided.kind === "refused") throw refusal(decided.reason);
    put.push(decided);
    return [decided.task];
  };
  // A transaction may be begun again: the last answer is the one that holds.
  const changes = () => put.slice(-1).flatMap(({ task }) => firstMoves([task], { yes }));
  await store.boards.put(repository, tasks, { by: "person", changes }, now);
  const one = put.at(-1);
  if (one === undefined) throw new MidwatchError("bug", "E_TASK_UNKNOWN", "the store did not ask what to put");
  return one;
}

export interface ListToImport {
  /** How its tasks are known as its own when it is read again. */
  readonly name: string;
  readonly tasks: readonly PlannedTask[];
  readonly yes: boolean;
  readonly dryRun: boolean;
}

/** What a list changes on the board, and unless it is a dry run changes it. */
export async function importList(store: Store | null, repository: string, list: ListToImport, now: number): Promise<ListMerge> {
  const board = (await store?.boards.ofRepository(repository)) ?? null;
  const why = `from ${list.name}`;
  const history = board === null || store === null ? [] : await store.boards.history(board.id);
  const earlier = history.filter((row) => row.move === "add" && row.why === why).map(({ task }) => task);
  const merge = (known: readonly Task[]) => mergeList(known, list.tasks, earlier);
  if (list.dryRun || store === null) return merge(board === null || store === null ? [] : await store.boards.tasks(board.id));
  const merged: ListMerge[] = [];
  const tasks = (known: readonly Task[]) => {
    const one = merge(known);
    merged.push(one);
    return one.tasks.map((task) => ({ ...task, ticked: false }));
  };
  const changes = () => merged.slice(-1).flatMap(({ added }) => firstMoves(added, list));
  await store.boards.put(repository, tasks, { by: "person", why, changes }, now);
  return merged.at(-1) ?? mergeList([], []);
}

export interface PersonMoves {
  readonly wish: Wish;
  readonly keys: readonly string[];
  /** Empty = none. */
  readonly why: string;
}

export interface Moved {
  readonly moved: readonly { readonly key: TaskKey; readonly from: TaskState; readonly to: TaskState; readonly owner: RunId | null }[];
  /** What can be worked now and could not before. */
  readonly claimable: readonly TaskKey[];
}

/** All of them or none. */
export async function moveOnBoard(store: Store, board: BoardRecord, wanted: PersonMoves, now: number): Promise<Moved> {
  const questions = await openQuestions(store, board.id, new Set(wanted.keys.map(nameOf)));
  let before: readonly Task[] = [];
  let after: readonly Task[] = [];
  const decide = (known: readonly Task[]) => {
    const changes = tasksNamed(known, wanted.keys).map((task) => changeOf(task, wanted, questions.get(task.key) ?? null));
    const moves = new Map(changes.map(({ key, move }) => [key, move]));
    [before, after] = [known, known.map((task) => ({ ...task, state: stateAfter(task, moves.get(task.key)) }))];
    return changes;
  };
  await store.boards.move(board.id, decide, now);
  const couldBefore = new Set(claimable(before).map(({ key }) => key));
  return {
    moved: tasksNamed(before, wanted.keys).map((task) => ({
      ...{ key: task.key, owner: task.owner, from: task.state },
      to: taskNamed(after, task.key).state,
    })),
    claimable: claimable(after).flatMap(({ key }) => (couldBefore.has(key) ? [] : [key])),
  };
}

function stateAfter({ state }: Task, move: TaskMove | undefined): TaskState {
  const moves: Partial<Record<TaskMove, TaskState>> = taskMoves[state];
  return move === undefined ? state : (moves[move] ?? state);
}

function tasksNamed(known: readonly Task[], keys: readonly string[]): readonly Task[] {
  return [...new Set(keys.map((key) => taskNamed(known, key)))];
}

/** Throws MidwatchError kind usage where there is none of that key. */
export function taskNamed(known: readonly Task[], key: string): Task {
  const task = findByName(known, key);
  if (task !== undefined) return task;
  throw new MidwatchError("usage", "E_TASK_UNKNOWN", `there is no task ${key}`, { hint: "see them with: midwatch task list" });
}

function changeOf(task: Task, { wish, why }: PersonMoves, question: QuestionId | null): TaskChange {
  const move = personMove(task, wish, { why, question });
  if (move.kind === "refused") throw refusal(`${task.key} ${move.reason}`, move.next);
  return { key: task.key, move: move.move, reason: why, by: "person", ...(move.move === "close" ? { doneBy: "person" } : {}) };
}

function refusal(reason: string, next = ""): MidwatchError {
  const hint = next === "" ? "see the tasks with: midwatch task list" : next;
  return new MidwatchError("usage", "E_TASK_REFUSED", reason, { hint: `nothing was changed; ${hint}` });
}
