/** What answers a job: a command, or a prompt for a model. Read and checked before it is frozen in its batch. */
import { createHash } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { BatchSettings } from "../core/batch/settings.ts";
import { MidwatchError } from "../core/error.ts";
import { noPriceError } from "../engine/unpriced.ts";
import type { App } from "./app.ts";
import type { BatchAddFlags } from "./batch-flags.ts";

type Work = BatchSettings["work"];
type PromptWork = Extract<Work, { kind: "prompt" }>;

export interface AskedWork {
  readonly command: readonly string[];
  readonly flags: BatchAddFlags;
  readonly cwd: string;
  readonly unpriced: "refuse" | "allow";
}

const mostFileBytes = 16 * 1024 * 1024;
const defaultMaxTokens = 4096;
const example = "for example: midwatch batch add NAME --jobs jobs.jsonl -- node answer.js";

export async function readWork(app: App, asked: AskedWork): Promise<Work> {
  const { command, flags } = asked;
  const [program, ...args] = command;
  if (flags.prompt !== undefined && program !== undefined) throw usage("give a command after -- or --prompt FILE, not both", example);
  if (flags.prompt !== undefined) return readPrompt(app, flags.prompt, asked);
  if (program === undefined)
    throw usage("nothing says what answers a job", `give a command after --, or --prompt FILE --model NAME; ${example}`);
  refuseStray(flags);
  const found = await app.findProgram(program, asked.cwd);
  if (found.kind === "missing")
    throw usage(found.detail, "it is started as it stands after --, in the folder of --cwd or else in this one");
  return { kind: "command", command: [program, ...args] };
}

function refuseStray({ model, provider, schema, maxTokens }: BatchAddFlags): void {
  const [stray] = Object.entries({ "--model": model, "--provider": provider, "--schema": schema, "--max-tokens": maxTokens }).filter(
    ([, value]) => value !== undefined,
  );
  if (stray !== undefined) throw usage(`${stray[0]} goes with --prompt FILE`, "a command says itself what it asks of which model");
}

async function readPrompt(app: App, path: string, { flags, unpriced }: AskedWork): Promise<PromptWork> {
  const { model, provider = "anthropic" } = flags;
  if (model === undefined) throw usage("--prompt needs --model NAME", "name the model as it is called on the wire");
  const template = await readFile(app, path);
  if (template.trim() === "")
    throw usage(`${path}: the prompt is empty`, "write what is asked of the model, with {{field}} for fields of the job");
  const schema = flags.schema === undefined ? null : await readSchema(app, flags.schema);
  const maxOutputTokens = maxTokensOf(flags.maxTokens);
  await requirePrice(app, { provider, model, unpriced });
  return { kind: "prompt", provider, model, template, schema, maxOutputTokens };
}

async function readFile(app: App, path: string): Promise<string> {
  const file = await app.files.readText(resolve(path), mostFileBytes);
  if (file.kind === "text") return file.text;
  throw usage(`${path}: ${file.kind === "absent" ? "there is no such file" : file.detail}`, "nothing was added");
}

async function readSchema(app: App, path: string): Promise<Readonly<Record<string, unknown>>> {
  const schema = parse(await readFile(app, path), path);
  if (typeof schema !== "object" || schema === null || Array.isArray(schema))
    throw usage(`${path}: a JSON Schema is an object { … }`, "nothing was added");
  const trouble = await app.schemaTrouble(schema as Readonly<Record<string, unknown>>);
  if (trouble !== null)
    throw usage(`${path}: this is no JSON Schema that answers can be checked by: ${trouble}`, "nothing was added: mend the schema");
  return schema as Readonly<Record<string, unknown>>;
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MidwatchError("usage", "E_BATCH_WORK", `${path}: this is no JSON`, { hint: "nothing was added: mend the schema", cause });
  }
}

function maxTokensOf(text: string | undefined): number {
  if (text === undefined) return defaultMaxTokens;
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw usage(`--max-tokens ${JSON.stringify(text)} is no number from 1 to 9999999`, "the most tokens that one answer may have");
}

/** D7: what costs money that nobody can count does not begin. */
async function requirePrice(
  app: App,
  { provider, model, unpriced }: { readonly provider: string; readonly model: string; readonly unpriced: "refuse" | "allow" },
): Promise<void> {
  if (unpriced === "allow" || (await app.prices()).of(provider, model, app.clock.now()) !== null) return;
  throw noPriceError(model, provider);
}

/** Real path of the folder in which the command runs. */
export function workFolder(given: string | undefined): string {
  const path = resolve(given ?? ".");
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return realpathSync(path);
  throw usage(`--cwd ${JSON.stringify(given)} is no folder`, "name the folder in which the command runs");
}

/** Short, and the same for the same work: E4. */
export function versionOf(work: Work): string {
  return createHash("sha256").update(JSON.stringify(work)).digest("hex").slice(0, 12);
}

function usage(message: string, hint: string): MidwatchError {
  return new MidwatchError("usage", "E_BATCH_WORK", message, { hint });
}
