/**
 * `midwatch batch answer WORK`: the job program of a prompt batch, which midwatch starts itself. Reads the job from standard input, asks the model once through the gateway,
 * checks the answer against the schema and prints it. It is a job like any other: what it asks depends on nothing but the job.
 */

import type { BatchSettings } from "../core/batch/settings.ts";
import { fillTemplate } from "../core/batch/template.ts";
import { MidwatchError } from "../core/error.ts";
import type { App } from "./app.ts";

type PromptWork = Extract<BatchSettings["work"], { kind: "prompt" }>;

export async function batchAnswerCommand(app: App, path: string): Promise<number> {
  const work = await readWork(app, path);
  const filled = fillTemplate(work.template, JSON.parse(await app.readInput()));
  if (filled.kind === "missing") throw failed(`the job has no field ${filled.fields.join(", ")}`);
  const answer = await app.askModel({ ...work, prompt: filled.text });
  if (answer.kind === "failed") throw failed(answer.detail);
  app.terminal.out(`${answer.text}\n`);
  // Printed all the same: whoever asks why the job failed is shown it.
  if (answer.kind === "refused") throw failed(answer.detail);
  return 0;
}

async function readWork(app: App, path: string): Promise<PromptWork> {
  const file = await app.files.readText(path, 64 * 1024 * 1024);
  if (file.kind !== "text") throw failed(`${path} cannot be read`);
  return JSON.parse(file.text) as PromptWork;
}

const failed = (detail: string) => new MidwatchError("environment", "E_ANSWER", detail);
