/** Puts open questions to the person at this terminal, one after the other. An answer from anywhere else takes the prompt away. */
import type { Question } from "../core/question.ts";
import { answerQuestion } from "../engine/people.ts";
import type { Store } from "../ports/store.ts";
import type { App } from "./app.ts";
import { tell } from "./layout.ts";
import { painter, plain } from "./print.ts";
import { choiceLines } from "./question-text.ts";

export interface Asker {
  ask(question: Question): void;
  /** It is answered. */
  drop(id: string): void;
  close(): void;
}

interface Waiting {
  readonly question: Question;
  readonly gone: AbortController;
}

export function createAsker(app: App, store: Store): Asker {
  const waiting = new Map<string, Waiting>();
  let asking = false;
  let closed = false;
  async function askAll(): Promise<void> {
    asking = true;
    for (let [next] = waiting.values(); next !== undefined && !closed; [next] = waiting.values()) {
      // The input ended, or the person left: there is nobody to ask any more.
      closed ||= (await askUntilAnswered(app, store, next)) === "left";
      waiting.delete(next.question.id);
    }
    asking = false;
  }
  return {
    ask(question) {
      waiting.set(question.id, { question, gone: new AbortController() });
      if (!asking && !closed) void askAll();
    },
    drop(id) {
      waiting.get(id)?.gone.abort();
      waiting.delete(id);
    },
    close() {
      closed = true;
      for (const { gone } of waiting.values()) gone.abort();
    },
  };
}

async function askUntilAnswered(app: App, store: Store, { question, gone }: Waiting): Promise<"answered" | "left"> {
  const { terminal, clock } = app;
  while (!gone.signal.aborted) {
    const words = await terminal.ask(`${question.id}> `, gone.signal);
    if (words === null) break;
    if (words.trim() === "" || words.trim() === "?") {
      const lines = choiceLines(question, clock.now(), painter(terminal));
      for (const line of lines.length === 0 ? ["    in your own words"] : lines) tell(terminal, line, 4);
      continue;
    }
    try {
      await answerQuestion(store, question.id, words, clock.now());
      return "answered";
    } catch (error) {
      terminal.err(`${plain(error instanceof Error ? error.message : String(error))}\n`);
    }
  }
  return gone.signal.aborted ? "answered" : "left";
}
