/** What the commands on batches share: the store that is there, and the batch that is meant. */
import { archivedBatch, unknownBatch } from "../core/batch/refusals.ts";
import { MidwatchError } from "../core/error.ts";
import type { BatchRecord } from "../ports/batch-store.ts";
import type { Store } from "../ports/store.ts";
import type { App } from "./app.ts";

/** Closes the store whatever happens. */
export async function withBatches<T>(app: App, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await app.findStore();
  if (store === null)
    throw new MidwatchError("usage", "E_NO_BATCH", "there is no batch yet", {
      hint: "add one with: midwatch batch add NAME --jobs PATH -- COMMAND",
    });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

export async function requireBatch({ batches }: Store, name: string): Promise<BatchRecord> {
  return (await batches.batch(name)) ?? unknownBatch(name);
}

/** One whose jobs are in the store. */
export async function requireStored(store: Store, name: string): Promise<BatchRecord> {
  const batch = await requireBatch(store, name);
  if (batch.state === "archived") throw archivedBatch(name, batch.archivedTo);
  return batch;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Null = it is no text. */
export function answerText(answer: Uint8Array): string | null {
  try {
    return decoder.decode(answer);
  } catch {
    return null;
  }
}

/** As it stands in JSON: text where it is text. */
export function answerValue(answer: Uint8Array | null): { readonly answer: string | null; readonly answerBase64?: string } {
  if (answer === null) return { answer: null };
  const text = answerText(answer);
  return text === null ? { answer: null, answerBase64: Buffer.from(answer).toString("base64") } : { answer: text };
}
