/** The command line: names, flags and help. Each command is a file of its own; those that bring much are loaded when they are called. */
import { Command, CommanderError, Option } from "commander";
import { exitCodes } from "../core/exit-codes.ts";
import { answerCommand } from "./answer.ts";
import type { App } from "./app.ts";
import { addBatch } from "./batch-program.ts";
import type { JsonOption } from "./command.ts";
import { addCriteria } from "./criteria-program.ts";
import { addEval } from "./eval-program.ts";
import { addGuard } from "./guard-program.ts";
import { initCommand } from "./init.ts";
import { jsonOption } from "./json-option.ts";
import type { LedgerFlags } from "./ledger-question.ts";
import type { ReconcileFlags } from "./ledger-reconcile.ts";
import type { PriceFlags } from "./prices.ts";
import type { ProviderFlags } from "./provider.ts";
import { reportCommand } from "./report.ts";
import type { RunOptions } from "./run-flags.ts";
import { statusCommand, whyCommand } from "./status.ts";
import { statusAllCommand } from "./status-all.ts";
import { pauseCommand, resumeInPlace, stopCommand } from "./stop.ts";
import { addTask } from "./task-program.ts";
import { addTeam } from "./team-program.ts";
import type { TrustFlags } from "./trust.ts";
import { watchCommand } from "./watch.ts";

/**
 * Runs one command line.
 * @param argv  arguments after the program's name
 * @returns the exit code; usage mistakes are 2. Throws what the command throws.
 */
