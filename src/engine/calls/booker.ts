/**
 * Group commit: what arrives while a commit is under way goes into the next one together. Closings first, since they free what was held.
 * One row that cannot be written takes no other with it: a group that fails is written again one by one.
 */
import type { CallClosing, CallIntent, ClosedCall, Ledger, OpenedCall } from "../../ports/ledger.ts";

export interface Booker {
  /** Resolves when the intent is on disk, or with why there is none. Rejects when the store fails. */
  open(intent: CallIntent): Promise<OpenedCall>;
  close(closing: CallClosing): Promise<ClosedCall>;
}

interface Waiting<In, Out> {
  readonly item: In;
  resolve(out: Out): void;
  reject(error: unknown): void;
}

/** @param nextTurn  resolves when everything that has already arrived was handled */
export function createBooker(ledger: Pick<Ledger, "open" | "close">, nextTurn: () => Promise<void>): Booker {
  const opening: Waiting<CallIntent, OpenedCall>[] = [];
  const closing: Waiting<CallClosing, ClosedCall>[] = [];
  let isBusy = false;

  async function work(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    while (opening.length + closing.length > 0) {
      await nextTurn();
      await write(closing.splice(0), (items) => ledger.close(items));
      await write(opening.splice(0), (items) => ledger.open(items));
    }
    isBusy = false;
  }

  function add<In, Out>(queue: Waiting<In, Out>[], item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      void work();
    });
  }

  return { open: (intent) => add(opening, intent), close: (one) => add(closing, one) };
}

/** Never rejects: who waits is told. */
async function write<In, Out>(
  group: readonly Waiting<In, Out>[],
  commit: (items: readonly In[]) => Promise<readonly Out[]>,
): Promise<void> {
  if (group.length === 0) return;
  try {
    const results = await commit(group.map(({ item }) => item));
    for (const [at, { resolve, reject }] of group.entries()) {
      const result = results[at];
      if (result === undefined) reject(new Error("the ledger answered for fewer calls than it was asked for"));
      else resolve(result);
    }
  } catch (error) {
    if (group.length === 1) group[0]?.reject(error);
    else for (const one of group) await write([one], commit);
  }
}
