/** What a job may still spend, whose calls are given up, and answers that come back byte for byte. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JobClaim } from "../../src/ports/batch-store.ts";
import type { CallIntent } from "../../src/ports/ledger.ts";
import { at, bodies, done, failed, jobs, name, released, settings, take, version, withJobs } from "./batch-kit.ts";
import { newFolder, openFile } from "./ledger-kit.ts";
import { closing, intent } from "./ledger-samples.ts";

function callOf({ batch, key, attempt, fence, round }: JobClaim, id: string, seq = 1): CallIntent {
  const owner = { kind: "job", batch, job: key, attempt, fence, round } as const;
  return intent(id, { owner, place: { kind: "sequence", seq, onDivergence: "stop" }, scopes: [{ kind: "batch", id: batch }] });
}

describe.each(bodies)("%s", (_name, make) => {
  test.each([
    ["finished", done()],
    ["failed", failed()],
    ["was released", released()],
  ])("nothing is spent in the name of an attempt that %s, and what was under way is late", async (_what, end) => {
    const { batches, ledger } = await withJobs(make, 1);
    const claim = await take(batches);
    expect(await ledger.open([callOf(claim, "c1")])).toMatchObject([{ kind: "opened" }]);
    await batches.finish(claim, end, 1_000_500);
    expect(await ledger.open([callOf(claim, "c2", 2)])).toEqual([{ kind: "gone" }]);
    expect(await ledger.close([closing("c1")])).toMatchObject([{ kind: "late" }]);
    expect(await ledger.calls({ batch: name, limit: 9 })).toMatchObject([{ id: "c1", state: "done", late: true, costMicroUsd: 16_400 }]);
  });

  test("whoever slept past its lease may not spend any more, though the next attempt has made no call", async () => {
    const { batches, ledger } = await withJobs(make, 1);
    const first = await take(batches);
    await ledger.open([callOf(first, "c1")]);
    const second = await take(batches, "1.1", 700_000);
    expect(await ledger.open([callOf(first, "c2", 2)])).toEqual([{ kind: "gone" }]);
    expect(await ledger.close([closing("c1")])).toMatchObject([{ kind: "late" }]);
    expect(await ledger.open([callOf(second, "c3", 2)])).toMatchObject([{ kind: "opened" }]);
    expect(await ledger.close([closing("c3")])).toMatchObject([{ kind: "closed" }]);
  });

  test("a job of a version that the batch does not have may spend nothing", async () => {
    const { batches, ledger } = await withJobs(make, 1);
    const claim = await take(batches);
    expect(await ledger.open([callOf({ ...claim, key: "2026-11:j1:v2" }, "c1")])).toEqual([{ kind: "gone" }]);
    expect(await ledger.open([callOf({ ...claim, key: "2026-11:j9:v3" }, "c2")])).toEqual([{ kind: "gone" }]);
  });

  test("of two supervisors on one batch only the calls of the dead one's attempts are given up", async () => {
    const { batches, ledger } = await withJobs(make, 4);
    const claims = [await take(batches, "0.1"), await take(batches, "1.1"), await take(batches, "10.1")];
    await ledger.open(claims.map((claim, index) => callOf(claim, `c${index + 1}`)));
    await batches.finish(claims[1]!, failed(), 1_000_100);
    expect(await ledger.giveUp({ batch: name, seat: "1" }, 5000)).toBe(1);
    expect((await ledger.calls({ batch: name, limit: 9 })).map(({ id, state }) => [id, state])).toEqual([
      ["c1", "open"],
      ["c2", "unknown"],
      ["c3", "open"],
    ]);
    expect(await ledger.giveUp({ batch: name, seat: "0" }, 5000)).toBe(1);
    expect(await ledger.giveUp({ batch: name, seat: "0" }, 5000)).toBe(0);
    expect(await ledger.giveUp({ batch: name }, 5000)).toBe(1);
  });

  test.each<[string, Uint8Array]>([
    ["nothing", Buffer.alloc(0)],
    ["a NUL in a text", Buffer.from("a\0b")],
    ["bytes that are no UTF-8", Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x80])],
    ["64 KiB", Buffer.alloc(64 * 1024, 7)],
    ["a byte more than 64 KiB", Buffer.alloc(64 * 1024 + 1, 8)],
    ["5 MB", Buffer.alloc(5_000_000, "Night ")],
  ])("an answer of %s comes back byte for byte", async (_what, answer) => {
    const { batches } = await withJobs(make, 1);
    await batches.finish(await take(batches), { kind: "done", answer }, 2000);
    expect(Buffer.compare((await batches.answer(name, "j1")) ?? Buffer.from("none"), answer)).toBe(0);
  });

  test.each([
    ["a quote and a line end", '{"text":"\\"a\\"\\n"}'],
    ["a NUL", '{"text":"a\0b"}'],
    ["three scripts", '{"text":"péché 夜 🌙"}'],
    ["two megabytes", JSON.stringify({ text: "x".repeat(2_000_000) })],
  ])("a job with %s comes back as it was", async (_what, payload) => {
    const { batches } = await make();
    await batches.addList({ name, version, settings }, [{ id: "j1", payload }], 1000);
    expect((await take(batches)).payload).toBe(payload);
    expect([await batches.payload(name, "j1"), await batches.payload(name, "j2")]).toEqual([payload, null]);
    expect(await batches.addJobs(name, [{ id: "j1", payload }], 1000)).toEqual({ added: 0, known: 1, changed: [] });
  });
});

test("a large answer lies in a file, which stays when the store is opened again", async () => {
  const folder = newFolder();
  const first = await openFile(folder);
  await first.batches.addList({ name, version, settings }, jobs(1), 1000);
  await first.batches.finish(await take(first.batches), { kind: "done", answer: Buffer.alloc(100_000, 1) }, 2000);
  expect(readdirSync(join(folder, "answers"))).toHaveLength(1);
  const again = await openFile(folder);
  expect((await again.batches.answer(name, "j1"))?.byteLength).toBe(100_000);
  expect(await again.batches.claim(name, "0.1", 1, () => at(0))).toBeNull();
});
