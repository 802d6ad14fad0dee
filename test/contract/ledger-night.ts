/** A few calls, write by write, over any store, and all that the ledger then tells. */
import type { Store } from "../../src/ports/store.ts";
import { answer, asked, batch, closing, intent, reported, run, scopes, window } from "./ledger-samples.ts";
import { newRun, newWindow, closing as windowClosing } from "./store-samples.ts";

const large = answer(Buffer.alloc(100_000, 7));
const lost = { end: "unknown", failure: "lost" } as const;

/** Every way of writing to the ledger, once or more. */
export const calls: readonly ((store: Store) => Promise<unknown>)[] = [
  (store) => store.createRun(newRun(), 1000),
  (store) => store.openWindow(newWindow(), 2000),
  ({ ledger }) => ledger.open([intent("c1"), intent("c2"), asked("j1", 1)]),
  ({ ledger }) => ledger.close([closing("c1"), closing("j1", { answer: large })]),
  ({ ledger }) => ledger.open([asked("j2", 2)]),
  ({ ledger }) => ledger.close([closing("j2", { answer: answer("small") })]),
  ({ ledger }) => ledger.open([intent("c3"), asked("j3", 3)]),
  ({ ledger }) => ledger.close([closing("c3", lost, { costMicroUsd: null })]),
  ({ ledger }) => ledger.markSubagents(window, new Map([["msg_1", true]])),
  ({ ledger }) => ledger.report([reported("r1", 9)]),
  ({ ledger }) => ledger.giveUp({ run }, 5000),
  ({ ledger }) => ledger.giveUp({ batch }, 5001),
  ({ ledger }) => ledger.close([closing("c2"), closing("j3", { answer: large })]),
  (store) => store.endWindow(windowClosing({ attempts: [], changes: [] }), 6000),
  (store) => store.endRun(run, { reason: "stopped", detail: "" }, 6001),
  (store) => store.prune(9_999_999),
];

export async function readCalls({ ledger }: Store): Promise<string> {
  const rows = await ledger.calls({ limit: 99 });
  const answers = await Promise.all(rows.map(({ id }) => ledger.answer(id)));
  const bytes = answers.map((one) => one && { ...one, body: Buffer.from(one.body).toString("hex") });
  const sums = await ledger.spend([...scopes, { kind: "batch", id: batch }]);
  return JSON.stringify([rows, bytes, sums]);
}
