/** Calls of the ledger that a person asked for, whatever their number. */
import { MidwatchError } from "../core/error.ts";
import { type RunId, runId } from "../core/ids.ts";
import type { CallState } from "../core/money/call.ts";
import type { CallFilter, CallRecord, Ledger } from "../ports/ledger.ts";
import type { RunRecord, Store, WindowRecord } from "../ports/store.ts";

/** As a person asks: a run may be `last`, a window is a number in it. */
export interface CallQuestion {
  readonly run: string | null;
  readonly window: number | null;
  readonly batch: string | null;
  readonly key: string | null;
  readonly states: readonly CallState[] | null;
  readonly from: number | null;
  readonly to: number | null;
}

export interface AskedCalls {
  readonly filter: Omit<CallFilter, "limit" | "after">;
  readonly run: RunRecord | null;
  readonly window: WindowRecord | null;
}

/** @param worktree  whose last run is meant. Throws MidwatchError kind usage for a run or window that is not there. */
export async function findAsked(store: Store, question: CallQuestion, worktree: () => string): Promise<AskedCalls> {
  const run = await findRun(store, question, worktree);
  const window = run === null || question.window === null ? null : await findWindow(store, run, question.window);
  return { filter: filterOf(question, run, window), run, window };
}

function filterOf(
  { batch, key, states, from, to }: CallQuestion,
  run: RunRecord | null,
  window: WindowRecord | null,
): AskedCalls["filter"] {
  return {
    ...(run === null ? {} : { run: run.id }),
    ...(window === null ? {} : { window: window.id }),
    ...(batch === null ? {} : { batch }),
    ...(key === null ? {} : { key }),
    ...(states === null ? {} : { states }),
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
  };
}

async function findRun(store: Store, { run, window }: CallQuestion, worktree: () => string): Promise<RunRecord | null> {
  if (run === null && window === null) return null;
  const found = run === null || run === "last" ? (await store.runs({ worktree: worktree(), limit: 1 }))[0] : await store.run(runId(run));
  if (found !== undefined && found !== null) return found;
  throw new MidwatchError(
    "usage",
    "E_RUN_UNKNOWN",
    run === null || run === "last" ? "there is no run in this working tree yet" : `there is no run ${run}`,
    {
      hint: "see those of this tree with: midwatch status --all",
    },
  );
}

async function findWindow(store: Store, run: RunRecord, number: number): Promise<WindowRecord> {
  const windows = await store.windows(run.id);
  const found = windows.find((one) => one.number === number);
  if (found !== undefined) return found;
  throw new MidwatchError("usage", "E_WINDOW_UNKNOWN", `run ${run.id} has no window ${number}`, {
    hint: windows.length === 0 ? "it has none yet" : `it has 1 to ${windows.length}`,
  });
}

const page = 1_000;

/** In their order. */
export async function* callsOf(ledger: Ledger, filter: AskedCalls["filter"]): AsyncGenerator<CallRecord> {
  for (let after: number | null = null; ; ) {
    const calls: readonly CallRecord[] = await ledger.calls({ ...filter, ...(after === null ? {} : { after }), limit: page });
    yield* calls;
    after = calls.at(-1)?.number ?? null;
    if (after === null || calls.length < page) return;
  }
}

export async function allCalls(ledger: Ledger, filter: AskedCalls["filter"]): Promise<readonly CallRecord[]> {
  const calls: CallRecord[] = [];
  for await (const call of callsOf(ledger, filter)) calls.push(call);
  return calls;
}

/** The newest so many, in their order. */
export async function lastCalls(
  ledger: Ledger,
  filter: AskedCalls["filter"],
  limit: number,
): Promise<{ readonly calls: readonly CallRecord[]; readonly total: number }> {
  const calls: CallRecord[] = [];
  let total = 0;
  for await (const call of callsOf(ledger, filter)) {
    total += 1;
    calls.push(call);
    if (calls.length > limit * 2) calls.splice(0, calls.length - limit);
  }
  return { calls: limit === 0 ? [] : calls.slice(-limit), total };
}

/** Numbers of the windows that calls belong to, for people. */
export async function windowNumbers(store: Store, calls: readonly Pick<CallRecord, "owner">[]): Promise<ReadonlyMap<string, number>> {
  const runs = new Set(calls.flatMap(({ owner }): readonly RunId[] => (owner.kind === "window" ? [owner.run] : [])));
  const windows = await Promise.all([...runs].map((run) => store.windows(run)));
  return new Map(windows.flat().map(({ id, number }) => [id, number]));
}
