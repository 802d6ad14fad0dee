/** What a person's `task done`, `task block` and `task retry` do to a task, from where it stands. */
import type { Task, TaskMove } from "./task.ts";

export type Wish = "done" | "block" | "retry";

export type PersonMove =
  | { readonly kind: "move"; readonly move: TaskMove }
  /** `reason` completes `T-3 …`; `next` is the next step, empty where there is none. */
  | { readonly kind: "refused"; readonly reason: string; readonly next: string };

/**
 * @param why  the person's words; empty = none
 * @param question  the open question that the task waits for; null = none
 */
export function personMove(
  task: Pick<Task, "key" | "state" | "reason">,
  wish: Wish,
  { why, question }: { readonly why: string; readonly question: string | null },
): PersonMove {
  const { state } = task;
  if (state === "waiting-person" && question !== null)
    return refused(`waits for the answer to ${task.reason}`, `answer it, which sets the task going: midwatch answer ${question} …`);
  if (wish === "done") return state === "done" ? refused("is done already") : { kind: "move", move: "close" };
  if (wish === "block") return block(task);
  if (state === "done")
    return why === ""
      ? refused("is done: say why it is to be done again", `midwatch task retry ${task.key} --why "…"`)
      : { kind: "move", move: "reopen" };
  if (state === "failed") return { kind: "move", move: "retry" };
  if (state === "blocked" || state === "waiting-person") return { kind: "move", move: "unblock" };
  return refused(`is ${state} already: there is nothing to try again`);
}

function block({ state, reason }: Pick<Task, "state" | "reason">): PersonMove {
  if (state === "blocked") return refused(`is blocked already: ${reason}`);
  return state === "done" || state === "failed"
    ? refused(`is ${state}: only an open task can be blocked`)
    : { kind: "move", move: "block" };
}

function refused(reason: string, next = ""): PersonMove {
  return { kind: "refused", reason, next };
}
