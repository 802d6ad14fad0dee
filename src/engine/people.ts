/** What a person does to a run from any terminal: answer, stop, pause, resume. Each is one row; the run's own process acts on it. */
import { MidwatchError } from "../core/error.ts";
import { questionId } from "../core/ids.ts";
import { disapprove, type Question } from "../core/question.ts";
import type { RunRequest } from "../core/run-state.ts";
import type { Clock } from "../ports/clock.ts";
import type { Processes } from "../ports/processes.ts";
import type { RunRecord, Store } from "../ports/store.ts";

export interface AnswerGiven {
  readonly question: Question;
  /** False when somebody, or the default, was faster; then the question holds their answer. */
  readonly first: boolean;
}

/** @param choice  an option's number (`1`), letter (`a`), text, or free text where the question takes it */
export async function answerQuestion(store: Store, id: string, choice: string, now: number): Promise<AnswerGiven> {
  const question = await store.question(questionId(id.toUpperCase()));
  if (question === null)
    throw new MidwatchError("usage", "E_QUESTION_UNKNOWN", `there is no question ${id}`, {
      hint: "see the open ones with: midwatch status",
    });
  const answer = await store.answer(question.id, chosen(question, choice), "person", now);
  if (answer.kind === "unknown") throw new MidwatchError("usage", "E_QUESTION_UNKNOWN", `there is no question ${id}`);
  return { question: answer.question, first: answer.kind === "answered" };
}

function chosen({ id, options, source }: Question, choice: string): string {
  const wish = choice.trim();
  if (wish === "") throw new MidwatchError("usage", "E_ANSWER_EMPTY", `the answer to ${id} is empty`);
  if (options.length === 0) return wish;
  const byText = options.find((option) => option.toLowerCase() === wish.toLowerCase());
  const place = /^[a-z]$/i.test(wish) ? wish.toLowerCase().charCodeAt(0) - 97 : /^\d+$/.test(wish) ? Number(wish) - 1 : -1;
  const option = byText ?? options[place];
  if (option !== undefined) return option;
  // A question of the agent's may be answered in other words; one of ours has only these answers. A bare number or letter is a slip in both.
  // A no is worth more with its reason, which goes back to the agent.
  const [, reason] = source === "approval" ? (/^(?:no|n[aã]o)[\s,.:;-]+(\S.*)$/is.exec(wish) ?? []) : [];
  if (reason !== undefined) return `${disapprove}: ${reason}`;
  if (source === "agent" && wish.length > 1 && !/^\d+$/.test(wish)) return wish;
  throw new MidwatchError("usage", "E_ANSWER_UNKNOWN", `${id} takes one of: ${options.join(", ")}`, {
    hint: `for example: midwatch answer ${id} ${JSON.stringify(options[0] ?? "")}`,
  });
}

/**
 * What a person types next so that the run goes on; empty when it needs nothing.
 * @param open  its open questions
 */
export function nextStep(run: RunRecord, supervised: boolean, open: readonly Question[]): string {
  if (run.phase === "ended") return "";
  const goOn = supervised && run.phase !== "paused" ? [] : ["midwatch resume"];
  const [question] = run.phase === "waiting-person" ? open : [];
  return [...(question === undefined ? [] : [answerTo(question)]), ...goOn].join(" && ");
}

/** The command that answers it, with the first option for example. */
export function answerTo({ id, options }: Pick<Question, "id" | "options">): string {
  return `midwatch answer ${id} ${options.length === 0 ? '"…"' : "1"}`;
}

/** Whether a process is carrying the run out right now. */
export function isSupervised(run: RunRecord, processes: Processes): boolean {
  return run.phase !== "ended" && run.supervisor !== null && processes.isAlive(run.supervisor);
}

/**
 * Asks the process that carries a run out to stop, pause or go on.
 * @returns what the person is told; null when no process carries it out
 */
export async function requestOf(
  { store, processes, clock }: { readonly store: Store; readonly processes: Processes; readonly clock: Clock },
  run: RunRecord,
  request: RunRequest,
): Promise<string | null> {
  if (!isSupervised(run, processes)) return null;
  if (run.phase === "paused" && request === "pause") return "it is paused already";
  await store.setRequest(run.id, request, clock.now());
  if (request === "none" && run.phase === "waiting-person") {
    const next = nextStep(run, true, await store.questions({ run: run.id, state: "open" }));
    return next === "" ? "it goes on" : `it waits for your answer: ${next}`;
  }
  return {
    none: "it goes on",
    pause: "it pauses after this window",
    "stop-after-window": "it stops after this window",
    "stop-now": "it stops now",
  }[request];
}
