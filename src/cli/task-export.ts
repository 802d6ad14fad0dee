/** `midwatch task export`: the board as a list that reads back as the same tasks, as JSON, or as the marks in a list that was imported. */
import { mergeList } from "../core/board-words.ts";
import { MidwatchError } from "../core/error.ts";
import { lookAtBoard } from "../engine/board.ts";
import type { App } from "./app.ts";
import { showLines, tell } from "./layout.ts";
import { count, json, plain, someOf } from "./print.ts";
import { type BoardFlags, type FoundBoard, withBoard } from "./task-command.ts";
import { readListFile } from "./task-file.ts";
import { boardValue, taskValue } from "./task-value.ts";

export interface TaskExportFlags extends BoardFlags {
  readonly format?: "md" | "json";
  readonly marks?: string;
}

export async function taskExportCommand(app: App, path: string | undefined, flags: TaskExportFlags): Promise<number> {
  if (flags.marks !== undefined && path !== undefined)
    throw new MidwatchError("usage", "E_FLAG", "give a FILE to write, or --marks FILE, not both");
  return withBoard(app, flags, async (found) => {
    if (flags.marks !== undefined) return setMarks(app, found, flags.marks, flags);
    const text = await textOf(app, found, flags.format ?? (flags.json ? "json" : "md"));
    if (path === undefined) app.terminal.out(text);
    else await writeNew(app, path, text);
    return 0;
  });
}

async function textOf(app: App, { store, board }: FoundBoard, format: "md" | "json"): Promise<string> {
  const look = await lookAtBoard(store, board);
  if (format === "json") return json({ board: boardValue(board), tasks: look.tasks.map((task) => taskValue(task, look)) });
  const written = (await app.plans()).format(look.tasks.map((task) => ({ ...task, ticked: task.state === "done" })));
  if (written.kind === "text") return written.text;
  throw new MidwatchError("usage", "E_UNWRITABLE", `words of ${plain(someOf(written.keys))} would read as something else in Markdown`, {
    hint: "nothing was written; JSON takes them as they are: midwatch task export --format json",
  });
}

/** What is there stays there: it may be the only copy of somebody's list. */
async function writeNew(app: App, path: string, text: string): Promise<void> {
  if (await app.files.exists(path))
    throw new MidwatchError("usage", "E_FILE_EXISTS", `${path} is there already`, {
      hint: `nothing was written: name another file, or set the marks in this one: midwatch task export --marks ${path}`,
    });
  await app.files.writeAtomic(path, text);
  tell(app.terminal, `written: ${plain(path)}`);
}

async function setMarks(app: App, { store, board }: FoundBoard, path: string, flags: TaskExportFlags): Promise<number> {
  const tasks = await store.boards.tasks(board.id);
  const list = await readListFile(app, path);
  const { keysInList, added } = mergeList(tasks, list.tasks);
  const wanted = tasks.flatMap((task) => {
    const key = keysInList.get(task.key);
    return key === undefined ? [] : [[key, task.state === "done"] as const];
  });
  const text = list.withMarks(new Map(wanted));
  const before = new Map(list.tasks.map(({ key, ticked }) => [key, ticked]));
  const changed = (done: boolean) =>
    text === list.text ? [] : wanted.filter(([key, is]) => is === done && before.get(key) !== is).map(([key]) => key);
  const [set, taken] = [changed(true), changed(false)];
  if (text !== list.text) await app.files.writeAtomic(path, text);
  if (flags.json) app.terminal.out(json({ set, taken, unknown: added.map(({ title }) => title) }));
  else showLines(app.terminal, [`${plain(path)}: ${count(set.length, "mark")} set, ${taken.length} taken away`]);
  if (added.length > 0)
    tell(app.terminal, `${count(added.length, "task")} of the file ${added.length === 1 ? "is" : "are"} not on the board, and left alone`);
  return 0;
}
