/** What the ledger is told afterwards, and what it tells: reports, subagents, filters, pages, duplicates, whatever texts are in them. */

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { taskKey, windowId } from "../../src/core/ids.ts";
import type { CallFilter, Ledger } from "../../src/ports/ledger.ts";
import {
  asked,
  batch,
  begin,
  bodies,
  closing,
  intent,
  newFolder,
  openFile,
  owner,
  reported,
  request,
  run,
  sumOf,
  whole,
  window,
} from "./ledger-kit.ts";
import { newWindow, startRun } from "./store-samples.ts";

const ids = async (ledger: Ledger, filter: Partial<CallFilter>) => (await ledger.calls({ limit: 99, ...filter })).map(({ id }) => id);

describe.each(bodies)("%s", (_name, make) => {
  test("a reported call is a closed row, counted once however often it is told", async () => {
    const { ledger } = await begin(make);
    await ledger.report([reported("r1", 1), reported("r1", 1)]);
    await ledger.report([reported("r1", 1), reported("r2", 2, { subagent: null, costMicroUsd: null, price: null })]);
    expect(await ledger.calls({ limit: 9 })).toMatchObject([
      {
        id: "r1",
        source: "reported",
        state: "done",
        subagent: false,
        late: false,
        upperMicroUsd: null,
        costMicroUsd: 16_400,
        sentAt: 9000,
        endedAt: 9000,
      },
      { id: "r2", subagent: null, costMicroUsd: null },
    ]);
    expect(await sumOf(ledger)).toEqual([16_400, 0, 2, 0]);
    expect(await ledger.open([intent("c5")])).toMatchObject([{ kind: "opened" }]);
  });

  test("a reported call at a place that is taken goes to the end, and one of an ended window is late", async () => {
    const { ledger } = await begin(make);
    await ledger.open([intent("c1"), intent("c7")]);
    const ended = { ...owner, window: windowId("window-0") } as typeof owner;
    await ledger.report([reported("r1", 1), reported("r2", 3, { owner: ended })]);
    expect(await ledger.calls({ after: 2, limit: 9 })).toMatchObject([
      { id: "r1", key: { seq: 8, try: 1 }, late: false },
      { id: "r2", key: { key: "window:window-0", seq: 3, try: 1 }, late: true },
    ]);
  });

  test("subagents are marked by the ids of their answers, within their window, and changed when the stream knows better", async () => {
    const { ledger } = await begin(make);
    await ledger.open([intent("c1"), intent("c2"), intent("c3")]);
    await ledger.close([closing("c1", { messageId: "msg_1" }), closing("c2", { messageId: "msg_2" }), closing("c3", { messageId: null })]);
    await ledger.markSubagents(
      window,
      new Map([
        ["msg_1", true],
        ["msg_2", true],
        ["msg_9", true],
      ]),
    );
    await ledger.markSubagents(windowId("window-9"), new Map([["msg_1", false]]));
    await ledger.markSubagents(window, new Map([["msg_2", false]]));
    await ledger.markSubagents(window, new Map());
    expect((await ledger.calls({ limit: 9 })).map(({ subagent }) => subagent)).toEqual([true, false, null]);
  });

  test("each filter takes what it says, alone and together, and pages follow each other without a gap", async () => {
    const { store, ledger } = await begin(make);
    await startRun(store, "run-2");
    await store.openWindow(newWindow("window-2", "run-2"), 2000);
    const second = { ...owner, run: "run-2", window: "window-2" } as typeof owner;
    await ledger.open([1, 2, 3].map((n) => intent(`c${n}`, { sentAt: 3000 + n })));
    await ledger.open([intent("d1", { owner: second, sentAt: 3004 }), asked("j1", 1, { sentAt: 3005 }), asked("j2", 2, { sentAt: 3006 })]);
    await ledger.close([closing("c1"), closing("c2", { end: "cut", failure: "cut-by-client" }), closing("j1")]);
    const table: readonly [Partial<CallFilter>, readonly string[]][] = [
      [{}, ["c1", "c2", "c3", "d1", "j1", "j2"]],
      [{ run }, ["c1", "c2", "c3"]],
      [{ window: windowId("window-2") }, ["d1"]],
      [{ batch }, ["j1", "j2"]],
      [{ batch: "2026" }, []],
      [{ key: `${batch}:215:v3` }, ["j1", "j2"]],
      [{ states: ["cut", "open"] }, ["c2", "c3", "d1", "j2"]],
      [{ states: [] }, []],
      [{ from: 3002, to: 3005 }, ["c2", "c3", "d1"]],
      [{ run, states: ["open"] }, ["c3"]],
      [{ run, batch }, []],
      [{ after: 4 }, ["j1", "j2"]],
      [{ limit: 2 }, ["c1", "c2"]],
      [{ limit: 2, after: 2 }, ["c3", "d1"]],
      [{ limit: 0 }, []],
    ];
    for (const [filter, expected] of table) expect([filter, await ids(ledger, filter)]).toEqual([filter, expected]);
  });

  test.each(["m\0del", "\ud800", "x\udfff\0y", "a'; DROP TABLE call; --", "\u2028\u202e😀", "", "%_[", "x".repeat(100_000)])(
    "a hostile name comes back as it was: %j",
    async (name) => {
      const { ledger } = await begin(make);
      const hostile = { ...request, model: name, provider: name, format: name, conversation: name };
      const told = { answeredModel: name, providerRequestId: name, messageId: name };
      const task = taskKey("T1");
      const price = { table: name, tiers: [] };
      await ledger.open([intent("c1", { request: hostile, price, owner: { ...owner, task } as typeof owner })]);
      await ledger.close([closing("c1", told)]);
      await ledger.markSubagents(window, new Map([[name, true]]));
      const { answer: _answer, ...result } = { ...whole, ...told };
      expect(await ledger.calls({ limit: 9 })).toMatchObject([{ request: hostile, price, result, subagent: true }]);
    },
  );

  test("duplicates are asked for by SQL that can be read and run by itself", async () => {
    const folder = newFolder();
    const { ledger } = await begin(() => openFile(folder));
    const [first, second] = [asked("c1", 1), asked("c2", 1)];
    for (const one of [first, second]) {
      await ledger.open([one]);
      await ledger.close([closing(one.id)]);
    }
    const found = [{ key: `${batch}:215:v3`, seq: 1, charges: 2 }];
    for (const filter of [{ batch }, {}]) {
      const { sql, rows } = await ledger.duplicates(filter);
      expect(rows).toEqual(found);
      const db = new DatabaseSync(join(folder, "midwatch.db"), { readOnly: true });
      expect(
        db
          .prepare(sql)
          .all()
          .map((row) => ({ ...row })),
      ).toEqual(found);
      db.close();
    }
    expect((await ledger.duplicates({ batch: "it's" })).sql).toContain("'it''s'");
    expect((await ledger.duplicates({ run })).rows).toEqual([]);
  });
});
