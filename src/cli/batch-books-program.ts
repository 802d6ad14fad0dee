/** The commands of `midwatch batch` that add jobs and look at what came of them: names, flags and help. */
import { type Command, Option } from "commander";
import { MidwatchError } from "../core/error.ts";
import type { App } from "./app.ts";
import type { BatchAddFlags } from "./batch-flags.ts";
import type { BatchProveFlags } from "./batch-prove.ts";
import type { BatchReportFlags } from "./batch-report.ts";
import type { BatchRetryFlags } from "./batch-retry.ts";
import type { JsonOption } from "./command.ts";
import { jsonOption } from "./json-option.ts";
import { addWorkFlags } from "./work-flags.ts";

export interface BatchGroup {
  readonly batch: Command;
  readonly command: (parent: Command, name: string, about: string) => Command;
  readonly app: App;
  readonly argv: readonly string[];
  readonly done: (code: number) => void;
}

export function addBatchBooks(group: BatchGroup): void {
  addAdd(group);
  const { batch, command, app, done } = group;
  command(batch, "status", "all batches, or how one stands")
    .argument("[name]", "the batch")
    .addOption(jsonOption())
    .action(async (name: string | undefined, flags: JsonOption) =>
      done(await (await import("./batch-status.ts")).batchStatusCommand(app, name, flags)),
    );
  addLooks(group);
  addArchives(group);
}

function addLooks({ batch, command, app, done }: BatchGroup): void {
  command(batch, "show", "what happened to one job: attempts, calls, money, answer")
    .argument("<name>", "the batch")
    .argument("<job>", "its id")
    .addOption(jsonOption())
    .action(async (name: string, job: string, flags: JsonOption) =>
      done(await (await import("./batch-show.ts")).batchShowCommand(app, name, job, flags)),
    );
  command(batch, "report", "what it brought: answers, attempts, cost, slowest, failed, unknown")
    .argument("<name>", "the batch")
    .option("--jsonl", "a line of JSON for each job, with its answer")
    .option("--csv", "the same as CSV")
    .addOption(jsonOption())
    .action(async (name: string, flags: BatchReportFlags) =>
      done(await (await import("./batch-report.ts")).batchReportCommand(app, name, flags)),
    );
  command(batch, "export", "write the answers into a folder, one file a job, or into a file *.jsonl")
    .argument("<name>", "the batch")
    .argument("<folder>", "nothing in it is overwritten")
    .addOption(jsonOption())
    .action(async (name: string, to: string, flags: JsonOption) =>
      done(await (await import("./batch-export.ts")).batchExportCommand(app, name, to, flags)),
    );
  command(batch, "prove", "show what was paid twice, if anything: four questions to the books, and to a witness beside them")
    .argument("<name>", "the batch")
    .option("--witness <file>", "what somebody else wrote down: a provider's invoice, a gateway's log; see docs/ledger.md")
    .option("--job <id>", "whose history is told")
    .addOption(jsonOption())
    .action(async (name: string, flags: BatchProveFlags) =>
      done(await (await import("./batch-prove.ts")).batchProveCommand(app, name, flags)),
    );
}

function addArchives({ batch, command, app, done }: BatchGroup): void {
  command(batch, "retry", "give failed jobs another try; what they paid is served again, unless they are asked anew")
    .argument("<name>", "the batch")
    .argument("[job...]", "else all that failed")
    .option("--anew", "ask their models once more: recorded answers are not served, and are paid again")
    .option("--dry-run", "say what it would do, and with --anew what may be paid again; change nothing")
    .addOption(jsonOption())
    .action(async (name: string, jobs: string[], flags: BatchRetryFlags) =>
      done(await (await import("./batch-retry.ts")).batchRetryCommand(app, name, jobs, flags)),
    );
  command(batch, "archive", "move a batch that has ended into a file of its own")
    .argument("<name>", "the batch")
    .addOption(jsonOption())
    .action(async (name: string, flags: JsonOption) =>
      done(await (await import("./batch-archive.ts")).batchArchiveCommand(app, name, flags)),
    );
  command(batch, "restore", "bring an archived batch back")
    .argument("<name>", "the batch")
    .addOption(jsonOption())
    .action(async (name: string, flags: JsonOption) =>
      done(await (await import("./batch-archive.ts")).batchRestoreCommand(app, name, flags)),
    );
}

function addAdd({ batch, command, app, argv, done }: BatchGroup): void {
  const add = command(batch, "add", "add a list of jobs, and say what answers one; nothing is started")
    .argument("<name>", "of the batch; the same name again adds to it")
    .argument("[command...]", "after --: the program that answers one job, and its arguments")
    .usage("[options] <name> --jobs <path> -- program and arguments")
    .option("--jobs <path>", "a file with one JSON object a line, a CSV file (*.csv), or a folder with one file a job")
    .option("--id <field>", "the field that names a job, or a JSON pointer; else `id`, else the line")
    .option("--by-line", "jobs are called as their lines are numbered")
    .option("--version <text>", "else the hash of command, prompt, schema and model")
    .option("--cwd <folder>", "where the command runs; else here")
    .option("--prompt <file>", "instead of a command: what one model is asked, with {{field}} for fields of the job")
    .option("--model <name>", "with --prompt: as it is called on the wire")
    .addOption(new Option("--provider <name>", "with --prompt: whose model it is; else anthropic").choices(["anthropic", "openai"]));
  addWorkFlags(add, "the batch").action(async (name: string, _command: string[], flags: BatchAddFlags) =>
    done(await (await import("./batch-add.ts")).batchAddCommand(app, name, commandIn(argv, name), flags)),
  );
}

/** What stands after `--` is the job's, byte for byte. */
export function commandIn(argv: readonly string[], name: string): readonly string[] {
  const dashes = argv.indexOf("--");
  const before = dashes < 0 ? argv : argv.slice(0, dashes);
  if (!before.includes(name))
    throw new MidwatchError("usage", "E_FLAG", "the name of the batch stands before --", {
      hint: "midwatch batch add NAME --jobs PATH -- COMMAND",
    });
  return dashes < 0 ? [] : argv.slice(dashes + 1);
}
