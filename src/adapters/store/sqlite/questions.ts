/** Questions to the person. The same text is one question while it is open; the first answer wins. */
import type { Decision } from "../../../core/decide.ts";
import { type QuestionId, questionId, type RunId, type TaskKey, type WindowId } from "../../../core/ids.ts";
import { moveOnAnswer, type Question, type QuestionDraft, type QuestionSource } from "../../../core/question.ts";
import { isOpen } from "../../../core/task.ts";
import type { NewEvent, Store } from "../../../ports/store.ts";
import { replaceDecision } from "./course.ts";
import type { Database, Params, Row } from "./database.ts";
import { addEvents } from "./events.ts";
import { planOfGoing } from "./plans.ts";
import { int, json, maybeInt, maybeText, prose, text } from "./rows.ts";
import { findTask, isInPlan, moveTask, unblockTask } from "./tasks.ts";

type Answered = Awaited<ReturnType<Store["answer"]>>;

const draw = "UPDATE counter SET value = value + 1 WHERE name = 'question' RETURNING value";
const add = `INSERT INTO question (number, run, window, source, text, context, options, default_answer, deadline_at, task, about, state, asked_at)
  VALUES (:number, :run, :window, :source, :text, :context, :options, :defaultAnswer, :deadlineAt, :task, :about, 'open', :now)`;
const find = "SELECT * FROM question WHERE number = :number";
const findOpen = "SELECT * FROM question WHERE run = :run AND text = :text AND task IS :task AND state = 'open'";
const give =
  "UPDATE question SET state = 'answered', answer = :answer, answered_by = :by, answered_at = :now WHERE number = :number AND state = 'open'";
const nextOfTask = `SELECT number, text FROM question WHERE task = :task AND state = 'open' AND run IN (SELECT id FROM run WHERE plan = :plan) ORDER BY number LIMIT 1`;
const planOfRun = "SELECT plan FROM run WHERE id = :run";
const windowNumber = "SELECT number FROM window WHERE id = :window";

interface Asking {
  readonly run: RunId;
  readonly window: WindowId | null;
  readonly draft: QuestionDraft;
  readonly now: number;
  readonly decisionAfter?: ((question: QuestionId) => Decision) | undefined;
}

export function ask(db: Database, asking: Asking): Question {
  const { run, draft, now, decisionAfter } = asking;
  return db.write("ask", "last-word", () => {
    const plan = planOfGoing(db, run);
    const open = db.get(findOpen, { run, text: prose(draft.text), task: draft.task });
    const question = open === undefined ? put(db, plan, asking) : toQuestion(open);
    if (decisionAfter !== undefined) replaceDecision(db, run, decisionAfter(question.id), now);
    return question;
  });
}

function put(db: Database, plan: number, { run, window, draft, now }: Asking): Question {
  const number = int(db.get(draw) ?? {}, "value");
  db.run(add, { number, run, window, now, ...toColumns(draft) });
  const question = toQuestion(db.get(find, { number }) ?? {});
  const { id, source, task } = question;
  addEvents(db, run, [{ kind: "question.asked", ...inWindow(window), data: { question: id, source, text: draft.text, task } }], now);
  // About a task that is done or failed already it is asked all the same: there is nothing left to hold up.
  if (task !== null && isOpen(findTask(db, plan, task))) {
    const by = window === null ? "harness" : `window ${int(db.get(windowNumber, { window }) ?? {}, "number")}`;
    moveTask(db, { plan, run, window, now }, { key: task, move: "ask", reason: blockedBy(number, draft.text), by });
  }
  return question;
}

const blockedBy = (number: number, text: string) => `Q${number}: ${text}`;

export function findQuestion(db: Database, id: QuestionId): Question | null {
  const row = db.get(find, { number: toNumber(id) });
  return row === undefined ? null : toQuestion(row);
}

