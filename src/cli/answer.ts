/** `midwatch answer Q1 "…"`: the first answer wins. Questions are numbered for the whole user, so it may belong to another working tree: that is said. */
import { quoteForShell } from "../core/ground.ts";
import type { Question } from "../core/question.ts";
import { answerQuestion, isSupervised, nextStep } from "../engine/people.ts";
import type { Store } from "../ports/store.ts";
import type { App } from "./app.ts";
import { existingStore, type JsonOption, treeTopOrNull } from "./command.ts";
import { tell } from "./layout.ts";
import { requirePerson } from "./person-only.ts";
import { json, plain } from "./print.ts";

export async function answerCommand(app: App, id: string, words: readonly string[], options: JsonOption): Promise<number> {
  requirePerson(app, "midwatch answer");
  const store = await existingStore(app);
  try {
    const { question, first } = await answerQuestion(store, id, words.join(" "), app.clock.now());
    const { worktree, next } = await whatFollows(app, store, question);
    if (options.json) app.terminal.out(json({ question, first, worktree, next }));
    else {
      const answer = plain(question.answer ?? "");
      app.terminal.out(first ? `${question.id}: ${answer}\n` : `${question.id} was answered already: ${answer} (${question.answeredBy})\n`);
      if (worktree !== treeTopOrNull(app)) tell(app.terminal, `${question.id} belongs to the run in ${plain(worktree)}`);
      if (next !== "") tell(app.terminal, `go on with: ${plain(next)}`);
    }
    return first ? 0 : 1;
  } finally {
    await store.close();
  }
}

/** The same next command as `status` has, from here. */
async function whatFollows(app: App, store: Store, question: Question): Promise<{ readonly worktree: string; readonly next: string }> {
  const run = await store.run(question.run);
  if (run === null) return { worktree: "", next: "" };
  const open = await store.questions({ run: run.id, state: "open" });
  const next = nextStep(run, isSupervised(run, await app.processes("auto")), open);
  return {
    worktree: run.worktree,
    next: next === "" || run.worktree === treeTopOrNull(app) ? next : `cd ${quoteForShell(run.worktree)} && ${next}`,
  };
}
