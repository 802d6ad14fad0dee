/** Shows a run while it goes on: lines for a person, or one JSON object an event. At a terminal, an open question can be answered on the spot. */
import type { RunId } from "../core/ids.ts";
import { followRun } from "../engine/follow.ts";
import { answerQuestion } from "../engine/people.ts";
import type { Store, StoredEvent } from "../ports/store.ts";
import type { App } from "./app.ts";
import { eventLine } from "./event-line.ts";
import { painter, plain } from "./print.ts";

export interface FollowOptions {
  readonly after: number;
  readonly json: boolean;
  readonly isOver: () => boolean | Promise<boolean>;
  readonly signal: AbortSignal;
}

export async function showRun(app: App, store: Store, run: RunId, options: FollowOptions): Promise<void> {
  const paint = painter(app.terminal);
  const asked = new Map<string, AbortController>();
  for await (const event of followRun({ store, clock: app.clock }, run, options)) {
    if (options.json) {
      app.terminal.out(`${JSON.stringify(event)}\n`);
      continue;
    }
    const line = eventLine(event, paint);
    if (line !== null) app.terminal.err(`${line}\n`);
    if (app.terminal.isInteractive) offerAnswer(app, store, event, asked);
  }
  for (const waiting of asked.values()) waiting.abort();
}

/** The first answer wins, wherever it comes from: an answer from elsewhere takes the prompt away. */
function offerAnswer(app: App, store: Store, event: StoredEvent, asked: Map<string, AbortController>): void {
  const id = String(event.data["question"] ?? "");
  if (event.kind === "question.answered") asked.get(id)?.abort();
  if (event.kind !== "question.asked") return;
  const given = new AbortController();
  asked.set(id, given);
  void askUntilAnswered(app, store, id, given.signal);
}

async function askUntilAnswered(app: App, store: Store, id: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const words = await app.terminal.ask(`${id}> `, signal);
    if (words === null) return;
    if (words.trim() === "") continue;
    try {
      await answerQuestion(store, id, words, app.clock.now());
      return;
    } catch (error) {
      app.terminal.err(`${plain(error instanceof Error ? error.message : String(error))}\n`);
    }
  }
}
