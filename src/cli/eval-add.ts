/** `midwatch eval add`: a set with references, what answers a job of it, and what answers are held against. Nothing is started, and nothing paid. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { MidwatchError } from "../core/error.ts";
import { parseScorer, type Scorer } from "../core/eval/scorer.ts";
import { addEvaluation, type EvaluationAddOutcome, questionsOf, setTrouble } from "../engine/eval/add.ts";
import type { App, ConfigFlag } from "./app.ts";
import { describeBatch, requireFields, requireKeyPart } from "./batch-add.ts";
import { type BatchAddFlags, batchConfigFlags } from "./batch-flags.ts";
import { treeTopOrNull } from "./command.ts";
import { withEvaluations } from "./eval-command.ts";
import { tell } from "./layout.ts";
import { count, json, plain } from "./print.ts";

export interface EvalAddFlags extends Omit<BatchAddFlags, "jobs" | "byLine" | "provider"> {
  readonly set?: string;
  readonly score?: string;
}

export async function evalAddCommand(app: App, name: string, command: readonly string[], flags: EvalAddFlags): Promise<number> {
  requireKeyPart(name, "the name of an evaluation");
  const config = await app.loadConfig(treeTopOrNull(app), configFlags(flags));
  for (const warning of config.warnings) app.terminal.err(`${plain(warning)}\n`);
  const scorer = await readScorer(app, flags.score);
  const { batch: defaults, key } = config.evaluation;
  const batch = await describeBatch(app, {
    ...{ name, command, config: { ...config, batch: defaults } },
    flags: flags.prompt === undefined ? flags : { ...flags, provider: key.provider },
  });
  const ids = flags.id === undefined ? ({ kind: "own" } as const) : ({ kind: "field", name: flags.id } as const);
  const list = await (await app.jobLists()).read({ path: setOf(flags), ids, maxBytes: defaults.maxJobBytes });
  try {
    const trouble = setTrouble(list, scorer);
    if (trouble !== null) throw usage("E_EVAL_SET", `job ${trouble.id} of the set: ${trouble.why}`, "nothing was added: mend the set");
    requireFields(batch.settings.work, questionsOf(list));
    return await withEvaluations(app, "write", async (books) => {
      const outcome = await addEvaluation(books, { name, batch, scorer }, { list, now: app.clock.now() });
      if (outcome.kind !== "added") throw refusal(name, batch.version, outcome);
      const { jobs, added, known, references } = outcome;
      if (flags.json) app.terminal.out(json({ evaluation: name, version: batch.version, jobs, added, known, references }));
      else
        app.terminal.out(
          `evaluation ${name}, version ${batch.version}: ${count(jobs, "job")}${known === 0 ? "" : `, ${known} known`}${references === 0 ? "" : `, ${count(references, "reference")} changed`}\n`,
        );
      tell(app.terminal, `see what it will cost, and start it, with: midwatch eval run ${name}`);
      return 0;
    });
  } finally {
    list.close();
  }
}

function refusal(name: string, version: string, outcome: Exclude<EvaluationAddOutcome, { kind: "added" }>): MidwatchError {
  const another = "nothing was added: give it a --version of its own";
  const place = `version ${version} of evaluation ${name}`;
  if (outcome.kind === "changed")
    return usage("E_EVAL_CHANGED", `questions of ${place} would be changed: ${outcome.ids.slice(0, 10).join(", ")}`, another);
  if (outcome.kind === "other-settings")
    return usage("E_EVAL_SETTINGS", `${place} was added with another ${outcome.differences.map((one) => one.name).join(", ")}`, another);
  return usage("E_EVAL_VERSION", `${place} is there as another one`, another);
}

/** The budget's flags are the evaluations' own settings; the others say how jobs are worked on, as for a batch. */
function configFlags({ cap, jobCap, ...rest }: EvalAddFlags): readonly ConfigFlag[] {
  const budget = [
    { path: "eval.cap", flag: "--cap", value: cap },
    { path: "eval.jobCap", flag: "--job-cap", value: jobCap },
  ];
  return [...batchConfigFlags(rest), ...budget.filter(({ value }) => value !== undefined)];
}

function setOf({ set }: EvalAddFlags): string {
  if (set !== undefined) return set;
  throw usage(
    "E_EVAL_SET",
    "an evaluation needs its set",
    "name a file with one JSON object a line, each with its field expected: --set PATH",
  );
}

const scorers = "--score exact, regex, json:FIELD,FIELD or program:PATH";

async function readScorer(app: App, text: string | undefined): Promise<Scorer> {
  if (text === undefined) throw usage("E_EVAL_SCORER", "nothing says what answers are held against", scorers);
  const scorer = parseScorer(text);
  if (scorer === null) throw usage("E_EVAL_SCORER", `--score ${JSON.stringify(text)} is no scorer`, scorers);
  if (scorer.kind !== "program") return scorer;
  const found = await app.findProgram(resolve(scorer.path), resolve("."));
  if (found.kind === "missing") throw usage("E_EVAL_SCORER", found.detail, "a scorer is a program that can be started as it stands");
  return { kind: "program", path: realpathSync(scorer.path) };
}

function usage(code: string, message: string, hint: string): MidwatchError {
  return new MidwatchError("usage", code, message, { hint });
}
