/** `midwatch answer Q1 "…"`: the first answer wins. */
import { answerQuestion, isSupervised } from "../engine/people.ts";
import type { App } from "./app.ts";
import { existingStore, type JsonOption } from "./command.ts";
import { json, plain } from "./print.ts";

export async function answerCommand(app: App, id: string, words: readonly string[], options: JsonOption): Promise<number> {
  const store = await existingStore(app);
  try {
    const { question, first } = await answerQuestion(store, id, words.join(" "), app.clock.now());
    const run = await store.run(question.run);
    const alive = run !== null && isSupervised(run, await app.processes("auto"));
    const next = alive || run?.phase === "ended" ? "" : "go on with: midwatch resume";
    if (options.json) app.terminal.out(json({ question, first, next }));
    else {
      app.terminal.out(
        first
          ? `${question.id}: ${plain(question.answer ?? "")}\n`
          : `${question.id} was answered already: ${plain(question.answer ?? "")} (${question.answeredBy})\n`,
      );
      if (next !== "") app.terminal.err(`${next}\n`);
    }
    return first ? 0 : 1;
  } finally {
    await store.close();
  }
}
