/** `midwatch batch add`: everything that can be wrong with a batch is found here, before anything is written. */
import { isKeyPart } from "../core/batch/job.ts";
import type { BatchSettings } from "../core/batch/settings.ts";
import { fillTemplate } from "../core/batch/template.ts";
import { MidwatchError } from "../core/error.ts";
import { type AddOutcome, addBatchList, type BatchToAdd } from "../engine/batch/add.ts";
import type { JobList } from "../ports/job-list.ts";
import type { App, LoadedConfig } from "./app.ts";
import { type BatchAddFlags, batchConfigFlags, toldSettings, volatileFields } from "./batch-flags.ts";
import { readWork, versionOf, workFolder } from "./batch-work.ts";
import { treeTopOrNull, withMadeStore } from "./command.ts";
import { refuseEvaluationJobs } from "./eval-refusal.ts";
import { tell } from "./layout.ts";
import { count, json, plain, someOf } from "./print.ts";

export async function batchAddCommand(app: App, name: string, command: readonly string[], flags: BatchAddFlags): Promise<number> {
  requireKeyPart(name, "the name of a batch");
  const config = await app.loadConfig(treeTopOrNull(app), batchConfigFlags(flags));
  for (const warning of config.warnings) app.terminal.err(`${plain(warning)}\n`);
  const batch = await describeBatch(app, { name, command, flags, config });
  const list = await (await app.jobLists()).read({ path: jobsOf(flags), ids: idsOf(flags), maxBytes: config.batch.maxJobBytes });
  try {
    await refuseEvaluationJobs(app, list);
    requireFields(batch.settings.work, list);
    const outcome = await withMadeStore(app, (store) => addBatchList(store, batch, list, app.clock.now()));
    return show(app, batch, flags, outcome);
  } finally {
    list.close();
  }
}

export function requireKeyPart(text: string, what: string): void {
  if (isKeyPart(text)) return;
  throw new MidwatchError(
    "usage",
    "E_BATCH_NAME",
    `${what} has 1 to 100 of A-Z, a-z, 0-9, ".", "_" and "-", the first a letter or digit; not ${JSON.stringify(text)}`,
    {
      hint: "for example: midwatch batch add 2026-11 --jobs questions.jsonl -- node answer.js",
    },
  );
}

interface Asked {
  readonly name: string;
  readonly command: readonly string[];
  readonly flags: BatchAddFlags;
  readonly config: LoadedConfig;
}

export async function describeBatch(app: App, { name, command, flags, config }: Asked): Promise<BatchToAdd> {
  const cwd = workFolder(flags.cwd);
  const work = await readWork(app, { command, flags, cwd, unpriced: config.batch.unpriced });
  const version = flags.version ?? versionOf(work);
  requireKeyPart(version, "a version");
  const { maxJobBytes: _ofTheList, ...defaults } = config.batch;
  const settings: BatchSettings = {
    ...{ ...defaults, work, cwd },
    matching: flags.parallel ? "parallel" : "sequential",
    onDivergence: flags.onDivergence ?? "stop",
    volatile: volatileFields(flags),
  };
  return { name, version, settings, told: toldSettings(flags) };
}

function jobsOf({ jobs }: BatchAddFlags): string {
  if (jobs !== undefined) return jobs;
  throw new MidwatchError("usage", "E_BATCH_JOBS", "a batch needs its list of jobs", {
    hint: "name a file with one JSON object a line, a CSV file or a folder: --jobs PATH",
  });
}

function idsOf({ id, byLine }: BatchAddFlags) {
  if (id !== undefined && byLine) throw new MidwatchError("usage", "E_FLAG", "give --id FIELD or --by-line, not both");
  if (byLine) return { kind: "line" } as const;
  return id === undefined ? ({ kind: "own" } as const) : ({ kind: "field", name: id } as const);
}

/** A prompt whose places no job can fill would fail at night. */
export function requireFields(work: BatchSettings["work"], list: JobList): void {
  if (work.kind === "command") return;
  for (const { id, payload } of list.all()) {
    const filled = fillTemplate(work.template, JSON.parse(payload));
    if (filled.kind === "missing")
      throw new MidwatchError("usage", "E_PROMPT_FIELD", `job ${id} has no field ${filled.fields.join(", ")}, which the prompt asks for`, {
        hint: "nothing was added: mend the prompt or the list",
      });
  }
}

function show(app: App, { name, version }: BatchToAdd, flags: BatchAddFlags, outcome: AddOutcome): number {
  if (outcome.kind !== "added") throw refusal(name, version, outcome);
  const { jobs, known } = outcome;
  if (flags.json) app.terminal.out(json({ batch: name, version, jobs, added: outcome.added, known }));
  else app.terminal.out(`batch ${name}, version ${version}: ${count(jobs, "job")}${known === 0 ? "" : `, ${known} known`}\n`);
  tell(app.terminal, outcome.added > 0 ? `start it with: midwatch batch run ${name}` : `nothing is new: midwatch batch status ${name}`);
  return 0;
}

function refusal(name: string, version: string, outcome: Exclude<AddOutcome, { kind: "added" }>): MidwatchError {
  const another = `midwatch batch add ${name}-2 …`;
  switch (outcome.kind) {
    case "other-version":
      return new MidwatchError(
        "usage",
        "E_BATCH_VERSION",
        `batch ${name} is there in version ${outcome.version}, and this would be ${version}: its command, prompt, schema or model differ`,
        { hint: `nothing was added: give the other one a name of its own: ${another}` },
      );
    case "other-settings":
      return new MidwatchError("usage", "E_BATCH_SETTINGS", `batch ${name} was added with ${outcome.differences.map(inWords).join(", ")}`, {
        hint: `nothing was added: leave that away, or take another name: ${another}`,
      });
    case "changed":
      return new MidwatchError(
        "usage",
        "E_BATCH_CHANGED",
        `${count(outcome.ids.length, "job")} of batch ${name} would be changed: ${someOf(outcome.ids)}`,
        { hint: `nothing was added: the same key is the same question; take another name and --version: ${another}` },
      );
  }
}

function inWords({ name, is, asked }: { readonly name: string; readonly is: unknown; readonly asked: unknown }): string {
  if (name === "work") return "another command, prompt, schema or model under this --version";
  return `${name} ${JSON.stringify(is)}, not ${JSON.stringify(asked)}`;
}
