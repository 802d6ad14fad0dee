/** `midwatch guard …`: names, flags and help. */
import type { Command } from "commander";
import type { App } from "./app.ts";
import type { JsonOption } from "./command.ts";
import type { GuardFlags } from "./guard-test.ts";
import { jsonOption } from "./json-option.ts";

export interface GuardGroup {
  readonly program: Command;
  readonly command: (parent: Command, name: string, about: string) => Command;
  readonly app: App;
  readonly done: (code: number) => void;
}

export function addGuard({ program, command, app, done }: GuardGroup): void {
  const parent = command(program, "guard", "what the guards say to a command, and whether they hold; nothing is run");
  const judged = (name: "test" | "explain", about: string) =>
    command(parent, name, about)
      .argument("<command...>", "as an agent would give it to its shell, in quotes; with --tool the input as JSON")
      .option("--tool <name>", "another tool than Bash, such as Write")
      .option("--task <key>", "with what the plan allows for this task")
      .addOption(jsonOption())
      .action(async (words: string[], flags: GuardFlags) =>
        done(await (await import("./guard-test.ts")).guardTestCommand(app, words.join(" "), { ...flags, explains: name === "explain" })),
      );
  judged("test", "judge one command: exit code 0 = it passes, 11 = it is denied");
  judged("explain", "the same, and how it was read: commands, variables, the rule, and what a person would have to write");
  command(parent, "prove", "prove the guards with your own agent program, as before each run; costs nothing")
    .addOption(jsonOption())
    .action(async (flags: JsonOption) => done(await (await import("./guard-prove.ts")).guardProveCommand(app, flags)));
}
