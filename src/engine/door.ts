/** What an agent gets through its door. Everything here is for this one window; its secret dies with it. */
import { taskLimit, windowCapMicroUsd } from "../core/budget.ts";
import { MidwatchError } from "../core/error.ts";
import { formatNote, type NoteStatus, parseNote } from "../core/handoff-note.ts";
import type { TaskKey } from "../core/ids.ts";
import { describeCriterion } from "../core/prompt.ts";
import type { QuestionDraft } from "../core/question.ts";
import type { RunState } from "../core/run-state.ts";
import { isHeldUp, isOpen, type TaskState } from "../core/task.ts";
import type { ClaimAnswer, DoorNote, DoorQuestion, WindowDoor } from "../ports/door.ts";
import type { WindowRecord } from "../ports/store.ts";
import { checkClaim, findTask } from "./claims.ts";
import { type RunContext, treePath } from "./context.ts";
import { takeTask } from "./team/task-lease.ts";
import { teamDoor } from "./team/team-door.ts";
import { createTurns } from "./turns.ts";

const journalCharacters = 200;
/** The rest is the same again. */
const mostStrangers = 20;

export interface OpenDoor extends WindowDoor {
  /** Resolves when no claim is being checked any more. */
  settled(): Promise<void>;
  /** The task at which the window is, as far as can be told: the first that it has not closed. */
  task(): TaskKey | null;
}

/** @param before  carried out before what the agent says here is recorded */
export function createDoor(context: RunContext, window: WindowRecord, state: RunState, before: () => Promise<void>): OpenDoor {
  const { ports, run, settings } = context;
  const turns = createTurns();
  /** Claims that wait for their turn: a second one of the same task is the same claim. */
  const waiting = new Map<string, Promise<ClaimAnswer>>();
  const done = new Set<string>();
  /** More than it opened with, where it works on a board. */
  const given: TaskKey[] = [...window.tasks];
  let isOver = false;
  let strangers = 0;
  const claim = (task: string): Promise<ClaimAnswer> => {
    const same = waiting.get(task);
    if (same !== undefined) return same;
    const answer = turns(async (): Promise<ClaimAnswer> => {
      waiting.delete(task);
      if (isOver) return { kind: "refused", reason: "the window is over", evidence: [] };
      await before();
      context.ground.spoil(); // the agent is at work
      const answer = await checkClaim(context, window, task);
      if (answer.kind === "done") done.add(task);
      return answer;
    });
    waiting.set(task, answer);
    return answer;
  };
  const closed = async () => (await ports.store.closedIn(window.id)).length;
  return {
    async tasks() {
      // Two requests at once must not take two tasks.
      await turns(() => (isOver ? Promise.resolve() : takeNext(context, window, given)));
      const tasks = (await ports.store.tasks(run)).filter((task) => given.includes(task.key));
      return {
        limit: window.taskLimit,
        tasks: tasks.map(({ key, title, objective, criteria, state }) => ({
          key,
          title,
          objective,
          criteria: criteria.map(describeCriterion),
          state: stateForAgent(state),
        })),
      };
    },
    claim,
    async ask(asked) {
      await before();
      const task = asked.task === null ? null : await knownTask(context, asked.task);
      const question = await ports.store.ask(run, window.id, draft({ ...asked, task }, ports.clock.now()), ports.clock.now());
      void ports.notifier.notify({ kind: "question", text: `${question.id}: ${question.text}` });
      return { id: question.id, text: question.text };
    },
    async note(text) {
      await before();
      const noted = { kind: "journal.noted", window: window.id, data: { text: text.slice(0, journalCharacters) } };
      await ports.store.appendEvents(run, [noted], ports.clock.now());
    },
    stranger() {
      strangers += 1;
      if (strangers > mostStrangers) return;
      // A record for people: whoever came was refused already.
      void ports.store.appendEvents(run, [{ kind: "door.refused", window: window.id, data: {} }], ports.clock.now()).catch(() => undefined);
    },
    async budget() {
      return {
        windowCapMicroUsd: windowCapMicroUsd(state, settings.limits),
        runSpentMicroUsd: state.spentMicroUsd,
        runCapMicroUsd: settings.limits.runMicroUsd,
        tasksClosed: await closed(),
        taskLimit: taskLimit(state, settings.limits),
      };
    },
    task: () => given.find((key) => !done.has(key)) ?? null,
    handoff: (note) => writeNote(context, note),
    team: settings.member === undefined ? null : teamDoor(context, settings.member, before),
    settled() {
      // What still waits for its turn is not checked any more: nobody is there for the answer, and each check may take minutes.
      isOver = true;
      return turns(() => Promise.resolve());
    },
  };
}

/** Whose the task is goes without saying here: it is to be done, or it is not. */
function stateForAgent(state: TaskState): string {
  if (isOpen({ state })) return "pending";
  return isHeldUp({ state }) ? "blocked" : state;
}

/** Of a board: the next task, where the window has closed what it had and may close more. */
async function takeNext(context: RunContext, window: WindowRecord, given: TaskKey[]): Promise<void> {
  if (context.settings.plan.kind !== "board" || given.length >= window.taskLimit) return;
  const tasks = await context.ports.store.tasks(context.run);
  if (tasks.some(({ owner }) => owner === context.run)) return;
  const next = await takeTask(context, window.id);
  if (next !== null) given.push(next.key);
}

/** The same contract as a file (B2). What would not parse is not written: the agent can still mend it. */
async function writeNote(context: RunContext, note: DoorNote): Promise<{ readonly written: boolean; readonly reason: string }> {
  const text = formatNote({ ...note, status: noteStatuses[note.status] });
  const parsed = parseNote(new TextEncoder().encode(text));
  if (parsed.kind === "malformed") return { written: false, reason: parsed.reason };
  await context.ports.files.writeAtomic(treePath(context, context.settings.handoff), text);
  return { written: true, reason: "" };
}

const noteStatuses: Readonly<Record<DoorNote["status"], NoteStatus>> = {
  CHECKPOINT: "checkpoint",
  "AWAITING-HUMAN": "awaiting-human",
  DONE: "done",
  BLOCKED: "blocked",
};

async function knownTask({ ports, run }: RunContext, key: string): Promise<string> {
  const task = findTask(await ports.store.tasks(run), key);
  if (task === undefined) throw new MidwatchError("usage", "E_TASK_UNKNOWN", `there is no task ${key}`);
  return task.key;
}

function draft(asked: DoorQuestion, now: number): QuestionDraft {
  return {
    source: "agent",
    text: asked.question,
    context: "",
    options: asked.options,
    defaultAnswer: asked.defaultAnswer,
    deadlineAt: asked.minutes === null || asked.defaultAnswer === null ? null : now + asked.minutes * 60_000,
    task: asked.task as TaskKey | null,
  };
}
