/** Shows a run while it goes on, and lets the person at this terminal answer its questions. The run itself does not notice. */
import { questionId, type RunId } from "../core/ids.ts";
import type { Question } from "../core/question.ts";
import { followRun } from "../engine/follow.ts";
import { answerTo } from "../engine/people.ts";
import type { Store, StoredEvent } from "../ports/store.ts";
import { createAsker } from "./answer-here.ts";
import type { App } from "./app.ts";
import { eventLine, readEnd } from "./event-line.ts";
import { wrap } from "./layout.ts";
import { painter, timeOfDay } from "./print.ts";
import { questionLines } from "./question-text.ts";

export interface FollowOptions {
  readonly after: number;
  readonly json: boolean;
  readonly isOver: () => boolean | Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Width of the time before each line. */
const indent = 10;
/** Of a line that goes to a file or a pipe. */
const widest = 240;

export async function showRun(app: App, store: Store, run: RunId, options: FollowOptions): Promise<void> {
  const events = followRun({ store, clock: app.clock }, run, options);
  if (options.json) for await (const event of events) app.terminal.out(`${JSON.stringify(event)}\n`);
  else await showEvents(app, store, run, events);
}

/** A run that is taken up again is shown from there, not from its beginning. */
export async function lastTakeUp(store: Store, run: RunId): Promise<number> {
  const [recovered] = await store.recentEvents(run, "run.recovered", 1);
  return recovered === undefined ? 0 : recovered.id - 1;
}

async function showEvents(app: App, store: Store, run: RunId, events: AsyncIterable<StoredEvent>): Promise<void> {
  const paint = painter(app.terminal);
  const say = (at: number, lines: readonly string[]) => app.terminal.err(`${hang(app, `${paint("dim", timeOfDay(at))}  `, lines)}\n`);
  const questions = showQuestions(app, store, run, say);
  await questions.look();
  for await (const event of events) {
    questions.meet(event);
    const line = eventLine(event, paint, (app.terminal.columns.err ?? widest) - indent);
    if (line !== null) say(event.at, [line, ...(await logLine(store, event))]);
    await questions.see(event);
  }
  questions.close();
}

/** The lines of one event below its time, as wide as the terminal. */
function hang(app: App, time: string, [first = "", ...rest]: readonly string[]): string {
  const width = app.terminal.columns.err;
  return [wrap(`${time}${first}`, width, indent), ...rest.map((line) => wrap(" ".repeat(indent) + line, width, indent + 4))].join("\n");
}

/** Where to look when a window ended badly. */
async function logLine(store: Store, { kind, run, window, data }: StoredEvent): Promise<readonly string[]> {
  const failed = readEnd(data["end"]).kind === "failed" && readEnd(data["exit"]).kind !== "stopped";
  if (kind !== "window.ended" || window === undefined || !failed) return [];
  const row = (await store.windows(run)).find(({ id }) => id === window);
  return row === undefined ? [] : [`log: ${row.logPath}`];
}

/** Each open question is shown once: when it is asked, or when the run comes to wait for it. */
function showQuestions(app: App, store: Store, run: RunId, say: (at: number, lines: readonly string[]) => void) {
  const shown = new Set<string>();
  const asker = app.terminal.isInteractive ? createAsker(app, store) : null;
  function show(question: Question): void {
    if (shown.has(question.id) || question.state !== "open") return;
    shown.add(question.id);
    const lines = questionLines(question, app.clock.now(), painter(app.terminal));
    say(question.askedAt, asker === null ? [...lines, `    answer: ${answerTo(question)}`] : lines);
    asker?.ask(question);
  }
  async function look(): Promise<void> {
    const record = await store.run(run);
    const open = await store.questions({ run, state: "open" });
    // What the harness itself asked about is looked at again before the run waits for it.
    for (const question of open) if (record?.phase === "waiting-person" || question.task !== null) show(question);
  }
  return {
    look,
    /** Before its line is shown. */
    meet({ kind, data }: StoredEvent): void {
      if (kind === "question.answered") asker?.drop(String(data["question"] ?? ""));
    },
    async see({ kind, data }: StoredEvent): Promise<void> {
      const question = kind === "question.asked" ? await store.question(questionId(String(data["question"]))) : null;
      if (question !== null) show(question);
      if (kind === "run.phase-changed" && data["to"] === "waiting-person") await look();
    },
    close: () => asker?.close(),
  };
}
