/** What a person said to an approval while no window was at it. */
import { isOpen } from "../core/task.ts";
import { checkClaim } from "./claims.ts";
import type { RunContext } from "./context.ts";
import { isTaken } from "./criteria/in-run.ts";

/**
 * Carries out what a person said to an approval while no window was at it: the claim is judged again, with the answer. An answer that was taken is known
 * by the evidence after it, so that a death in between judges once more and no more.
 * @returns whether there was one
 */
export async function settleApprovals(context: RunContext): Promise<boolean> {
  const { store } = context.ports;
  const answered = (await store.questions({ run: context.run, state: "answered" })).filter(({ source }) => source === "approval");
  if (answered.length === 0) return false;
  const [tasks, windows] = await Promise.all([store.tasks(context.run), store.windows(context.run)]);
  let isSettled = false;
  for (const task of tasks) {
    const last = answered.filter((question) => question.task === task.key).at(-1);
    const window = windows.find(({ id }) => id === last?.window);
    if (!isOpen(task) || last === undefined || window === undefined || (await isTaken(context, last))) continue;
    const answer = await checkClaim(context, window, task.key);
    isSettled ||= answer.kind !== "refused" || answer.evidence.length > 0;
  }
  return isSettled;
}
