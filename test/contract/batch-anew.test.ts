/** A person has a job's models asked anew: nothing paid before is served, what is paid from then on is, and both charges stay. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import type { JobClaim } from "../../src/ports/batch-store.ts";
import type { CallIntent } from "../../src/ports/ledger.ts";
import type { Store } from "../../src/ports/store.ts";
import { at, bodies, done, failed, name, take, withJobs } from "./batch-kit.ts";
import { answer, closing, intent, newFolder, openFile } from "./ledger-kit.ts";

const forGood = { ...failed("the answer does not satisfy the schema"), forGood: true } as const;

function callOf({ batch, key, attempt, fence, round }: JobClaim, id: string, change: Partial<CallIntent> = {}): CallIntent {
  const owner = { kind: "job", batch, job: key, attempt, fence, round } as const;
  return intent(id, {
    owner,
    place: { kind: "sequence", seq: 1, onDivergence: "stop" },
    scopes: [{ kind: "batch", id: batch }],
    ...change,
  });
}

/** Paid once, and failed for it. */
async function failOnce(store: Store, id = "c1"): Promise<JobClaim> {
  const claim = await take(store.batches);
  await store.ledger.open([callOf(claim, id)]);
  await store.ledger.close([closing(id, { answer: answer("wrong") })]);
  await store.batches.finish(claim, forGood, 1_000_100);
  return claim;
}

const anew = (store: Store) => store.ledger.proof({ batch: name }).then((all) => all.find((one) => one.name === "anew")?.rows);

describe.each(bodies)("%s", (_name, make) => {
  test("another try is served what was paid; asked anew it pays, and both are on record as what they are", async () => {
    const store = await withJobs(make, 1);
    const { batches, ledger } = store;
    await failOnce(store);
    await batches.retry(name, [], 1_000_200);
    const again = await take(batches);
    expect(again).toMatchObject({ attempt: 1, fence: 2, round: 0 });
    expect(await ledger.open([callOf(again, "c2")])).toMatchObject([{ kind: "replay", id: "c1" }]);
    await batches.finish(again, forGood, 1_000_300);

    expect(await batches.retry(name, ["j1"], 1_000_400, "anew")).toBe(1);
    expect(await batches.job(name, "j1")).toMatchObject({ state: "pending", attempts: 0, round: 1 });
    const claim = await take(batches);
    expect(claim).toMatchObject({ attempt: 1, fence: 3, round: 1 });
    expect(await ledger.open([callOf(claim, "c3")])).toMatchObject([{ kind: "opened", key: { seq: 1, try: 2 } }]);
    await ledger.close([closing("c3", { answer: answer("right") })]);
    expect((await ledger.duplicates({ batch: name })).rows).toEqual([]);
    expect(await anew(store)).toEqual([[claim.key, 1, 2, 1, 16_400]]);
    await batches.finish(claim, done(), 1_000_500);
    expect((await batches.attempts(name, "j1")).map(({ fence, round }) => [fence, round])).toEqual([
      [1, 0],
      [2, 0],
      [3, 1],
    ]);
    expect(await ledger.spend([{ kind: "batch", id: name }])).toMatchObject([{ spentMicroUsd: 32_800, calls: 2 }]);
  });

  test("what was paid anew is served to the next attempt of that round, and paying it there once more is a duplicate", async () => {
    const store = await withJobs(make, 1);
    const { batches, ledger } = store;
    await failOnce(store);
    await batches.retry(name, [], 1, "anew");
    await failOnce(store, "c2");
    await batches.retry(name, [], 1);
    const third = await take(batches);
    expect(await ledger.open([callOf(third, "c3")])).toMatchObject([{ kind: "replay", id: "c2" }]);
    const lost = callOf(third, "c4", { place: { kind: "sequence", seq: 2, onDivergence: "stop" } });
    for (const call of [lost, { ...lost, id: "c5" }]) {
      await ledger.open([call]);
      await ledger.close([closing(call.id)]); // its answer is not kept
    }
    expect((await ledger.duplicates({ batch: name })).rows).toEqual([{ key: third.key, seq: 2, charges: 2 }]);
  });

  test("other answers lead to other requests: the round before says nothing of them, in whatever order they come", async () => {
    const store = await withJobs(make, 1);
    await failOnce(store);
    await store.batches.retry(name, [], 1, "anew");
    const claim = await take(store.batches);
    const { request } = callOf(claim, "c2");
    const other = callOf(claim, "c2", { request: { ...request, hash: "b" } });
    expect(await store.ledger.open([other])).toMatchObject([{ kind: "opened", key: { seq: 1, try: 2 } }]);
    const parallel = callOf(claim, "c3", { place: { kind: "occurrence", occurrence: 1 } });
    expect(await store.ledger.open([parallel])).toMatchObject([{ kind: "opened", key: { seq: 1, try: 3 } }]);
  });

  test("of two words at once one counts, and only failed jobs hear it", async () => {
    const store = await withJobs(make, 2);
    await failOnce(store);
    const words = [1, 2].map(() => store.batches.retry(name, [], 1, "anew"));
    expect((await Promise.all(words)).toSorted()).toEqual([0, 1]);
    expect((await store.batches.jobs(name, { limit: 9 })).map(({ round }) => round)).toEqual([1, 0]);
  });

  test("whoever slept through it is refused, and the answer that it still gets is not served", async () => {
    const store = await withJobs(make, 1, { attempts: 1 });
    const { batches, ledger } = store;
    const slept = await take(batches);
    await ledger.open([callOf(slept, "c1")]);
    expect(await batches.returnSeat(name, "0", at(10))).toBe(1);
    await ledger.giveUp({ batch: name, seat: "0" }, 1_000_100);
    await batches.retry(name, [], 1_000_200, "anew");
    const claim = await take(batches, "1.1", 300);
    expect(await ledger.close([closing("c1", { answer: answer("late") })])).toMatchObject([{ kind: "late" }]);
    expect(await ledger.open([callOf(slept, "c2")])).toEqual([{ kind: "gone" }]);
    expect(await ledger.open([callOf(claim, "c3")])).toMatchObject([{ kind: "opened", key: { try: 2 } }]);
  });
});

