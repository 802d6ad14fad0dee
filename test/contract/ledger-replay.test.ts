/** A job's paid answers: served again byte for byte, never bought twice, and stopped where the program is not the same any more. */
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { answer, asked, batch, begin, bodies, closing, intent, job, request } from "./ledger-kit.ts";

const key = `${batch}:215:v3`;
const body = (hash: string) => ({ request: { ...request, hash } });
const told = { answer: answer("data: 1\n\n") };

describe.each(bodies)("%s", (_name, make) => {
  test.each([
    ["an empty body", new Uint8Array()],
    ["a small body", new TextEncoder().encode("data: {\u2028}\n\n")],
    ["a body at the edge", randomBytes(64 * 1024)],
    ["a body that goes to a file", randomBytes(64 * 1024 + 1)],
    ["a large body", randomBytes(3_000_000)],
  ] as const)("%s is served as it came, with status and headers", async (_what, bytes) => {
    const { ledger } = await begin(make);
    await ledger.open([asked("c1", 1)]);
    await ledger.close([closing("c1", { answer: answer(bytes) })]);
    const recorded = { ...answer(bytes), body: expect.toSatisfy((one: Uint8Array) => Buffer.compare(one, bytes) === 0) };
    expect(await ledger.open([asked("c2", 1)])).toEqual([{ kind: "replay", id: "c1", key: { key, seq: 1, try: 1 }, answer: recorded }]);
    expect(await ledger.answer("c1")).toEqual(recorded);
    expect(await ledger.answer("nobody")).toBeNull();
    expect(await ledger.calls({ batch, limit: 9 })).toHaveLength(1);
  });

  test("in sequence, another request under a number stops before money is spent, or is paid as a new try", async () => {
    const { ledger } = await begin(make);
    await ledger.open([asked("c1", 1)]);
    await ledger.close([closing("c1", told)]);
    expect(await ledger.open([asked("c2", 1, body("b"))])).toEqual([{ kind: "diverged", seq: 1, expected: request.hash }]);
    const pay = { place: { kind: "sequence", seq: 1, onDivergence: "pay" } } as const;
    expect(await ledger.open([asked("c3", 1, { ...pay, ...body("b") })])).toMatchObject([{ kind: "opened", key: { key, seq: 1, try: 2 } }]);
    await ledger.close([closing("c3", told)]);
    expect(await ledger.open([asked("c4", 1, pay), asked("c5", 1, { ...pay, ...body("b") })])).toMatchObject([
      { kind: "replay", id: "c1" },
      { kind: "replay", id: "c3" },
    ]);
    expect((await ledger.duplicates({ batch })).rows).toEqual([]);
  });

  test("in parallel, the k-th request with a body is the k-th recorded one with it, in whatever order", async () => {
    const { ledger } = await begin(make);
    const parallel = (id: string, hash: string, occurrence: number) =>
      asked(id, 0, { place: { kind: "occurrence", occurrence }, ...body(hash) });
    const first = await ledger.open([parallel("c1", "x", 1), parallel("c2", "y", 1), parallel("c3", "x", 2)]);
    expect(first).toMatchObject([{ key: { seq: 1 } }, { key: { seq: 2 } }, { key: { seq: 3 } }]);
    await ledger.close(["c1", "c2", "c3"].map((id) => closing(id, { answer: answer(id) })));
    expect(
      await ledger.open([parallel("d3", "x", 2), parallel("d2", "y", 1), parallel("d1", "x", 1), parallel("d4", "x", 3)]),
    ).toMatchObject([
      { kind: "replay", id: "c3" },
      { kind: "replay", id: "c2" },
      { kind: "replay", id: "c1" },
      { kind: "opened", key: { seq: 4, try: 1 } },
    ]);
  });

  test.each([
    ["cut", "cut-by-provider", true],
    ["unknown", "lost", true],
    ["failed", "server-error", true],
    ["failed", "limited", false],
    ["failed", "unreachable", false],
  ] as const)(
    "a try that ended as %s (%s) is made again as the next one; whether it may have been paid: %s",
    async (end, failure, isUnknown) => {
      const { ledger } = await begin(make);
      await ledger.open([asked("c1", 1)]);
      await ledger.close([closing("c1", { end, failure, ...told }, { costMicroUsd: null })]);
      expect(await ledger.open([asked("c2", 1)])).toEqual([{ kind: "opened", key: { key, seq: 1, try: 2 }, earlierUnknown: isUnknown }]);
      expect((await ledger.duplicates({ batch })).rows).toEqual([]);
    },
  );

  test("an answer that came after its call was given up is served, whatever became of later tries", async () => {
    const { ledger } = await begin(make);
    await ledger.open([asked("c1", 1)]);
    expect(await ledger.giveUp({ batch }, 4000)).toBe(1);
    await ledger.open([asked("c2", 1)]);
    await ledger.close([closing("c2", { end: "failed", failure: "limited" }, { costMicroUsd: null }), closing("c1", told)]);
    expect(await ledger.open([asked("c3", 1)])).toMatchObject([{ kind: "replay", id: "c1" }]);
  });

  test("a whole answer that was not kept is paid again, and stands among the duplicates", async () => {
    const { ledger } = await begin(make);
    for (const id of ["c1", "c2"]) {
      expect(await ledger.open([asked(id, 1)])).toMatchObject([{ kind: "opened" }]);
      await ledger.close([closing(id)]);
    }
    const { sql, rows } = await ledger.duplicates({ batch });
    expect(rows).toEqual([{ key, seq: 1, charges: 2 }]);
    expect(sql).toMatch(/^SELECT key, seq, count\(\*\) AS charges\nFROM call\n/);
  });

  test("whoever holds an older fence than one that has spent is refused, and booked as late", async () => {
    const { ledger } = await begin(make);
    await ledger.open([asked("c1", 1, { owner: job({ fence: 1 }) })]);
    expect(await ledger.open([asked("c2", 1, { owner: job({ fence: 2, attempt: 2 }) })])).toMatchObject([{ kind: "opened" }]);
    expect(await ledger.open([asked("c3", 2, { owner: job({ fence: 1 }) })])).toEqual([{ kind: "gone" }]);
    expect(await ledger.close([closing("c1", told), closing("c2", told)])).toMatchObject([{ kind: "late" }, { kind: "closed" }]);
    expect((await ledger.duplicates({ batch })).rows).toEqual([{ key, seq: 1, charges: 2 }]);
  });

  test("a window counts for itself: the same request is another call", async () => {
    const { ledger } = await begin(make);
    await ledger.open([intent("c1"), intent("c2")]);
    await ledger.close([closing("c1"), closing("c2")]);
    const again = intent("c3", { place: { kind: "counted", seq: 2, try: 2 } });
    expect(await ledger.open([again])).toMatchObject([{ kind: "opened", key: { seq: 2, try: 2 } }]);
    await expect(ledger.open([intent("c4"), { ...again, id: "c5" }])).rejects.toMatchObject({ code: "E_STORE_REFUSED" });
    expect(await ledger.calls({ limit: 9 })).toHaveLength(3);
  });
});