export async function runProgram(app: App, argv: readonly string[]): Promise<number> {
  if (argv.length === 0) app.terminal.out(firstWords);
  if (argv.length === 0) return 0;
  let code = 0;
  const program = buildProgram(app, argv, (result) => {
    code = result;
  });
  try {
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
  return code;
}

function buildProgram(app: App, argv: readonly string[], done: (code: number) => void): Command {
  const program = new Command("midwatch")
    .description('The night watch for coding agents: works through your tasks while you sleep, and checks every "done" itself.')
    .version(app.version, "-v, --version")
    .helpOption("-h, --help")
    // `batch add` has a --version of its own.
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError("(see: midwatch --help)")
    .configureOutput({ writeOut: (text) => app.terminal.out(text), writeErr: (text) => app.terminal.err(text) })
    .addHelpText("after", `\n${exitCodeHelp()}`);
  addRun(program, app, argv, done);
  const simple = (name: string, about: string, work: (options: JsonOption) => Promise<number>) =>
    command(program, name, about)
      .addOption(jsonOption())
      .action(async (options: JsonOption) => done(await work(options)));
  simple("init", "write midwatch.jsonc and a first task list where they are missing", async (options) => initCommand(app, options));
  command(program, "status", "where the run of this working tree stands")
    .option("--all", "every run of this working tree, in a line each")
    .addOption(jsonOption())
    .action(async (options: JsonOption & { all?: boolean }) =>
      done(options.all ? await statusAllCommand(app, options) : await statusCommand(app, options)),
    );
  command(program, "watch", "show the run that goes on in this working tree; leaving the view does not end it")
    .addOption(jsonLines())
    .action(async (options: JsonOption) => done(await watchCommand(app, options)));
  simple("why", "one line on why the run stands still, or what it does", async (options) => whyCommand(app, options));
  command(program, "report", "what the run brought")
    .option("--run <id>", "another one than the last; see: midwatch status --all")
    .addOption(jsonOption())
    .action(async (options: JsonOption & { run?: string }) => done(await reportCommand(app, options)));
  simple("doctor", "look at everything a night needs; costs nothing", async (options) =>
    (await import("./doctor.ts")).doctorCommand(app, options),
  );
  simple("pause", "let the run pause after this window", async (options) => pauseCommand(app, options));
  command(program, "stop", "stop the run after this window")
    .option("--now", "end the window that is open, too")
    .addOption(jsonOption())
    .action(async (options: JsonOption & { now?: boolean }) => done(await stopCommand(app, options)));
  command(program, "answer", "answer a question; the first answer wins")
    .argument("<question>", "its name, such as Q1")
    .argument("<answer...>", "an option's text, number or letter, or your own words")
    .addOption(jsonOption())
    .action(async (id: string, words: string[], options: JsonOption) => done(await answerCommand(app, id, words, options)));
  command(program, "trust", "look at what the repository brings for agents (settings, hooks, MCP servers), and approve it as it is now")
    .option("--yes", "approve without being asked")
    .option("--list", "only look")
    .option("--revoke", "take back what was approved for this repository")
    .addOption(jsonOption())
    .action(async (flags: TrustFlags) => done(await (await import("./trust.ts")).trustCommand(app, flags)));
  const config = command(program, "config", "the settings");
  command(config, "show", "every setting and its value")
    .option("--origin", "and where each comes from")
    .addOption(jsonOption())
    .action(async (options: JsonOption & { origin?: boolean }) =>
      done(await (await import("./config-show.ts")).configShowCommand(app, options)),
    );
  addTask({ program, command, app, done });
  addCriteria({ program, command, app, done });
  addTeam({ program, command, app, argv, done });
  addGuard({ program, command, app, done });
  addBatch(program, command, app, argv, done);
  addEval({ program, command, app, argv, done });
  addLedger(program, app, done);
  addPrices(program, app, done);
  command(program, "demo", "a whole night in under a minute: no key, no network, no cost")
    .addOption(new Option("--agent <name>", "play it with your own Claude Code, still at no cost").choices(["claude"]))
    .option("--keep", "keep the scratch folder to look at")
    .action(async (options: { keep?: boolean; agent?: "claude" }) =>
      done(await app.demo({ keep: options.keep === true, agent: options.agent ?? null })),
    );
  command(
    program,
    "provider",
    "a stand-in for a model provider (Anthropic's API and OpenAI's) on loopback that plays a script; serves until a signal comes",
  )
    .requiredOption("--script <file>", "what it says, see docs/provider.md")
    .option("--port <n>", "instead of any free one")
    .option("--invoice <file>", "append each charge as a line of JSON")
    .addOption(jsonOption())
    .action(async (flags: ProviderFlags) => done(await (await import("./provider.ts")).providerCommand(app, flags)));
  return program;
}

const jsonLines = () => jsonOption("one JSON value a line: the events, and for a run its result at the end");

function addLedger(program: Command, app: App, done: (code: number) => void): void {
  const ledger = command(program, "ledger", "every call to a provider: what it cost, and whether others say the same");
  const picking = (made: Command) =>
    made
      .option("--run <id>", "of this run, or of the last one here: last")
      .option("--window <n>", "of this window of the run, else of the last run here")
      .option("--batch <id>", "of this batch")
      .option("--since <time>", "sent since: 2026-11-30, 2026-11-30T22:00, or 12h")
      .option("--until <time>", "sent before")
      .addOption(jsonOption());
  picking(command(ledger, "list", "the calls, a line each"))
    .option("--key <key>", "of this key, such as window:<id> or batch:job:version")
    .option("--state <states>", "open, done, cut, failed, unknown; several with commas between")
    .option("--limit <n>", "the last so many; else 100")
    .action(async (flags: LedgerFlags) => done(await (await import("./ledger.ts")).ledgerListCommand(app, flags)));
  picking(command(ledger, "sum", "what they cost together, and what the unknown ones may have cost"))
    .option("--by <what>", "run, window, task, model, day, state or agent; else run")
    .option("--key <key>", "of this key, such as window:<id> or batch:job:version")
    .option("--state <states>", "open, done, cut, failed, unknown; several with commas between")
    .action(async (flags: LedgerFlags & { by?: string }) => done(await (await import("./ledger.ts")).ledgerSumCommand(app, flags)));
  const format = () => new Option("--format <name>", "invoice, litellm, helicone, anthropic or openai; else told by the file");
  command(ledger, "prove", "ask the books whether a call was paid twice, and show the questions")
    .option("--run <id>", "of this run, or of the last one here: last")
    .option("--batch <id>", "of this batch")
    .option("--witness <file>", "and hold them against this log or export")
    .addOption(format())
    .addOption(jsonOption())
    .action(async (flags: LedgerFlags & { witness?: string; format?: string }) =>
      done(await (await import("./ledger-prove.ts")).ledgerProveCommand(app, flags)),
    );
  picking(command(ledger, "reconcile", "hold the ledger against a per-call log, or an export of sums"))
    .argument("<file>", "of the provider or a gateway, see docs/ledger.md")
    .addOption(format())
    .option("--settle", "close the unknown calls that the log explains: at its amounts, or as not charged")
    .action(async (file: string, flags: ReconcileFlags) =>
      done(await (await import("./ledger-reconcile.ts")).ledgerReconcileCommand(app, file, flags)),
    );
}

function addPrices(program: Command, app: App, done: (code: number) => void): void {
  const prices = command(program, "prices", "what models cost, in US$ for a million tokens");
  const provider = () => new Option("--provider <name>", "of this upstream only");
  command(prices, "show", "your own prices, or a model's, or a provider's")
    .argument("[model]", "as it is named on the wire, such as claude-sonnet-4-5")
    .addOption(provider())
    .addOption(jsonOption())
    .action(async (model: string | undefined, flags: PriceFlags) =>
      done(await (await import("./prices.ts")).pricesShowCommand(app, model, flags)),
    );
  command(prices, "set", "a price of your own; it wins over the table's")
    .argument("<model>", "as it is named on the wire")
    .option("--input <usd>", "a million tokens of plain input")
    .option("--output <usd>", "a million tokens of output")
    .option("--cache-read <usd>", "read from the cache; else as input")
    .option("--cache-write <usd>", "written to the cache for five minutes; else 1.25 times input")
    .option("--cache-write-long <usd>", "written for an hour; else twice the input")
    .option("--searches <usd>", "a thousand web searches; else nothing")
    .addOption(provider())
    .addOption(jsonOption())
    .action(async (model: string, flags: PriceFlags) => done(await (await import("./prices.ts")).pricesSetCommand(app, model, flags)));
  command(prices, "unset", "remove a price of your own")
    .argument("<model>", "as you set it")
    .addOption(provider())
    .addOption(jsonOption())
    .action(async (model: string, flags: PriceFlags) => done(await (await import("./prices.ts")).pricesUnsetCommand(app, model, flags)));
  command(prices, "update", "fetch the newest table; without it the one of this version is used")
    .option("--from <url>", "a mirror, instead of the table's own address at raw.githubusercontent.com")
    .addOption(jsonOption())
    .action(async (flags: PriceFlags) => done(await (await import("./prices.ts")).pricesUpdateCommand(app, flags)));
}

function addRun(program: Command, app: App, argv: readonly string[], done: (code: number) => void): void {
  command(program, "run", "work through the plan; a run that was left in this tree is taken up again")
    .argument("[plan]", "the task list; else the one that midwatch.jsonc names")
    .argument("[command...]", "after --: the agent program and its arguments")
    .usage("[options] [plan] [-- agent program and arguments]")
    .option("--board", "the tasks of the repository's board instead of a list; see: midwatch task --help")
    .option("--member <name:role>", "with --board: under this name, as one of several; see: midwatch team --help")
    .option("--team <name>", "with --member: what the team is called")
    .option("--prompt <file>", "a repeated prompt instead of a task list")
    .option("--every <time>", "with --prompt: at most one window in this time")
    .option("--iterations <n>", "with --prompt: so many windows")
    .option("--minutes <n>", "with --prompt: so long")
    .option("--branch <name>", "make this branch first and work on it")
    .option("--windows <n>", "limit of windows")
    .option("--max-usd <amount>", "money cap of the run")
    .option("--window-usd <amount>", "money cap of a window")
    .option("--window-time <time>", "clock of a window, such as 3h")
    .option("--idle-time <time>", "how long a window may be silent")
    .option("--for <time>", "clock of the run, such as 8h")
    .option("--leftovers <what>", "what a window that ended badly left uncommitted: ask, or next-window")
    .option("--containment <how>", "auto, namespace or partial")
    .option("--ignore-repo-settings", "go without the settings for agents that the repository brings, instead of having them approved")
    .option("--no-sandbox", "let the agent write wherever you can, and see what you can see")
    .option("--no-wait", "end with exit code 75 instead of waiting for a provider")
    .option("--stay", "stay and wait for answers instead of ending with exit code 3")
    .option("--foreground", "this process is the run, also at a terminal")
    .option("--dry-run", "show what would be done, and do nothing")
    .option("--print-prompt", "print the first window's prompt, and do nothing")
    .addOption(jsonLines())
    .action(async (plan: string | undefined, _command: string[], options: RunOptions) => {
      const [planName, agent] = splitAtDashes(argv, plan);
      return done(await (await import("./run.ts")).runCommand(app, planName, agent, options, argv));
    });
  command(program, "resume", "let a paused run go on, or take up one that waits")
    .option("--foreground", "this process is the run, also at a terminal")
    .option("--stay", "stay and wait for answers instead of ending with exit code 3")
    .addOption(jsonLines())
    .action(async (options: RunOptions) => {
      const inPlace = await resumeInPlace(app, options);
      done(inPlace ?? (await (await import("./run.ts")).resumeCommand(app, options, argv)));
    });
}

/** What stands after `--` is the agent's, byte for byte; a plan stands before it. */
function splitAtDashes(argv: readonly string[], plan: string | undefined): readonly [plan: string | undefined, agent: readonly string[]] {
  const dashes = argv.indexOf("--");
  if (dashes < 0) return [plan, []];
  const agent = argv.slice(dashes + 1);
  // Commander counts the first word after `--` as the plan when there is none before it.
  const planIsBefore = plan !== undefined && argv.slice(0, dashes).includes(plan);
  return [planIsBefore ? plan : undefined, agent];
}

function command(parent: Command, name: string, about: string): Command {
  const made = parent.command(name).description(about).exitOverride();
  const words = parent.parent === null ? name : `${parent.name()} ${name}`;
  return made.showHelpAfterError(`(see: midwatch ${words} --help)`);
}

export function exitCodeHelp(): string {
  return `Exit codes:\n${Object.entries(exitCodes)
    .map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`)
    .join("\n")}`;
}

const firstWords = `midwatch runs coding agents through a task list while you sleep, and checks every "done" itself.

  try     midwatch demo      under a minute, no key, nothing leaves this machine
  start   midwatch init      writes midwatch.jsonc and a first task list
  look    midwatch doctor    what a night needs, looked at now
  run     midwatch run       works through the list; midwatch status shows where it is

midwatch --help has the rest.
`;
