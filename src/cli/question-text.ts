/** A question as a person reads it: what is asked, what there is to know, the choices by number, and what happens by itself. */
import type { Question } from "../core/question.ts";
import { cut } from "./layout.ts";
import { type Paint, plain, pointInTime } from "./print.ts";

export type ShownQuestion = Pick<Question, "id" | "text" | "context" | "options" | "defaultAnswer" | "deadlineAt" | "task">;

const contextLines = 6;

/** The first line names the question; the rest is indented below it. */
export function questionLines(question: ShownQuestion, now: number, paint: Paint): readonly string[] {
  const about = question.task === null ? "" : ` (about ${plain(question.task)})`;
  return [`${paint("cyan", question.id)}  ${plain(question.text)}${about}`, ...choiceLines(question, now, paint)];
}

/** All but the question itself: shown again to whoever asks for the choices. */
export function choiceLines(question: ShownQuestion, now: number, paint: Paint): readonly string[] {
  const told = question.context.split("\n").filter((line) => line.trim() !== "");
  return [
    ...told.slice(0, contextLines).map((line) => `    ${paint("dim", cut(plain(line).trim(), 300))}`),
    ...(told.length > contextLines ? [`    ${paint("dim", `… ${told.length - contextLines} more lines: midwatch status --json`)}`] : []),
    ...(question.options.length === 0 ? [] : [`    ${choices(question)}`]),
    ...defaultLine(question, now),
  ];
}

/** `1) go on  2) stop`; empty where the answer is free. */
export function choices({ options }: Pick<Question, "options">): string {
  return options.map((option, index) => `${index + 1}) ${plain(option)}`).join("  ");
}

function defaultLine({ defaultAnswer, deadlineAt }: ShownQuestion, now: number): readonly string[] {
  if (defaultAnswer === null) return [];
  const answer = plain(defaultAnswer);
  return [deadlineAt === null ? `    proposed: ${answer}` : `    by itself at ${pointInTime(deadlineAt, now)}: ${answer}`];
}