export function answer(db: Database, id: QuestionId, said: string, by: string, now: number): Answered {
  const number = toNumber(id);
  if (number === null) return { kind: "unknown" };
  return db.write("answer", "last-word", (): Answered => {
    const changed = db.run(give, { number, answer: prose(said), by, now });
    const row = db.get(find, { number });
    if (row === undefined) return { kind: "unknown" };
    const question = toQuestion(row);
    if (changed === 0) return { kind: "was-answered", question };
    const { run, window, task } = question;
    addEvents(db, run, [{ kind: "question.answered", ...inWindow(window), data: { question: id, answer: said, by, task } }], now);
    if (!moveAnswered(db, question, { answer: said, by, now })) unblock(db, question, { by, now });
    return { kind: "answered", question };
  });
}

/** Whether the answer itself moved the task. */
function moveAnswered(db: Database, question: Question, { answer, by, now }: { answer: string; by: string; now: number }): boolean {
  const { run, task } = question;
  const move = moveOnAnswer(question, answer);
  if (task === null || move === null) return false;
  const plan = int(db.get(planOfRun, { run }) ?? {}, "plan");
  if (!isInPlan(db, plan, task) || findTask(db, plan, task).state !== "waiting-person") return false;
  moveTask(db, { plan, run, window: null, now }, { key: task, by, ...move });
  return true;
}

function unblock(db: Database, { run, task, source }: Question, { by, now }: { readonly by: string; readonly now: number }): void {
  if (task === null) return;
  const plan = int(db.get(planOfRun, { run }) ?? {}, "plan");
  const next = db.get(nextOfTask, { plan, task });
  unblockTask(
    db,
    { plan, run, window: null, now },
    {
      key: task,
      by,
      next: next === undefined ? null : blockedBy(int(next, "number"), text(next, "text")),
      // A person's word that it may go on is a fresh start: with its attempts used up it would fail at the next slip.
      isFresh: source === "returns",
    },
  );
}

export function listQuestions(
  db: Database,
  { run, state }: { readonly run?: RunId; readonly state?: Question["state"] },
): readonly Question[] {
  const conditions = [run === undefined ? [] : ["run = :run"], state === undefined ? [] : ["state = :state"]].flat();
  const params: Params = { ...(run === undefined ? {} : { run }), ...(state === undefined ? {} : { state }) };
  const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
  return db.all(`SELECT * FROM question${where} ORDER BY number`, params).map(toQuestion);
}

/** `Q12` -> 12; what is no question's id has none. */
function toNumber(id: string): number | null {
  const digits = /^Q([1-9]\d{0,14})$/.exec(id)?.[1];
  return digits === undefined ? null : Number(digits);
}

function inWindow(window: WindowId | null): Pick<NewEvent, "window"> {
  return window === null ? {} : { window };
}

function toColumns({ source, text, context, options, defaultAnswer, deadlineAt, task, about }: QuestionDraft): Params {
  return {
    source,
    text: prose(text),
    context: prose(context),
    options: JSON.stringify(options),
    defaultAnswer: defaultAnswer === null ? null : prose(defaultAnswer),
    deadlineAt,
    task,
    about: about ?? null,
  };
}

function toQuestion(row: Row): Question {
  const about = maybeText(row, "about");
  return {
    id: questionId(`Q${int(row, "number")}`),
    run: text(row, "run") as RunId,
    window: maybeText(row, "window") as WindowId | null,
    source: text(row, "source") as QuestionSource,
    text: text(row, "text"),
    context: text(row, "context"),
    options: json(row, "options"),
    defaultAnswer: maybeText(row, "default_answer"),
    deadlineAt: maybeInt(row, "deadline_at"),
    task: maybeText(row, "task") as TaskKey | null,
    ...(about === null ? {} : { about }),
    state: text(row, "state") as Question["state"],
    askedAt: int(row, "asked_at"),
    answer: maybeText(row, "answer"),
    answeredBy: maybeText(row, "answered_by"),
    answeredAt: maybeInt(row, "answered_at"),
  };
}
