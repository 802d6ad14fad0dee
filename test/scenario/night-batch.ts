/** Batches in a temp folder: jobs of `test/fixtures/jobs/ask.mjs`, the scripted provider with an invoice, and supervisors as real processes. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { BatchSettings } from "../../src/core/batch/settings.ts";
import type { AttemptRecord, JobRecord } from "../../src/ports/batch-store.ts";
import type { CallRecord } from "../../src/ports/ledger.ts";
import type { ProviderCall, ScriptedConversation } from "../../src/ports/provider.ts";
import type { Store } from "../../src/ports/store.ts";
import { startProvider } from "../../src/provider/server.ts";
import { makeFolder } from "../fixtures/repositories.ts";
import { type Charge, readInvoice, setPrices, withStoreOf } from "./booked.ts";
import { makeNight, type Night } from "./kit.ts";
import { type Running, start, watchProgram } from "./program.ts";

export interface BatchJob {
  readonly id: string;
  readonly calls?: number;
  readonly end?: "answer" | "nothing" | "fail" | "hang" | "gigabyte" | "children";
}

export interface BatchScene {
  readonly jobs: readonly BatchJob[];
  readonly command?: readonly [string, ...string[]];
  readonly settings?: Partial<BatchSettings>;
  readonly conversations?: readonly ScriptedConversation[];
  /** Milliseconds before an answer begins. */
  readonly firstByteMs?: number;
  /** Called before the state folder is written to. */
  readonly prepare?: (night: Night) => void;
}

export interface BatchNight extends Night {
  readonly state: string;
  readonly calls: readonly ProviderCall[];
  readonly invoicePath: string;
  /** Called at each request, when it is charged and before it is answered. */
  onCall(listener: (call: ProviderCall) => void): void;
  supervise(options?: {
    readonly env?: Readonly<Record<string, string>>;
    readonly faults?: boolean;
    readonly slots?: number;
    readonly flags?: readonly string[];
  }): Running;
  invoice(): readonly Charge[];
  rows(): Promise<readonly CallRecord[]>;
  job(id: string): Promise<JobRecord>;
  jobs(): Promise<readonly JobRecord[]>;
  attempts(id: string): Promise<readonly AttemptRecord[]>;
  answer(id: string): Promise<unknown>;
  withStore<T>(look: (store: Store) => Promise<T>): Promise<T>;
}

export const batch = "night";
const version = "v1";
/** What a call of these jobs costs: 20 tokens at US$ 20 for a million. */
export const callMicroUsd = 400;
const program = join(import.meta.dirname, "../fixtures/jobs/ask.mjs");
const faultyProgram = join(import.meta.dirname, "../../build/midwatch-faults.js");

export const keyOf = (job: string): string => `${batch}:${job}:${version}`;

export async function makeBatchNight(scene: BatchScene): Promise<BatchNight> {
  const { conversations = [], firstByteMs = 0 } = scene;
  const invoicePath = join(makeFolder(), "invoice.jsonl");
  const listeners = new Set<(call: ProviderCall) => void>();
  const provider = await startProvider({
    script: { conversations: [...conversations, { steps: [{ text: "Yes.", usage: { input: 7, output: 20 }, firstByteMs }] }] },
    invoicePath,
    onCall: (call) => {
      for (const listener of listeners) listener(call);
    },
  });
  onTestFinished(() => provider.close());
  const night = makeNight({ plan: null, config: null });
  const state = join(night.folder, "state/midwatch");
  scene.prepare?.(night);
  setPrices(night, { scripted: { output: 20 } });
  const withStore = <T>(look: (store: Store) => Promise<T>) => withStoreOf(night, look);
  await withStore((store) => addJobs(store, scene, night.repo.path));
  const env = { ...night.env, ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: "sk-held" };
  const running = new Set<Running>();
  onTestFinished(async () => {
    for (const one of running) await one.kill();
  });
  return {
    ...{ ...night, state, invoicePath, calls: provider.calls, withStore },
    onCall: (listener) => void listeners.add(listener),
    supervise({ env: more = {}, faults = false, slots, flags = [] } = {}) {
      const args = ["batch", "run", batch, "--json", ...(slots === undefined ? [] : ["--slots", String(slots)]), ...flags];
      const options = { cwd: night.repo.path, env: { ...env, ...more } };
      const one = faults ? startFaulty(args, options) : start(args, options);
      running.add(one);
      return one;
    },
    invoice: () => readInvoice(invoicePath),
    rows: () => withStore(({ ledger }) => ledger.calls({ batch, limit: 10_000 })),
    job: (id) => withStore(async ({ batches }) => found(await batches.job(batch, id), id)),
    jobs: () => withStore(({ batches }) => batches.jobs(batch, { limit: 10_000 })),
    attempts: (id) => withStore(({ batches }) => batches.attempts(batch, id)),
    answer: (id) => withStore(async ({ batches }) => JSON.parse(Buffer.from(found(await batches.answer(batch, id), id)).toString())),
  };
}

function startFaulty(args: readonly string[], options: { readonly cwd: string; readonly env: Record<string, string> }): Running {
  const child = spawn(process.execPath, [faultyProgram, ...args], { ...options, stdio: ["ignore", "pipe", "pipe"] });
  return watchProgram(child, true);
}

function found<T>(value: T | null, id: string): T {
  if (value === null) throw new Error(`there is nothing of job ${id}`);
  return value;
}

async function addJobs(
  { batches }: Store,
  { jobs, settings = {}, command = [process.execPath, program] }: BatchScene,
  cwd: string,
): Promise<void> {
  const all: BatchSettings = {
    ...{ work: { kind: "command", command }, cwd, slots: 2, attempts: 3, leaseMs: 60_000, jobMs: 60_000, graceMs: 5000 },
    ...{ matching: "sequential", onDivergence: "stop", volatile: [], maxAnswerBytes: 1_000_000, unpriced: "refuse" },
    ...{ batchMicroUsd: 1e9, jobMicroUsd: null, callMicroUsd: null, dayMicroUsd: null, monthMicroUsd: null },
    ...settings,
  };
  await batches.addBatch({ name: batch, version, settings: all }, Date.now());
  await batches.addJobs(
    batch,
    jobs.map((job) => ({ id: job.id, payload: JSON.stringify(job) })),
    Date.now(),
  );
}

/** What must hold after any night that came to its end: one line for each thing that does not. */
export async function complaintsOf(night: BatchNight): Promise<readonly string[]> {
  const [jobs, rows] = [await night.jobs(), await night.rows()];
  const known = new Set(rows.map(({ result }) => result?.providerRequestId));
  const unknown = rows.filter(({ state }) => state === "unknown").map(({ request }) => request.hash);
  const extra = night.invoice().filter(({ request }) => !known.has(request));
  const places = rows.filter(({ state, late }) => state === "done" && !late).map(({ key: { key, seq } }) => `${key} call ${seq}`);
  return [
    ...jobs.filter(({ state }) => state !== "done").map(({ id, state, reason }) => `job ${id} is ${state}: ${reason}`),
    ...rows.filter(({ state }) => state === "open").map(({ key: { key, seq } }) => `${key} call ${seq} is still open`),
    ...extra.filter((charge) => !unknown.includes(charge.body_sha256)).map(({ request }) => `charge ${request} is nowhere in the books`),
    ...places.filter((place, index) => places.indexOf(place) !== index).map((place) => `${place} was paid twice`),
  ];
}
