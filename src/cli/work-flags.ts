/** The flags by which jobs are added, whether to a batch or to an evaluation: how the answer is checked, how hard it is tried, what it may cost. */
import { type Command, Option } from "commander";
import { jsonOption } from "./json-option.ts";

/** @param money  whose money `--cap` is */
export function addWorkFlags(command: Command, money: string): Command {
  return command
    .option("--schema <file>", "with --prompt: a JSON Schema that the answer must satisfy")
    .option("--max-tokens <n>", "with --prompt: the most an answer may have; else 4096")
    .option("--slots <n>", "jobs at once")
    .option("--attempts <n>", "tries of a job before it is failed")
    .option("--lease <time>", "how long a job stays with a slot that is not heard of")
    .option("--time <time>", "clock of one attempt")
    .option("--cap <usd>", `money of ${money}`)
    .option("--job-cap <usd>", "money of one job")
    .option("--parallel", "a job's requests may come in any order")
    .addOption(new Option("--on-divergence <what>", "when a job asks otherwise than the last time").choices(["stop", "pay"]))
    .option("--volatile <pointer>", "a field of request bodies that changes from try to try; may be given again", collect)
    .addOption(jsonOption());
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
