/** `midwatch task show KEY`: its words, how it stands, what its last claim was measured by, and all that happened to it. */
import { describeUnfit, unfitness } from "../core/fit.ts";
import type { TaskKey } from "../core/ids.ts";
import { whyTask } from "../core/task-why.ts";
import { lookAtBoard, taskNamed } from "../engine/board.ts";
import type { TaskHistory } from "../ports/board.ts";
import type { Store, StoredEvidence } from "../ports/store.ts";
import type { App } from "./app.ts";
import { showEvidence } from "./criteria-bench.ts";
import { columns, labelled, showLines } from "./layout.ts";
import { json, painter, plain, pointInTime } from "./print.ts";
import { type BoardFlags, withBoard } from "./task-command.ts";
import { boardValue, type TaskValue, taskValue } from "./task-value.ts";

export async function taskShowCommand(app: App, key: string, flags: BoardFlags): Promise<number> {
  return withBoard(app, flags, async ({ store, board }) => {
    const look = await lookAtBoard(store, board);
    const found = taskNamed(look.tasks, key);
    const task = taskValue(found, look);
    const history = await store.boards.history(board.id, task.key);
    const evidence = await lastEvidence(store, task.key, history);
    const [why, unfit] = [whyTask(found, look), unfitness(found)];
    if (flags.json) app.terminal.out(json({ board: boardValue(board), task, why, unfit, evidence, history }));
    else {
      const paint = painter(app.terminal);
      showLines(app.terminal, [`${paint("bold", plain(task.key))}  ${plain(task.title)}`, `${plain(task.key)} ${plain(why)}`, ""]);
      showLines(app.terminal, wordLines(task, describeUnfit(unfit)), 13);
      if (evidence.length > 0) showLines(app.terminal, ["", paint("bold", "last claim")]);
      showEvidence(app, evidence);
      showLines(app.terminal, ["", paint("bold", "history"), ...historyLines(history, app.clock.now())], 6);
    }
    return 0;
  });
}

/** Of the last run that measured it. */
async function lastEvidence(store: Store, key: TaskKey, history: readonly TaskHistory[]): Promise<readonly StoredEvidence[]> {
  const run = history.findLast((row) => row.run !== null)?.run ?? null;
  const all = run === null ? [] : (await store.evidence(run)).filter(({ task }) => task === key);
  return all.filter(({ at }) => at === all.at(-1)?.at);
}

function wordLines({ after, priority, criteria, context, attempts, objective }: TaskValue, unfit: string): readonly string[] {
  const rows = (name: string, texts: readonly string[]) => texts.map((text, index) => [index === 0 ? name : "", plain(text)] as const);
  return labelled([
    ...rows("objective", objective === "" ? [] : objective.split("\n")),
    ...rows("checks", criteria),
    ...rows("context", context),
    ["after", plain(after.join(", "))],
    ["priority", priority === null ? "" : `${priority}`],
    ["attempts", attempts === 0 ? "" : `${attempts}`],
    ["unattended", unfit === "" ? "" : plain(`suits no unattended run: ${unfit}`)],
  ]).map((line) => `  ${line}`);
}

function historyLines(history: readonly TaskHistory[], now: number): readonly string[] {
  return columns(history.map((row) => historyCells(row, now))).map((line) => `  ${line}`);
}

function historyCells({ move, from, to, by, at, why }: TaskHistory, now: number): readonly string[] {
  const what = from === null || from === to ? move : `${move}: ${from} -> ${to ?? "gone"}`;
  return [pointInTime(at, now), what, plain(by), plain(why.trim().split("\n", 1)[0] ?? "")];
}
