/** Two versions beside each other, and what an evaluation costs. */
import { expect, test } from "vitest";
import { compareScores, type JobScore, signTest } from "../../src/core/eval/comparison.ts";
import { priceOf } from "../../src/core/eval/price.ts";

const scores = (...values: readonly (number | null)[]): readonly JobScore[] =>
  values.map((score, index) => ({ job: `j${index}`, question: `q${index}`, score }));

test("wins, losses and ties are as B sees them; mean and spread are of the differences", () => {
  const { jobs, ...sums } = compareScores(scores(0, 1, 0.5, 1), scores(1, 0.5, 0.5, 1));
  expect(jobs.map(({ job, difference }) => [job, difference])).toEqual([
    ["j0", 1],
    ["j1", -0.5],
    ["j2", 0],
    ["j3", 0],
  ]);
  expect(sums).toEqual({
    ...{ leftOut: [], wins: 1, losses: 1, ties: 2, pValue: 1 },
    ...{ meanA: 0.625, meanB: 0.75, meanDifference: 0.125, spread: expect.closeTo(0.6292, 4) },
  });
});

test("what is not in both, not the same question, or without a score is left out and named", () => {
  const [a, b, c] = scores(1, 1, 1);
  const other = [a!, { ...b!, question: "changed" }, { ...c!, score: null }, { job: "new", question: "q", score: 1 }];
  expect(compareScores([a!, b!, c!], other)).toMatchObject({ jobs: [{ job: "j0" }], leftOut: ["j1", "j2", "new"], ties: 1, spread: 0 });
});

test("nothing beside nothing says nothing", () => {
  expect(compareScores([], [])).toEqual({
    ...{ jobs: [], leftOut: [], meanA: 0, meanB: 0, meanDifference: 0, spread: 0, wins: 0, losses: 0, ties: 0, pValue: 1 },
  });
});

test.each([
  [0, 0, 1],
  [1, 0, 1],
  [3, 3, 1],
  [5, 0, 0.0625],
  [0, 10, 0.001953125],
  [9, 1, 0.021484375],
  [15, 5, 0.04138946533203125],
  [5000, 5000, 1],
  [600, 400, 2.7e-10],
])("%i wins and %i losses have a p value of %d", (wins, losses, p) => {
  expect(signTest(wins, losses) / p).toBeCloseTo(1, 1);
  expect(signTest(losses, wins)).toBeCloseTo(signTest(wins, losses), 12);
});

test.each([
  ["so many times what one cost", priceOf(120, { kind: "last-run", version: "v", microUsd: 410_000 }, 50e6), 49_200_000],
  ["all that the cap leaves, where one's price is not known", priceOf(3, { kind: "unknown" }, 7e6), 7_000_000],
  ["nothing, where nothing is left to do", priceOf(0, { kind: "unknown" }, 7e6), 0],
])("the price is %s", (_title, price, total) => {
  expect(price.totalMicroUsd).toBe(total);
});
