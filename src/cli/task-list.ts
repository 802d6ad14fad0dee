/** `midwatch task list`: a line a task. */
import { MidwatchError } from "../core/error.ts";
import type { TaskState } from "../core/task.ts";
import { lookAtBoard } from "../engine/board.ts";
import type { App } from "./app.ts";
import { cut, showTable, tell } from "./layout.ts";
import { count, json, type Paint, painter, plain } from "./print.ts";
import { type BoardFlags, withBoard } from "./task-command.ts";
import { boardValue, countStates, type TaskValue, taskStates, taskValue } from "./task-value.ts";

export interface TaskListFlags extends BoardFlags {
  readonly state?: string;
}

export async function taskListCommand(app: App, flags: TaskListFlags): Promise<number> {
  const states = statesOf(flags.state);
  return withBoard(app, flags, async ({ store, board, path }) => {
    const look = await lookAtBoard(store, board);
    const tasks = look.tasks.filter(({ state }) => states === null || states.has(state)).map((task) => taskValue(task, look));
    if (flags.json) app.terminal.out(json({ board: boardValue(board), tasks }));
    else {
      showTasks(app, tasks);
      const where = path === null ? "" : ` of ${plain(path)}`;
      const shown = states === null || look.tasks.length === tasks.length ? "" : `${count(tasks.length, "task")} shown; `;
      tell(app.terminal, `${shown}${count(look.tasks.length, "task")}${where}: ${countStates(look.tasks)}`);
    }
    return 0;
  });
}

/** Null = all. */
function statesOf(text: string | undefined): ReadonlySet<TaskState> | null {
  if (text === undefined) return null;
  const wanted = text.split(",").map((word) => word.trim());
  const known = wanted.filter((word): word is TaskState => taskStates.some((state) => state === word));
  if (known.length === wanted.length) return new Set(known);
  throw new MidwatchError("usage", "E_FLAG", `--state takes ${taskStates.join(", ")}; not ${JSON.stringify(text)}`);
}

const titleRoom = 40;

function showTasks(app: App, tasks: readonly TaskValue[]): void {
  const paint = painter(app.terminal);
  const isNarrow = app.terminal.columns.out !== null;
  const cells = tasks.map((task) => {
    const title = plain(task.title);
    const remark = plain(remarkOf(task));
    return [
      plain(task.key),
      stateWord(task.state, paint),
      isNarrow ? cut(title, titleRoom) : title,
      isNarrow ? cut(remark, titleRoom) : remark,
    ];
  });
  showTable(app.terminal, ["key", "state", "title", ""], cells);
}

function stateWord(state: TaskState, paint: Paint): string {
  if (state === "done") return paint("green", state);
  if (state === "failed") return paint("red", state);
  return state === "blocked" || state === "waiting-person" ? paint("cyan", state) : state;
}

/** Who has it, or what it waits for. */
function remarkOf({ state, owner, waitsFor, reason, question }: TaskValue): string {
  if (question !== null) return `waits for ${question}`;
  if (reason !== "") return reason;
  if (owner !== null) return `with ${owner}`;
  return state === "pending" && waitsFor.length > 0 ? `waits for ${waitsFor.join(", ")}` : "";
}
