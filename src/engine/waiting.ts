/** Waiting at no cost: for a person's answer, for a provider, for the end of a pause. Nothing runs and nothing is spent meanwhile. */
import type { Question } from "../core/question.ts";
import type { RunContext } from "./context.ts";

const lookMs = 1000;

export type WaitEnd = "over" | "stop";

/** Until the time on the wall clock, so that a machine that slept goes on at once; ends early when a person says stop. */
export async function waitUntil(context: RunContext, untilAt: number): Promise<WaitEnd> {
  const { clock } = context.ports;
  while (clock.now() < untilAt) {
    if (isStop(context)) return "stop";
    await context.control.nextChange(Math.min(untilAt - clock.now(), lookMs));
  }
  return isStop(context) ? "stop" : "over";
}

export async function waitWhilePaused(context: RunContext): Promise<WaitEnd> {
  while (context.control.current() === "pause") await context.control.nextChange(lookMs);
  return isStop(context) ? "stop" : "over";
}

/**
 * Until one of these questions is answered; takes defaults whose deadline has passed.
 * @returns the answered ones; empty when a person said stop, or when nobody is to be waited for
 */
export async function waitForAnswer(context: RunContext, asked: readonly Question[]): Promise<readonly Question[]> {
  const { store } = context.ports;
  for (;;) {
    await takeDefaults(context);
    const ids = new Set(asked.map((question) => question.id));
    const answered = (await store.questions({ run: context.run, state: "answered" })).filter((question) => ids.has(question.id));
    if (answered.length > 0 || isStop(context)) return answered;
    const next = Math.min(...asked.map((question) => question.deadlineAt ?? Number.POSITIVE_INFINITY));
    if (context.settings.onQuestion === "stop" && next === Number.POSITIVE_INFINITY) return [];
    await context.control.nextChange(Math.max(1, Math.min(next - context.ports.clock.now(), 250)));
  }
}

/**
 * Answers every open question of this run whose deadline has passed with its default. A person who was faster wins.
 * @returns those that stay open
 */
export async function takeDefaults(context: RunContext): Promise<readonly Question[]> {
  const { store, clock } = context.ports;
  const left: Question[] = [];
  for (const question of await store.questions({ run: context.run, state: "open" })) {
    if (question.deadlineAt === null || question.defaultAnswer === null || question.deadlineAt > clock.now()) left.push(question);
    else await store.answer(question.id, question.defaultAnswer, "default", clock.now());
  }
  return left;
}

/** A question of the agent's that pauses the run while it is open; one with a task blocks that task alone. */
export function isAboutRun({ source, task }: Question): boolean {
  return source === "agent" && task === null;
}

export function isStop(context: RunContext): boolean {
  const request = context.control.current();
  return request === "stop-now" || request === "stop-after-window";
}
