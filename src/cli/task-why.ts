/** `midwatch task why KEY`: one line. */
import { whyTask } from "../core/task-why.ts";
import { lookAtBoard, taskNamed } from "../engine/board.ts";
import type { App } from "./app.ts";
import { showLines } from "./layout.ts";
import { json, plain } from "./print.ts";
import { type BoardFlags, withBoard } from "./task-command.ts";

export async function taskWhyCommand(app: App, key: string, flags: BoardFlags): Promise<number> {
  return withBoard(app, flags, async ({ store, board }) => {
    const look = await lookAtBoard(store, board);
    const task = taskNamed(look.tasks, key);
    const why = whyTask(task, look);
    if (flags.json) app.terminal.out(json({ task: task.key, state: task.state, why }));
    else showLines(app.terminal, [`${plain(task.key)} ${plain(why)}`]);
    return 0;
  });
}
