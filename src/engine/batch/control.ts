/** A person's word to a batch: a signal to this process, the store from another terminal, or a file `stop` in its folder. The strongest wins; none is taken back. */
import type { BatchRecord } from "../../ports/batch-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Files } from "../../ports/files.ts";
import type { Store } from "../../ports/store.ts";

export type BatchRequest = BatchRecord["request"];

export interface BatchControl {
  current(): BatchRequest;
  /** Resolves when it was looked for the first time: a file that is there already stops the batch before anything begins. */
  readonly looked: Promise<void>;
  /** From a signal handler, or from the batch itself. */
  say(request: BatchRequest): void;
  onChange(listener: (request: BatchRequest) => void): () => void;
  close(): Promise<void>;
}

const pollMs = 250;
const strength: Readonly<Record<BatchRequest, number>> = { none: 0, stop: 1, "stop-now": 2 };

export function createBatchControl(
  { store, files, clock }: { readonly store: Store; readonly files: Files; readonly clock: Clock },
  { name, stopFile }: { readonly name: string; readonly stopFile: string },
): BatchControl {
  const closed = new AbortController();
  const listeners = new Set<(request: BatchRequest) => void>();
  let now: BatchRequest = "none";
  const say = (request: BatchRequest): void => {
    if (strength[request] <= strength[now]) return;
    now = request;
    for (const listener of listeners) listener(now);
  };
  const first = Promise.withResolvers<void>();
  const polling = poll();

  async function poll(): Promise<void> {
    while (!closed.signal.aborted) {
      if (await files.exists(stopFile).catch(() => false)) say("stop-now");
      // A busy store is asked again in a moment; the writes of the batch report real trouble.
      say(await store.batches.request(name).catch(() => "none" as const));
      first.resolve();
      await clock.sleep(pollMs, closed.signal);
    }
  }

  return {
    current: () => now,
    looked: first.promise,
    say,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed.abort();
      await polling;
    },
  };
}
