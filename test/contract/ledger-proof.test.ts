/** What the books say of themselves, over a file and in memory: the SQL that is shown is the one that was asked, and it finds what it is for. */

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { type CallFailure, type CallState, mayHaveBeenCharged } from "../../src/core/money/call.ts";
import { allCalls } from "../../src/engine/ledger-calls.ts";
import { proveLedger } from "../../src/engine/ledger-prove.ts";
import type { Ledger } from "../../src/ports/ledger.ts";
import { asked, begin, bodies, closing, intent, newFolder, openFile, run, whole } from "./ledger-kit.ts";

const everything = { filter: {}, run: null, window: null };
const rowsOf = async (ledger: Ledger, name: string) => (await ledger.proof({})).find((one) => one.name === name)?.rows;

describe.each(bodies)("over %s", (_name, make) => {
  test("an empty ledger proves itself", async () => {
    const { ledger } = await begin(make);
    expect(await proveLedger(ledger, everything)).toMatchObject({ holds: true, wrongSums: [], duplicates: { rows: [] } });
  });

  test("totals by state, and the unknown rows with their bounds", async () => {
    const { ledger } = await begin(make);
    await ledger.open(["c1", "c2", "c3", "c4", "c5"].map((id) => intent(id)));
    await ledger.close([
      closing("c1"),
      closing("c2", { end: "cut", failure: "cut-by-client" }, { costMicroUsd: 300 }),
      closing("c3", { end: "failed", failure: "server-error", usage: null }, { costMicroUsd: null }),
      closing("c4", { end: "failed", failure: "limited", usage: null }, { costMicroUsd: null }),
    ]);
    expect(await rowsOf(ledger, "totals")).toEqual([
      ["cut", 1, 300, 0],
      ["done", 1, 16_400, 0],
      ["failed", 2, 0, 0],
      ["open", 1, 0, 0],
    ]);
    const key = "window:window-1";
    expect(await rowsOf(ledger, "unknown")).toEqual([
      [key, 2, 1, "cut", "cut-by-client", 300, 200_000],
      [key, 3, 1, "failed", "server-error", 0, 200_000],
      [key, 5, 1, "open", null, 0, 200_000],
    ]);
  });

  test("the SQL of the unknown rows asks what core asks", async () => {
    const { ledger } = await begin(make);
    const ends: readonly (readonly [Exclude<CallState, "open">, CallFailure | null])[] = [
      ["done", null],
      ["done", "unreadable"],
      ["cut", "cut-by-provider"],
      ["cut", "error-in-stream"],
      ["unknown", "lost"],
      ["unknown", "died"],
      ["failed", "server-error"],
      ["failed", "refused"],
      ["failed", "overloaded"],
      ["failed", "unreachable"],
    ];
    await ledger.open(ends.map((_end, at) => intent(`c${at + 1}`)));
    await ledger.close(ends.map(([end, failure], at) => closing(`c${at + 1}`, { end, failure })));
    const unknown = (await rowsOf(ledger, "unknown"))?.map(([, seq]) => seq);
    const calls = await allCalls(ledger, {});
    expect(unknown).toEqual(
      calls.filter(({ state, result }) => mayHaveBeenCharged(state, result?.failure ?? null)).map(({ key }) => key.seq),
    );
  });

  test("kept sums are those of their rows, for all and for one run or batch", async () => {
    const { ledger } = await begin(make);
    await ledger.open([intent("c1"), intent("c2"), asked("j1", 1)]);
    await ledger.close([closing("c1"), closing("j1")]);
    const sums = async (filter: Parameters<Ledger["proof"]>[0]) => (await ledger.proof(filter)).find(({ name }) => name === "sums")?.rows;
    expect(await sums({})).toEqual([
      ["batch", "2026-11", 16_400, 16_400, 1, 1],
      ["day", "2026-11-30", 16_400, 16_400, 2, 2],
      ["job", "2026-11:215:v3", 16_400, 16_400, 1, 1],
      ["month", "2026-11", 16_400, 16_400, 2, 2],
      ["run", "run-1", 16_400, 16_400, 2, 2],
      ["task", "1/T1", 16_400, 16_400, 2, 2],
      ["window", "window-1", 16_400, 16_400, 2, 2],
    ]);
    expect((await sums({ run }))?.map(([kind]) => kind)).toEqual(["run", "window"]);
    expect((await sums({ batch: "2026-11" }))?.map(([kind]) => kind)).toEqual(["batch", "job"]);
    expect(await proveLedger(ledger, everything)).toMatchObject({ holds: true });
  });

  test("a request that was paid twice is found", async () => {
    const { ledger } = await begin(make);
    const again = (id: string, attempt: number) => intent(id, { place: { kind: "counted", seq: 1, try: attempt } });
    await ledger.open([again("c1", 1), again("c2", 2)]);
    await ledger.close([closing("c1"), closing("c2", whole)]);
    expect(await proveLedger(ledger, everything)).toMatchObject({
      holds: false,
      duplicates: { rows: [{ key: "window:window-1", seq: 1, charges: 2 }] },
    });
  });

  test("a name that looks like SQL is a name", async () => {
    const { ledger } = await begin(make);
    await expect(ledger.proof({ batch: "x'; DROP TABLE call; --" })).resolves.toHaveLength(4);
    expect(await rowsOf(ledger, "totals")).toEqual([]);
  });
});

test("whoever has the file can ask the same and gets the same; a sum that was changed behind our back is found", async () => {
  const folder = newFolder();
  const { store, ledger } = await begin(() => openFile(folder));
  await ledger.open([intent("c1")]);
  await ledger.close([closing("c1")]);
  const questions = await ledger.proof({ run });
  const file = new DatabaseSync(join(folder, "midwatch.db"));
  for (const { sql, rows } of questions)
    expect(
      file
        .prepare(sql)
        .all()
        .map((row) => Object.values(row)),
    ).toEqual(rows);
  file.exec("UPDATE spend SET spent = spent + 1 WHERE kind = 'run'");
  file.close();
  expect(await proveLedger(ledger, everything)).toMatchObject({
    holds: false,
    wrongSums: [expect.stringContaining("run run-1: 16401 micro-dollars")],
  });
  await store.close();
});
