/** Batches, jobs and clocks for the tests of the batch store. */
import { openMemoryStore } from "../../src/adapters/store/memory/open.ts";
import type { Moment } from "../../src/core/batch/lease.ts";
import type { BatchSettings } from "../../src/core/batch/settings.ts";
import type { BatchStore, JobClaim, NewJob } from "../../src/ports/batch-store.ts";
import type { Store } from "../../src/ports/store.ts";
import { openFile } from "./ledger-kit.ts";

export const bodies: readonly [name: string, make: () => Promise<Store>][] = [
  ["a SQLite file", () => openFile()],
  ["SQLite in memory", async () => openMemoryStore()],
];

export const settings: BatchSettings = {
  work: { kind: "command", command: ["answer"] },
  cwd: "/home/ana/questions",
  slots: 4,
  attempts: 3,
  leaseMs: 600_000,
  jobMs: 1_800_000,
  graceMs: 10_000,
  matching: "sequential",
  onDivergence: "stop",
  volatile: [],
  maxAnswerBytes: 10_000_000,
  batchMicroUsd: 200_000_000,
  jobMicroUsd: null,
  callMicroUsd: null,
  dayMicroUsd: null,
  monthMicroUsd: null,
  unpriced: "refuse",
};

export const name = "2026-11";
export const version = "v3";
export const leaseMs = 600_000;

export function jobs(count: number): readonly NewJob[] {
  return Array.from({ length: count }, (_, index) => ({ id: `j${index + 1}`, payload: JSON.stringify({ question: index + 1 }) }));
}

/** A store with one open batch of so many jobs. */
export async function withJobs(make: () => Promise<Store>, count: number, change: Partial<BatchSettings> = {}): Promise<Store> {
  const store = await make();
  await store.batches.addList({ name, version, settings: { ...settings, ...change } }, jobs(count), 1000);
  return store;
}

export const at = (ms: number, change: Partial<Moment> = {}): Moment => ({
  wallMs: 1_000_000 + ms,
  bootMs: 5000 + ms,
  bootId: "boot-1",
  ...change,
});

/** Takes the next job, which must be there. */
export async function take(batches: BatchStore, slot = "0.1", ms = 0): Promise<JobClaim> {
  const claim = await batches.claim(name, slot, leaseMs, () => at(ms));
  if (claim === null) throw new Error("no job was to be had");
  return claim;
}

export const done = (text = "42") => ({ kind: "done", answer: Buffer.from(text) }) as const;
export const failed = (reason = "exit code 1") => ({ kind: "failed", reason }) as const;
export const released = (reason = "provider limit", notBefore = 0) => ({ kind: "released", reason, notBefore }) as const;
