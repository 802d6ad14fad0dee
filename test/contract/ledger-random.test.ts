/**
 * Whatever the order of opening, closing, giving up and retrying, by whichever of several processes: no place is paid twice without a row that says why,
 * the sums are what the rows say, and what was spent never falls.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { CallFailure, CallResult } from "../../src/core/money/call.ts";
import { mayHaveBeenCharged } from "../../src/core/money/call.ts";
import type { Scope } from "../../src/core/money/cap.ts";
import { heldMicroUsd } from "../../src/core/money/held.ts";
import type { CallRecord, Ledger } from "../../src/ports/ledger.ts";
import { answer, batch, closing, intent, job, newFolder, openFile } from "./ledger-kit.ts";

const total: Scope = { kind: "batch", id: batch };

const ends: readonly [CallResult["end"], CallFailure | null, number | null][] = [
  ["done", null, 16_400],
  ["done", null, 16_400],
  ["done", null, 16_400],
  ["done", null, 16_400],
  ["done", null, 16_400],
  ["done", "unreadable", null],
  ["cut", "cut-by-client", 900],
  ["cut", "error-in-stream", null],
  ["failed", "limited", null],
  ["failed", "server-error", null],
  ["failed", "unreachable", null],
  ["unknown", "lost", null],
];

/** A new attempt of a job by a process; the next request of some attempt, also of one whose lease is gone; a result, also a second one; a giving up. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act: fc.constant("begin" as const), by: fc.nat(1), job: fc.nat(1) }) },
  { weight: 8, arbitrary: fc.record({ act: fc.constant("ask" as const), attempt: fc.nat(30) }) },
  { weight: 8, arbitrary: fc.record({ act: fc.constant("close" as const), by: fc.nat(1), nth: fc.nat(20), end: fc.nat(ends.length - 1) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("giveUp" as const), by: fc.nat(1) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Attempt {
  readonly by: number;
  readonly key: string;
  readonly fence: number;
  asked: number;
}

interface Play {
  readonly ledgers: readonly Ledger[];
  readonly jobs: readonly string[];
  readonly isParallel: boolean;
  readonly attempts: Attempt[];
  readonly opened: string[];
}

let made = 0;

async function take(play: Play, one: Step): Promise<void> {
  const { ledgers, attempts, opened, jobs } = play;
  if (one.act === "begin") {
    const key = jobs[one.job] ?? "";
    attempts.push({ by: one.by, key, fence: attempts.filter((other) => other.key === key).length + 1, asked: 0 });
  }
  if (one.act === "ask" && attempts.length > 0) await ask(play, attempts[one.attempt % attempts.length] as Attempt);
  if (one.act === "close" && opened.length > 0)
    await close(ledgers[one.by] as Ledger, opened[one.nth % opened.length] ?? "", ends[one.end] ?? ends[0]);
  if (one.act === "giveUp") await ledgers[one.by]?.giveUp({ batch }, 5000);
}

/** All requests of a job have one body, so that in parallel the k-th is the k-th. */
async function ask({ ledgers, isParallel, opened }: Play, attempt: Attempt): Promise<void> {
  const { by, key, fence } = attempt;
  attempt.asked += 1;
  made += 1;
  const [seq, id] = [attempt.asked, `c${made}`];
  const place = isParallel
    ? ({ kind: "occurrence", occurrence: seq } as const)
    : ({ kind: "sequence", seq, onDivergence: "stop" } as const);
  const scopes: readonly Scope[] = [{ kind: "job", id: key }, total];
  const before = (await ledgers[by]?.calls({ key, limit: 1e6 })) ?? [];
  const [result] = (await ledgers[by]?.open([intent(id, { owner: job({ job: key, fence }), place, scopes })])) ?? [];
  if (result?.kind !== "opened") return expect(["replay", "gone"]).toContain(result?.kind);
  opened.push(id);
  const earlier = before.filter((row) => row.key.seq === result.key.seq);
  expect(result.key.try).toBe(earlier.length + 1);
  expect(earlier.filter(({ state }) => state === "done").map(({ id: paid }) => paid)).toEqual([]);
  expect(result.earlierUnknown).toBe(earlier.some(({ state, result: told }) => mayHaveBeenCharged(state, told?.failure ?? null)));
}

async function close(ledger: Ledger, id: string, how: (typeof ends)[number] | undefined): Promise<void> {
  const [end, failure, cost] = how ?? ["done", null, 1];
  await ledger.close([closing(id, { end, failure, answer: end === "done" ? answer(id) : null }, { costMicroUsd: cost })]);
}

/** What the sums must be, from the rows alone. */
function sumOfRows(rows: readonly CallRecord[]) {
  const sum = { spentMicroUsd: 0, heldMicroUsd: 0, calls: 0, unknown: 0 };
  for (const { state, result, upperMicroUsd, costMicroUsd } of rows) {
    const failure = result?.failure ?? null;
    sum.spentMicroUsd += costMicroUsd ?? 0;
    sum.heldMicroUsd += heldMicroUsd({ state, failure, upperMicroUsd, costMicroUsd });
    sum.calls += 1;
    sum.unknown += state !== "open" && mayHaveBeenCharged(state, failure) ? 1 : 0;
  }
  return sum;
}

/** Places with two whole answers of which none came late: paid twice with nothing to show for it. */
function unexplained(rows: readonly CallRecord[]): readonly string[] {
  const whole = rows.filter(({ state, late }) => state === "done" && !late);
  return [...Map.groupBy(whole, ({ key }) => `${key.key} ${key.seq}`)].filter(([, tries]) => tries.length > 1).map(([place]) => place);
}

test("no interleaving pays a place twice without a row to show for it, and the sums are those of the rows", async () => {
  const folder = newFolder();
  const ledgers = [(await openFile(folder)).ledger, (await openFile(folder)).ledger];
  const ledger = ledgers[0] as Ledger;
  let turn = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), fc.boolean(), async (steps, isParallel) => {
      turn += 1;
      const jobs = [`${batch}:${turn}a:v1`, `${batch}:${turn}b:v1`];
      const play: Play = { ledgers, jobs, isParallel, attempts: [], opened: [] };
      let spent = 0;
      for (const one of steps) {
        await take(play, one);
        const [sum] = await ledger.spend([total]);
        expect(sum?.spentMicroUsd).toBeGreaterThanOrEqual(spent);
        spent = sum?.spentMicroUsd ?? 0;
      }
      expect(await ledger.spend([total])).toEqual([sumOfRows(await ledger.calls({ batch, limit: 1e6 }))]);
      for (const key of jobs) {
        const rows = await ledger.calls({ key, limit: 1e6 });
        expect(await ledger.spend([{ kind: "job", id: key }])).toEqual([sumOfRows(rows)]);
        expect(unexplained(rows)).toEqual([]);
      }
    }),
    { numRuns: 100, seed: 20261130 },
  );
}, 120_000);