test("a round goes to the archive and back, and an archived batch is proved by its calls alone", async () => {
  const store = await openFile(newFolder());
  await withJobs(async () => store, 1);
  await failOnce(store);
  await store.batches.retry(name, [], 1, "anew");
  await failOnce(store, "c2");
  await store.batches.setState(name, "closed", "1 failed", 2000);
  const before = [await store.batches.job(name, "j1"), await store.batches.attempts(name, "j1"), await anew(store)];
  await store.archive.archive(name, 3000);
  expect(await anew(store)).toEqual(before[2]);
  expect((await store.ledger.duplicates({ batch: name })).rows).toEqual([]);
  await store.archive.restore(name);
  expect([await store.batches.job(name, "j1"), await store.batches.attempts(name, "j1"), await anew(store)]).toEqual(before);
  await store.batches.retry(name, [], 4000);
  expect(await store.ledger.open([callOf(await take(store.batches), "c3")])).toMatchObject([{ kind: "replay", id: "c2" }]);
});

test("an archive of before there were rounds comes back with the first one", async () => {
  const folder = newFolder();
  const store = await openFile(folder);
  await withJobs(async () => store, 1);
  await failOnce(store);
  await store.batches.setState(name, "closed", "1 failed", 2000);
  const before = [await store.batches.job(name, "j1"), await store.batches.attempts(name, "j1")];
  await store.archive.archive(name, 3000);
  const archive = new DatabaseSync(join(folder, `archive/${name}.db`));
  archive.exec(
    "ALTER TABLE job DROP COLUMN round; ALTER TABLE attempt DROP COLUMN round; ALTER TABLE call DROP COLUMN round; DROP TABLE job_failure; PRAGMA user_version = 3",
  );
  archive.close();
  await store.archive.restore(name);
  expect([await store.batches.job(name, "j1"), await store.batches.attempts(name, "j1")]).toEqual(before);
});
