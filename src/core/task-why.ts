/** One line on why a task does not move, or what is done with it. */
import { isHeldBack } from "./fit.ts";
import type { RunId, TaskKey } from "./ids.ts";
import { claimable } from "./plan-order.ts";
import type { DoneBy, Task } from "./task.ts";

export interface BoardView {
  readonly tasks: readonly Task[];
  /** For people: a member's name, else the run. */
  ownerOf(run: RunId): string;
}

/** Completes `T-3 …`. */
export function whyTask(task: Task, { tasks, ownerOf }: BoardView): string {
  const chain = task.state === "pending" ? waitingChain(task, tasks) : [];
  return chain.length === 0 ? `${standing(task, ownerOf)}${placeInLine(task, tasks)}` : describeChain(chain, ownerOf);
}

type Link = { readonly key: TaskKey; readonly task: Task | null };

/** What it waits for, and what that waits for, down to what waits for nobody. The first that is not done stands for its fellows: what holds it is what is to be done next. */
function waitingChain(task: Task, tasks: readonly Task[]): readonly Link[] {
  const byKey = new Map(tasks.map((one) => [one.key, one]));
  const seen = new Set<TaskKey>([task.key]);
  const chain: Link[] = [];
  for (let here: Task | null = task; here?.state === "pending"; here = chain.at(-1)?.task ?? null) {
    const open = here.dependsOn.find((key) => byKey.get(key)?.state !== "done");
    if (open === undefined || seen.has(open)) break;
    seen.add(open);
    chain.push({ key: open, task: byKey.get(open) ?? null });
  }
  return chain;
}

/** The nearest, and where the way is long the one at its end. */
function describeChain(chain: readonly Link[], ownerOf: BoardView["ownerOf"]): string {
  const [first, last] = [chain[0], chain.at(-1)];
  if (first === undefined || last === undefined) return "";
  const end = last.task === null ? "is not on the board" : standing(last.task, ownerOf);
  if (chain.length === 1) return `waits for ${first.key}, which ${end}`;
  return `waits for ${first.key}, which waits for ${last.key}${chain.length > 2 ? " in the end" : ""}, which ${end}`;
}

/** Completes `T-3 …` for a task alone. */
function standing({ key, state, owner, doneBy, reason, attempts }: Task, ownerOf: BoardView["ownerOf"]): string {
  const who = owner === null ? "a run" : ownerOf(owner);
  switch (state) {
    case "pending":
      return "is open, and nobody has taken it";
    case "in-progress":
      return `is in progress with ${who}`;
    case "checking":
      return `is being checked: ${who} says that it is done`;
    case "done":
      return `is done: ${doneWords[doneBy ?? "person"]}`;
    case "failed":
      return `failed${attempts === 0 ? "" : ` after ${attempts} attempt${attempts === 1 ? "" : "s"}`}: ${firstLine(reason)} (midwatch task retry ${key})`;
    case "blocked":
      return `is blocked${isHeldBack(reason) ? "" : " by a person"}: ${firstLine(reason)} (midwatch task retry ${key})`;
    case "waiting-person":
      return `waits for the answer to ${firstLine(reason)}`;
  }
}

const doneWords: Readonly<Record<DoneBy, string>> = {
  verified: "verified by its criteria",
  claimed: "claimed, and nothing of it could be checked",
  person: "a person said so",
};

function placeInLine(task: Task, tasks: readonly Task[]): string {
  if (task.state !== "pending") return "";
  const before = claimable(tasks).findIndex(({ key }) => key === task.key);
  const place = before <= 0 ? "it is the next" : `${before} ${before === 1 ? "task comes" : "tasks come"} first`;
  return `; ${place}${task.lastEvidence === "" ? "" : `. Its last claim was refused: ${firstLine(task.lastEvidence)}`}`;
}

function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0] ?? "";
}
