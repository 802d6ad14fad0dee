/** Calls for the ledger's tests: small, whole, and of the true types. */
import { runId, taskKey, windowId } from "../../src/core/ids.ts";
import type { CallOwner, CallRequest, CallResult, RecordedAnswer } from "../../src/core/money/call.ts";
import type { Scope } from "../../src/core/money/cap.ts";
import type { ModelPrice } from "../../src/core/money/price.ts";
import type { CallClosing, CallIntent, Ledger, ReportedCall } from "../../src/ports/ledger.ts";
import type { Store } from "../../src/ports/store.ts";
import { newWindow, startRun } from "./store-samples.ts";

export const run = runId("run-1");
export const window = windowId("window-1");
export const owner: CallOwner = { kind: "window", run, window, task: taskKey("T1") };
export const batch = "2026-11";
export const job = (change: Partial<Extract<CallOwner, { kind: "job" }>> = {}): CallOwner => ({
  ...{ kind: "job", batch, job: `${batch}:215:v3`, attempt: 1, fence: null, round: 0 },
  ...change,
});

export const scopes: readonly Scope[] = [
  { kind: "window", id: window },
  { kind: "task", id: "1/T1" },
  { kind: "run", id: run },
  { kind: "day", id: "2026-11-30" },
  { kind: "month", id: "2026-11" },
];

const unit = {
  input: 3_000_000,
  output: 15_000_000,
  cacheRead: 300_000,
  cacheWrite: 3_750_000,
  cacheWriteLong: 6_000_000,
  searches: 10_000,
};
export const price: ModelPrice = { table: "genai-prices 0.1.8 (2026-09-23)", tiers: [{ above: -1, prices: unit }] };

export const request: CallRequest = {
  ...{ provider: "anthropic", format: "anthropic-messages", model: "claude-sonnet-4-5", stream: true, bodyBytes: 84_000 },
  ...{ maxOutputTokens: 32_000, answers: 1, writesCache: true, hash: "a".repeat(64), conversation: "c".repeat(64) },
};

export function intent(id: string, change: Partial<CallIntent> = {}): CallIntent {
  const place = { kind: "counted", seq: Number(/\d+/.exec(id)?.[0] ?? 1), try: 1 } as const;
  return { id, owner, request, place, upperMicroUsd: 200_000, price, scopes, caps: [], sentAt: 3000, ...change };
}

/** The n-th request of a job. */
export function asked(id: string, seq: number, change: Partial<CallIntent> = {}): CallIntent {
  const jobScopes: readonly Scope[] = [
    { kind: "job", id: `${batch}:215:v3` },
    { kind: "batch", id: batch },
  ];
  return intent(id, { owner: job(), place: { kind: "sequence", seq, onDivergence: "stop" }, scopes: jobScopes, ...change });
}

export const whole: CallResult = {
  ...{ end: "done", failure: null, status: 200 },
  usage: { input: 1200, output: 700, cacheRead: 30_000, cacheWrite: 900, cacheWriteLong: 0, searches: 0 },
  ...{ answeredModel: "claude-sonnet-4-5-20250929", providerRequestId: "req_1", messageId: "msg_1" },
  ...{ firstByteMs: 640, durationMs: 4800, answer: null },
};

export function answer(text: string | Uint8Array): RecordedAnswer {
  const headers = [
    ["content-type", "text/event-stream"],
    ["x-twice", "1"],
    ["x-twice", "2"],
  ] as const;
  return { status: 200, headers, body: typeof text === "string" ? new TextEncoder().encode(text) : text };
}

export function closing(id: string, result: Partial<CallResult> = {}, change: Partial<CallClosing> = {}): CallClosing {
  return { id, result: { ...whole, ...result }, costMicroUsd: 16_400, at: 8000, ...change };
}

export function reported(id: string, seq: number, change: Partial<ReportedCall> = {}): ReportedCall {
  const rest = { owner, request, result: whole, price, costMicroUsd: 16_400, scopes, subagent: false, at: 9000 };
  return { id, key: { key: `window:${window}`, seq, try: 1 }, ...rest, ...change };
}

/** A store with an open window, and its ledger. */
export async function begin(make: () => Promise<Store>): Promise<{ readonly store: Store; readonly ledger: Ledger }> {
  const store = await make();
  await startRun(store);
  await store.openWindow(newWindow(), 2000);
  return { store, ledger: store.ledger };
}

export async function sumOf(ledger: Ledger, scope: Scope = { kind: "run", id: run }): Promise<readonly [number, number, number, number]> {
  const [spend] = await ledger.spend([scope]);
  return [spend?.spentMicroUsd ?? -1, spend?.heldMicroUsd ?? -1, spend?.calls ?? -1, spend?.unknown ?? -1];
}
