/** `midwatch task …`: names, flags and help. The commands are files of their own and are loaded when they are called. */
import { type Command, Option } from "commander";
import type { Wish } from "../core/person-move.ts";
import type { App } from "./app.ts";
import { jsonOption } from "./json-option.ts";
import type { TaskAddFlags } from "./task-add.ts";
import type { BoardFlags } from "./task-command.ts";
import type { TaskExportFlags } from "./task-export.ts";
import type { WordFlags } from "./task-flags.ts";
import type { TaskImportFlags } from "./task-import.ts";
import type { TaskListFlags } from "./task-list.ts";
import type { TaskMoveFlags } from "./task-move.ts";

export interface TaskGroup {
  readonly program: Command;
  readonly command: (parent: Command, name: string, about: string) => Command;
  readonly app: App;
  readonly done: (code: number) => void;
}

export function addTask({ program, command, app, done }: TaskGroup): void {
  const parent = command(program, "task", "the tasks of this repository's board, or of the last run's plan");
  const own = (name: string, about: string) =>
    command(parent, name, about).option("--board", "the repository's board, though there is a plan file");
  const any = (name: string, about: string) =>
    own(name, about).option("--plan <file>", "the tasks of this plan file, as its last run left them");
  addWords(own, app, done);
  any("list", "the tasks, a line each")
    .option("--state <states>", "only these; several with commas between")
    .addOption(jsonOption())
    .action(async (flags: TaskListFlags) => done(await (await import("./task-list.ts")).taskListCommand(app, flags)));
  any("show", "everything about a task, and its history")
    .argument("<key>", "such as T-7")
    .addOption(jsonOption())
    .action(async (key: string, flags: BoardFlags) => done(await (await import("./task-show.ts")).taskShowCommand(app, key, flags)));
  any("why", "one line on why a task does not move")
    .argument("<key>", "such as T-7")
    .addOption(jsonOption())
    .action(async (key: string, flags: BoardFlags) => done(await (await import("./task-why.ts")).taskWhyCommand(app, key, flags)));
  const mover = (wish: Wish, about: string, why: string) =>
    any(wish, about)
      .argument("<key...>", "such as T-7; of several all are changed, or none")
      .option("--why <text>", why)
      .addOption(jsonOption())
      .action(async (keys: string[], flags: TaskMoveFlags) =>
        done(await (await import("./task-move.ts")).taskMoveCommand(app, wish, keys, flags)),
      );
  mover("done", "close tasks: a person says that they are done", "for the history");
  mover("block", "put tasks aside until they are tried again", "the reason, which must be given");
  mover(
    "retry",
    "set tasks going again that failed, are blocked, or are done after all",
    "for the history; must be given for a task that is done",
  );
  own("import", "take over a list: check boxes, a task file or prd.json")
    .argument("<file>", "see docs/spec/plan.md")
    .option("--dry-run", "show what would be added and changed, and change nothing")
    .option("--yes", "yes to tasks of which nothing can be checked, too")
    .addOption(jsonOption())
    .action(async (file: string, flags: TaskImportFlags) =>
      done(await (await import("./task-import.ts")).taskImportCommand(app, file, flags)),
    );
  any("export", "write the tasks as a list that reads back the same")
    .argument("[file]", "a new one; else standard output")
    .addOption(new Option("--format <name>", "md, or json; else md").choices(["md", "json"]))
    .option("--marks <file>", "set the marks in this list instead, and change nothing else in it")
    .addOption(jsonOption())
    .action(async (file: string | undefined, flags: TaskExportFlags) =>
      done(await (await import("./task-export.ts")).taskExportCommand(app, file, flags)),
    );
}

function addWords(own: (name: string, about: string) => Command, app: App, done: TaskGroup["done"]): void {
  const each = (text: string, texts: readonly string[] = []) => [...texts, text];
  const words = (made: Command) =>
    made
      .option("--objective <text>", "what is to be reached; - reads it from standard input")
      .option("--check <line>", "a criterion, as in a plan: 'run: npm test'; may be given again", each)
      .option("--context <text>", "where the agent should look; may be given again", each)
      .option("--after <keys>", "waits for these, with commas between")
      .option("--priority <n>", "smaller first; also high, medium, low");
  words(own("add", "put a task on the board"))
    .argument("<title...>", "may start with its key, as in a plan")
    .option("--key <key>", "such as T-7; else one is made")
    .option("--yes", "yes, though nothing of it can be checked")
    .addOption(jsonOption())
    .action(async (title: string[], flags: TaskAddFlags) =>
      done(await (await import("./task-add.ts")).taskAddCommand(app, title.join(" "), flags)),
    );
  words(own("edit", "change words of a task; what is not given stays, an empty value takes away"))
    .argument("<key>", "such as T-7")
    .option("--title <text>", "another title")
    .addOption(jsonOption())
    .action(async (key: string, flags: WordFlags) => done(await (await import("./task-add.ts")).taskEditCommand(app, key, flags)));
}
