/**
 * Group commit: what arrives while a commit is under way goes into the next one together. Closings first, since they free what was held.
 * One row that cannot be written takes no other with it: a group that fails is written again one by one.
 *
 * A commit holds up everything, so that calls would march past it in single file, each some turns behind the one before: with 24 under way 600 calls took 600
 * commits. While others are under way a group is therefore gathered for some turns, which cost next to nothing, and calls come out of it side by side (100 commits).
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

/** As many as a request needs from its connection to the desk, and an answer from its provider. */
const gatheringTurns = 6;

/** @param nextTurn  resolves when everything that has already arrived was handled */
export function createBooker(ledger: Pick<Ledger, "open" | "close">, nextTurn: () => Promise<void>): Booker {
  const opening: Waiting<CallIntent, OpenedCall>[] = [];
  const closing: Waiting<CallClosing, ClosedCall>[] = [];
  let isBusy = false;
  /** Calls that are opened and not closed. */
  let underWay = 0;

  async function work(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    while (opening.length + closing.length > 0) {
      await gather();
      await write(closing.splice(0), (items) => ledger.close(items));
      await write(opening.splice(0), (items) => ledger.open(items));
    }
    isBusy = false;
  }

  async function gather(): Promise<void> {
    const turns = underWay + opening.length > 1 ? gatheringTurns : 1;
    for (let turn = 0; turn < turns; turn += 1) await nextTurn();
  }

  function add<In, Out>(queue: Waiting<In, Out>[], item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      void work();
    });
  }

  return {
    async open(intent) {
      const opened = await add(opening, intent);
      if (opened.kind === "opened") underWay += 1;
      return opened;
    },
    close: (one) =>
      add(closing, one).finally(() => {
        underWay -= 1;
      }),
  };
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
