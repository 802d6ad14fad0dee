/** Which of the shared limits a batch goes by when it is run again. */
import { expect, test } from "vitest";
import { limitsToday } from "../../src/core/batch/limits.ts";

const none = { callMicroUsd: null, dayMicroUsd: null, monthMicroUsd: null };
const day = (dayMicroUsd: number | null) => ({ ...none, dayMicroUsd });

test.each([
  ["the same ones are no news", day(10), day(10), { limits: day(10), taken: [], kept: [] }],
  ["a lower one is taken", day(10), day(5), { limits: day(5), taken: [{ name: "limits.day", wasMicroUsd: 10, nowMicroUsd: 5 }], kept: [] }],
  [
    "a higher one is taken",
    day(10),
    day(20),
    { limits: day(20), taken: [{ name: "limits.day", wasMicroUsd: 10, nowMicroUsd: 20 }], kept: [] },
  ],
  ["a new one is taken", none, day(5), { limits: day(5), taken: [{ name: "limits.day", wasMicroUsd: null, nowMicroUsd: 5 }], kept: [] }],
  ["one that is not named today stays", day(10), none, { limits: day(10), taken: [], kept: [{ name: "limits.day", microUsd: 10 }] }],
  ["without any there is none", none, none, { limits: none, taken: [], kept: [] }],
  [
    "each by itself",
    { callMicroUsd: 1, dayMicroUsd: 10, monthMicroUsd: null },
    { callMicroUsd: null, dayMicroUsd: 10, monthMicroUsd: 50 },
    {
      limits: { callMicroUsd: 1, dayMicroUsd: 10, monthMicroUsd: 50 },
      taken: [{ name: "limits.month", wasMicroUsd: null, nowMicroUsd: 50 }],
      kept: [{ name: "limits.call", microUsd: 1 }],
    },
  ],
])("%s", (_title, had, today, expected) => {
  expect(limitsToday(had, today)).toEqual(expected);
});
