/** Killed at each point of a write, the ledger has the calls, sums and answers from before it or from after it, and no file that nobody names. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { calls, readCalls } from "../contract/ledger-night.ts";
import { ledgerPoints } from "./points.ts";
import { buildStoreProgram, logPoints, readAfterEach } from "./store-program.ts";

const play = buildStoreProgram('import "../contract/ledger-night-program.ts";');
const playAgain = buildStoreProgram(
  'import { openStore } from "../../src/adapters/store/sqlite/open.ts"; await (await openStore({ folder: process.argv[2] })).close();',
);

async function readFolder(folder: string): Promise<string> {
  const store = await openStore({ folder });
  const told = await readCalls(store);
  await store.close();
  return told;
}

/** Files of answers that no row names. */
function strays(folder: string): readonly string[] {
  const answers = join(folder, "answers");
  if (!existsSync(answers)) return [];
  const db = new DatabaseSync(join(folder, "midwatch.db"), { readOnly: true });
  const named = new Set(
    db
      .prepare("SELECT file FROM answer")
      .all()
      .map(({ file }) => file),
  );
  db.close();
  return readdirSync(answers).filter((name) => !named.has(name));
}

const expected = await readAfterEach(calls, readCalls);
const { whole, points } = await logPoints(play);
/** How many steps were committed when the n-th point was passed. */
const doneAt = (index: number) => points.slice(0, index + 1).filter((name) => name.endsWith(".after-commit")).length;

test("the calls alone end as they do in memory", async () => {
  expect(await readFolder(whole)).toBe(expected.at(-1));
  expect(strays(whole)).toEqual([]);
});

test("every point of the ledger is passed, but for those of a sweep, which is killed below", () => {
  expect(ledgerPoints.filter((name) => !points.includes(name)).every((name) => name.includes("sweepAnswers"))).toBe(true);
});

test.each(points.map((point, index): [string, number, number] => [point, index + 1, doneAt(index)]))(
  "killed at %s (number %i), the ledger tells of %i steps",
  async (_point, number, done) => {
    const folder = await play({ MIDWATCH_FAULT: `kill-nth:${number}` });
    expect(await readFolder(folder)).toBe(expected[done]);
    expect(strays(folder)).toEqual([]);
  },
);

test.each(["before", "after"])("a sweep that is killed %s its commit is done by the next one", async (when) => {
  const folder = await play({ MIDWATCH_FAULT: "kill:answer.written" });
  expect(strays(folder)).toHaveLength(1);
  await playAgain({ MIDWATCH_FAULT: `kill:store.sweepAnswers.${when}-commit` }, folder);
  expect(await readFolder(folder)).toBe(expected[3]);
  expect(strays(folder)).toEqual([]);
});
