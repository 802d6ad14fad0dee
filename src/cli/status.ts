/** `midwatch status` and `midwatch why`. */
import { type RunStatus, runStatus } from "../engine/status.ts";
import type { App } from "./app.ts";
import { type JsonOption, withRun } from "./command.ts";
import { columns, showLines } from "./layout.ts";
import { count, duration, json, type Paint, painter, plain, spending } from "./print.ts";
import { questionLines } from "./question-text.ts";
import { doneWords } from "./words.ts";

export async function statusCommand(app: App, options: JsonOption): Promise<number> {
  const status = await currentStatus(app);
  if (options.json) app.terminal.out(json(status));
  else showLines(app.terminal, statusLines(status, app.clock.now(), painter(app.terminal)));
  return 0;
}

export async function whyCommand(app: App, options: JsonOption): Promise<number> {
  const status = await currentStatus(app);
  const { run, phase, why, questions, next } = status;
  if (options.json) app.terminal.out(json({ run, phase, why, questions, next }));
  else showLines(app.terminal, whyLines(status, app.clock.now(), painter(app.terminal)));
  return 0;
}

async function currentStatus(app: App): Promise<RunStatus> {
  return withRun(app, async (store, run) => runStatus(store, await app.processes("auto"), run));
}

function statusLines(status: RunStatus, now: number, paint: Paint): readonly string[] {
  return [
    headLine(status, now, paint),
    ...whyLines(status, now, paint),
    ...columns(status.taskList.map((task) => taskCells(task, status.questions, paint))).map((line) => `  ${line}`),
  ];
}

/** Where the run stands, in figures. */
export function headLine(status: RunStatus, now: number, paint: Paint): string {
  const { tasks, money } = status;
  const spent = spending(money.spentMicroUsd, money.capMicroUsd, money.unknownCostWindows);
  const time = duration((status.endedAt ?? now) - status.startedAt);
  return `${paint("bold", phaseWord(status))}  ${tasks.done}/${tasks.total} tasks, ${windowsOf(status)}, ${spent}, ${time}`;
}

function phaseWord({ phase, supervised }: RunStatus): string {
  if (phase === "ended") return "ENDED";
  if (phase === "waiting-person") return "WAITING FOR YOU";
  if (!supervised) return "LEFT";
  return { running: "RUNNING", "waiting-provider": "WAITING FOR THE PROVIDER", paused: "PAUSED" }[phase];
}

function windowsOf({ windows }: RunStatus): string {
  return windows.open === null
    ? `${count(windows.counted, "window")} of ${windows.limit}`
    : `window ${windows.open.number} of ${windows.limit}`;
}

/** A question stands as a whole below the line; the others are what blocks single tasks. */
function whyLines(status: RunStatus, now: number, paint: Paint): readonly string[] {
  const waits = status.phase === "waiting-person" && status.questions.length > 0;
  return [
    waits ? `it waits for your answer: ${status.next}` : plain(status.why),
    ...(status.phase === "ended" ? [] : status.questions)
      .flatMap((question) => questionLines(question, now, paint))
      .map((line) => `  ${line}`),
  ];
}

function taskCells(task: RunStatus["taskList"][number], questions: RunStatus["questions"], paint: Paint): readonly string[] {
  const { key, title, state, doneBy } = task;
  const remark = state === "done" && doneBy !== "verified" ? paint("yellow", `(${doneWords(doneBy ?? "")})`) : "";
  // The question itself stands above.
  const asked = questions.find((question) => question.task === key);
  const reason = asked === undefined ? plain(task.reason) : `waits for ${asked.id}`;
  return [mark(state, paint), plain(key), [plain(title), remark, reason === "" ? "" : paint("dim", reason)].filter(Boolean).join("  ")];
}

function mark(state: string, paint: Paint): string {
  if (state === "done") return paint("green", "[x]");
  if (state === "failed") return paint("red", "[!]");
  return state === "blocked" ? paint("cyan", "[?]") : "[ ]";
}
