/** `midwatch eval …`: names, flags and help. The commands are files of their own and are loaded when they are called. */
import type { Command } from "commander";
import type { BatchGroup } from "./batch-books-program.ts";
import { commandIn } from "./batch-books-program.ts";
import type { JsonOption } from "./command.ts";
import type { EvalAddFlags } from "./eval-add.ts";
import type { EvalReportFlags } from "./eval-report.ts";
import type { EvalRunFlags } from "./eval-run.ts";
import { jsonOption } from "./json-option.ts";
import { addWorkFlags } from "./work-flags.ts";

export interface EvalGroup extends Omit<BatchGroup, "batch"> {
  readonly program: Command;
}

export function addEval({ program, ...group }: EvalGroup): void {
  const { command, app, done } = group;
  const parent = command(
    program,
    "eval",
    "how good the answers are: a set with references, away from the night's work, its key and its money",
  );
  addAdd(parent, group);
  command(parent, "run", "say what it will cost, ask, answer what is not answered yet, and score it")
    .argument("<name>", "the evaluation")
    .option("--version <text>", "else the one that was added last")
    .option("--yes", "the price is agreed to; needed where nobody can be asked")
    .option("--retry", "give failed jobs another try")
    .option("--slots <n>", "jobs at once; else what it was added with")
    .addOption(jsonOption("one JSON value a line: the price, each attempt, and the report"))
    .action(async (name: string, flags: EvalRunFlags) => done(await (await import("./eval-run.ts")).evalRunCommand(app, name, flags)));
  command(parent, "status", "the versions of all evaluations, or of one")
    .argument("[name]", "the evaluation")
    .addOption(jsonOption())
    .action(async (name: string | undefined, flags: JsonOption) =>
      done(await (await import("./eval-report.ts")).evalStatusCommand(app, name, flags)),
    );
  command(parent, "report", "what one version came to: mean score, failures, cost, and the answers that were not right")
    .argument("<name>", "the evaluation")
    .option("--version <text>", "else the one that was added last")
    .addOption(jsonOption())
    .action(async (name: string, flags: EvalReportFlags) =>
      done(await (await import("./eval-report.ts")).evalReportCommand(app, name, flags)),
    );
  command(parent, "compare", "two versions, job by job: wins, losses, ties, mean difference and spread")
    .argument("<name>", "the evaluation")
    .argument("<a>", "a version")
    .argument("<b>", "the version that is held beside it")
    .addOption(jsonOption())
    .action(async (name: string, a: string, b: string, flags: JsonOption) =>
      done(await (await import("./eval-compare.ts")).evalCompareCommand(app, name, { a, b }, flags)),
    );
}

function addAdd(parent: Command, { command, app, argv, done }: Omit<EvalGroup, "program">): void {
  const add = command(parent, "add", "add a set, or a version of what answers it; nothing is started")
    .argument("<name>", "of the evaluation; the same name with another version is compared with it")
    .argument("[command...]", "after --: the program that answers one job, and its arguments")
    .usage("[options] <name> --set <path> --score <how> -- program and arguments")
    .option("--set <path>", "a file with one JSON object a line, or a CSV file; the field `expected` of each is its reference")
    .option("--score <how>", "exact, regex, json:FIELD,FIELD or program:PATH")
    .option("--id <field>", "the field that names a job, or a JSON pointer; else `id`, else the line")
    .option("--version <text>", "else the hash of command, prompt, schema and model")
    .option("--cwd <folder>", "where command and scorer run; else here")
    .option("--prompt <file>", "instead of a command: what one model is asked, with {{field}} for fields of the job")
    .option("--model <name>", "with --prompt: as it is called on the wire, of the provider that eval.provider names");
  addWorkFlags(add, "this version").action(async (name: string, _command: string[], flags: EvalAddFlags) =>
    done(await (await import("./eval-add.ts")).evalAddCommand(app, name, commandIn(argv, name), flags)),
  );
}
