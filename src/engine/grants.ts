/**
 * What the person has granted for the tasks of a window. Only words of theirs count: the wording of a task as the store has it (the plan's file is an agent's to write while a
 * window is open), and an answer that a person gave. Read anew each time: an answer may come while the window works.
 */
import { type Grant, parseGrant } from "../core/guard/policy.ts";
import type { Question } from "../core/question.ts";
import type { Store, WindowRecord } from "../ports/store.ts";

/** Of the tasks that the window has and has not closed; the answer to a question that is about no task counts for all of the run. */
export async function grantsOf(
  store: Pick<Store, "tasks" | "questions">,
  { run, tasks }: Pick<WindowRecord, "run" | "tasks">,
): Promise<readonly Grant[]> {
  const [known, answered] = await Promise.all([store.tasks(run), store.questions({ run, state: "answered" })]);
  const open = known.filter(({ key, state }) => state !== "done" && tasks.includes(key));
  const inPlan = open.flatMap(({ key, allows = [] }) => allows.flatMap((text) => read(text, key)));
  const inAnswers = answered.flatMap((question) => {
    const isHere = question.task === null || open.some(({ key }) => key === question.task);
    return isHere ? answerGrants(question) : [];
  });
  return [...inPlan, ...inAnswers];
}

/** `midwatch answer Q1 "allow: delete dist/"`. What is taken because nobody answered in time grants nothing. */
function answerGrants({ id, source, answer, answeredBy }: Question): readonly Grant[] {
  const [, text] = /^\s*(?:allow|permitir)\s*:(.*)$/is.exec(answer ?? "") ?? [];
  return text === undefined || answeredBy !== "person" || (source !== "agent" && source !== "note") ? [] : read(text, id);
}

function read(text: string, by: string): readonly Grant[] {
  const reading = parseGrant(text, by);
  return reading.kind === "grants" ? reading.grants : [];
}
