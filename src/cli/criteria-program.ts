/** `midwatch criteria …`: names, flags and help. */
import type { Command } from "commander";
import type { App } from "./app.ts";
import type { CriteriaFlags } from "./criteria-bench.ts";
import { jsonOption } from "./json-option.ts";

export interface CriteriaGroup {
  readonly program: Command;
  readonly command: (parent: Command, name: string, about: string) => Command;
  readonly app: App;
  readonly done: (code: number) => void;
}

export function addCriteria({ program, command, app, done }: CriteriaGroup): void {
  const parent = command(program, "criteria", "measure criteria by hand, here and now; nothing is recorded");
  const flags = (made: Command) =>
    made.option("--base <commit>", "what counts as changed since; else nobody said, and it cannot be told").addOption(jsonOption());
  flags(command(parent, "try", "measure one line and show its evidence"))
    .argument("<line...>", "as it would stand in a plan, such as: 'tests: npm test'")
    .action(async (words: string[], options: CriteriaFlags) =>
      done(await (await import("./criteria-try.ts")).criteriaTryCommand(app, words.join(" "), options)),
    );
  flags(command(parent, "check", "measure all criteria of a task"))
    .argument("<task>", "its key in the plan")
    .option("--plan <file>", "the task list; else the one that midwatch.jsonc names")
    .action(async (key: string, options: CriteriaFlags & { plan?: string }) =>
      done(await (await import("./criteria-check.ts")).criteriaCheckCommand(app, key, options)),
    );
}
