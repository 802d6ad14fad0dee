/** `midwatch team …` and `midwatch tell`: names, flags and help. */
import type { Command } from "commander";
import type { JsonOption } from "./command.ts";
import type { CriteriaGroup } from "./criteria-program.ts";
import { jsonOption } from "./json-option.ts";
import type { TeamRunOptions } from "./team-run.ts";

/** Of `midwatch run`: what each member's run may be given too. */
const passed = ["--windows", "--max-usd", "--window-usd", "--window-time", "--idle-time", "--for", "--leftovers", "--containment"] as const;

export function addTeam({ program, command, app, argv, done }: CriteriaGroup & { readonly argv: readonly string[] }): void {
  const team = command(program, "team", "several agents on the repository's board, each in a working tree of its own");
  const run = command(team, "run", "start the members; each takes the next task of the board, and leaves when a minute brings nothing")
    .argument("[command...]", "after --: the agent program and its arguments")
    .usage("[options] [-- agent program and arguments]")
    .option("--member <name:role@path>", "who, as what, and in which working tree; once for each", collect, [])
    .option("--team <name>", "what the team is called; else as the folder is");
  for (const flag of passed) run.option(`${flag} <value>`, `of each member's run; see: midwatch run --help`);
  run
    .addOption(jsonOption("one JSON value a line: the events of all, and the result at the end"))
    .action(async (_command: string[], options: TeamRunOptions) =>
      done(await (await import("./team-run.ts")).teamRunCommand(app, options, [...flagsOf(run), ...agentOf(argv)])),
    );
  command(team, "status", "who works, who looks for work, who has left")
    .addOption(jsonOption())
    .action(async (options: JsonOption) => done(await (await import("./team.ts")).teamStatusCommand(app, options)));
  command(team, "stop", "stop every member after its window")
    .option("--now", "end the windows that are open, too")
    .addOption(jsonOption())
    .action(async (options: JsonOption & { now?: boolean }) => done(await (await import("./team.ts")).teamStopCommand(app, options)));
  command(program, "tell", "a message for a member of the team: it is read when the next window opens")
    .argument("<member>", "the name")
    .argument("<text...>", "what to tell")
    .addOption(jsonOption())
    .action(async (member: string, words: string[], options: JsonOption) =>
      done(await (await import("./team.ts")).tellCommand(app, member, words, options)),
    );
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function flagsOf(run: Command): readonly string[] {
  return passed.flatMap((flag) => {
    const value: unknown = run.getOptionValue(flag.slice(2).replace(/-./g, (pair) => pair.slice(1).toUpperCase()));
    return typeof value === "string" ? [flag, value] : [];
  });
}

/** Byte for byte, behind the dashes. */
function agentOf(argv: readonly string[]): readonly string[] {
  const dashes = argv.indexOf("--");
  return dashes < 0 ? [] : argv.slice(dashes);
}
