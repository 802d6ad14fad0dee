/** `midwatch batch …`: names, flags and help. The commands are files of their own and are loaded when they are called. */
import type { Command } from "commander";
import type { App } from "./app.ts";
import { addBatchBooks } from "./batch-books-program.ts";
import type { BatchRunFlags } from "./batch-run.ts";
import type { BatchStopFlags } from "./batch-stop.ts";
import type { JsonOption } from "./command.ts";
import { jsonOption } from "./json-option.ts";

type AddCommand = (parent: Command, name: string, about: string) => Command;

export function addBatch(program: Command, command: AddCommand, app: App, argv: readonly string[], done: (code: number) => void): void {
  const batch = command(program, "batch", "a list of jobs that is worked through at night, and never paid twice");
  addBatchBooks({ batch, command, app, argv, done });
  command(batch, "run", "work through it until every job has ended; what was left is taken up again")
    .argument("<name>", "the batch")
    .option("--slots <n>", "jobs at once; else what it was added with")
    .option("--cap <usd>", "another cap on its money, from now on")
    .option("--job-cap <usd>", "another cap on the money of each job, from now on")
    .addOption(jsonOption("one JSON value a line: each attempt, and the end"))
    .action(async (name: string, flags: BatchRunFlags) => done(await (await import("./batch-run.ts")).batchRunCommand(app, name, flags)));
  command(batch, "pause", "begin no further job until it is run again")
    .argument("<name>", "the batch")
    .addOption(jsonOption())
    .action(async (name: string, flags: JsonOption) => done(await (await import("./batch-stop.ts")).batchPauseCommand(app, name, flags)));
  command(batch, "stop", "let its supervisors leave when their jobs have ended, or after the grace")
    .argument("<name>", "the batch")
    .option("--now", "end the jobs that run, too; they are given back")
    .addOption(jsonOption())
    .action(async (name: string, flags: BatchStopFlags) =>
      done(await (await import("./batch-stop.ts")).batchStopCommand(app, name, flags)),
    );
  batch
    .command("answer", { hidden: true })
    .argument("<work>")
    .action(async (path: string) => done(await (await import("./batch-answer.ts")).batchAnswerCommand(app, path)));
}
