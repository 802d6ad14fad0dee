/** `midwatch status` and `midwatch why`. */
import { type RunStatus, runStatus } from "../engine/status.ts";
import type { App } from "./app.ts";
import { type JsonOption, withRun } from "./command.ts";
import { duration, json, money, type Paint, painter, plain } from "./print.ts";

export async function statusCommand(app: App, options: JsonOption): Promise<number> {
  const status = await currentStatus(app);
  app.terminal.out(options.json ? json(status) : statusText(status, app.clock.now(), painter(app.terminal)));
  return 0;
}

export async function whyCommand(app: App, options: JsonOption): Promise<number> {
  const { run, phase, why } = await currentStatus(app);
  app.terminal.out(options.json ? json({ run, phase, why }) : `${plain(why)}\n`);
  return 0;
}

async function currentStatus(app: App): Promise<RunStatus> {
  return withRun(app, async (store, run) => runStatus(store, await app.processes("auto"), run));
}

function statusText(status: RunStatus, now: number, paint: Paint): string {
  const { tasks, windows, money: spent } = status;
  const unknown = spent.unknownCostWindows === 0 ? "" : ` (${spent.unknownCostWindows} windows of unknown cost, charged by the floor)`;
  const head = [
    `${paint("bold", status.phase.toUpperCase())}  ${tasks.done}/${tasks.total} tasks, window ${windows.open?.number ?? windows.counted}/${windows.limit}, ${money(spent.spentMicroUsd)} of ${money(spent.capMicroUsd)}${unknown}, ${duration((status.endedAt ?? now) - status.startedAt)}`,
    plain(status.why),
  ];
  const list = status.taskList.map(
    (task) =>
      `  ${mark(task.state, paint)} ${plain(task.key)} ${plain(task.title)}${task.doneBy === "claimed" ? paint("yellow", "  (claimed)") : ""}${task.reason === "" ? "" : paint("dim", `  ${plain(task.reason)}`)}`,
  );
  return `${[...head, ...list].join("\n")}\n`;
}

function mark(state: string, paint: Paint): string {
  if (state === "done") return paint("green", "[x]");
  if (state === "failed") return paint("red", "[!]");
  return state === "blocked" ? paint("cyan", "[?]") : "[ ]";
}
