/** What a provider's trouble means for a batch: how long its slots wait, and when it pauses. */
import { describe, expect, test } from "vitest";
import { afterRelease, mustPause, noTrouble, type Trouble } from "../../src/core/batch/trouble.ts";

const waits = { firstMs: 10_000, longestMs: 900_000 };
/** Attempts that were given back: when each began, and when it ended. */
const after = (...released: readonly (readonly [startedAt: number, now: number])[]): Trouble =>
  released.reduce((trouble, [startedAt, now]) => afterRelease(trouble, { reason: "429", startedAt, now }, waits), noTrouble);

describe("jobs in a row", () => {
  test.each<[string, readonly (readonly [number, number])[], number, number, boolean]>([
    ["the first waits ten seconds", [[0, 1000]], 1, 11_000, false],
    [
      "those that ran beside it are the same trouble",
      [
        [0, 1000],
        [10, 1100],
        [20, 1200],
        [30, 4000],
      ],
      1,
      11_000,
      false,
    ],
    [
      "the next after the wait is another, and waits twice as long",
      [
        [0, 1000],
        [11_000, 12_000],
      ],
      2,
      32_000,
      false,
    ],
    [
      "the third pauses the batch",
      [
        [0, 1000],
        [11_000, 12_000],
        [32_000, 33_000],
      ],
      3,
      73_000,
      true,
    ],
  ])("%s", (_title, released, inARow, holdUntil, pauses) => {
    const trouble = after(...released);
    expect([trouble.inARow, trouble.holdUntil, mustPause(trouble)]).toEqual([inARow, holdUntil, pauses]);
  });

  test("no wait is longer than the ceiling", () => {
    const long = { ...noTrouble, inARow: 20, since: 5 };
    expect(afterRelease(long, { reason: "", startedAt: 10, now: 100 }, waits).holdUntil).toBe(900_100);
  });
});
