/** Batches that have ended: out of the store and back without a loss, whatever was added meanwhile, and what is removed after a time. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { CallOwner } from "../../src/core/money/call.ts";
import type { Store } from "../../src/ports/store.ts";
import { at, leaseMs, settings } from "./batch-kit.ts";
import { answer, asked, closing, newFolder, openFile } from "./ledger-kit.ts";

const large = "x".repeat(100_000);
const output = { answer: "{", answerBytes: 1, stderr: "SyntaxError" };

/** A closed batch of three jobs: one with a small answer, one with a large one, one that failed. Each has asked a model once. */
async function addEnded(store: Store, name: string, closedAt = 5000): Promise<void> {
  await store.batches.addList(
    { name, version: "v1", settings },
    ["small", "large", "none"].map((id) => ({ id, payload: JSON.stringify({ id }) })),
    1000,
  );
  for (let claim = await next(store, name); claim !== null; claim = await next(store, name)) {
    const owner: CallOwner = { kind: "job", batch: name, job: claim.key, attempt: claim.attempt, fence: claim.fence, round: claim.round };
    const scopes = [{ kind: "batch", id: name }] as const;
    await store.ledger.open([asked(`${name}-${claim.id}-1`, 1, { owner, scopes })]);
    await store.ledger.close([closing(`${name}-${claim.id}-1`, { answer: answer(claim.id === "large" ? large : "said") })]);
    if (claim.id === "none") await store.batches.finish(claim, { kind: "failed", reason: "no answer", forGood: true, output }, 3000);
    else await store.batches.finish(claim, { kind: "done", answer: Buffer.from(claim.id === "large" ? large : "short") }, 3000);
  }
  await store.batches.setState(name, "closed", "it ended", closedAt);
}

const next = (store: Store, name: string) => store.batches.claim(name, "0.1", leaseMs, () => at(0));

async function everything(store: Store, name: string) {
  const { batches, ledger, archive } = store;
  const jobs = await batches.jobs(name, { limit: 10 });
  const calls = await ledger.calls({ batch: name, limit: 10 });
  return {
    batch: await batches.batch(name),
    counts: await batches.counts(name),
    jobs,
    bodies: await Promise.all(
      jobs.map(async ({ id }) => [
        await batches.payload(name, id),
        await batches.attempts(name, id),
        await batches.answer(name, id),
        await batches.failure(name, id),
      ]),
    ),
    calls: await Promise.all(calls.map(async (call) => [call, await ledger.answer(call.id)])),
    history: await archive.history(name, "none"),
    spend: await ledger.spend([{ kind: "batch", id: name }]),
  };
}

test("a batch comes back as it was, though its numbers were given to others meanwhile", async () => {
  const store = await openFile();
  await addEnded(store, "a");
  await addEnded(store, "b");
  const before = { a: await everything(store, "a"), b: await everything(store, "b") };
  await store.archive.archive("b", 6000);
  await addEnded(store, "c");
  const c = await everything(store, "c");
  await store.archive.archive("a", 6000);
  expect(await store.archive.restore("b")).toBe(3);
  expect(await store.archive.restore("a")).toBe(3);
  expect({ a: await everything(store, "a"), b: await everything(store, "b") }).toEqual(before);
  expect(await everything(store, "c")).toEqual(c);
});

test("while it is archived its keys, calls and sums are in the store, its jobs and answers are not", async () => {
  const folder = newFolder();
  const store = await openFile(folder);
  await addEnded(store, "a");
  const before = await everything(store, "a");
  const path = await store.archive.archive("a", 6000);
  const { batch, jobs, calls, history, spend } = await everything(store, "a");
  expect(batch).toMatchObject({ name: "a", version: "v1", state: "archived", closedAt: 5000, archivedTo: path });
  expect({ jobs, history, spend }).toEqual({ jobs: [], history: before.history, spend: before.spend });
  expect(calls).toEqual(before.calls.map(([call]) => [call, null]));
  expect((await store.ledger.duplicates({ batch: "a" })).rows).toEqual([]);
});

test("the archive is a file of its own, whole, private, and readable by any program that reads SQLite", async () => {
  const store = await openFile();
  await addEnded(store, "a");
  await addEnded(store, "b");
  const path = await store.archive.archive("a", 6000);
  const archive = new DatabaseSync(path, { readOnly: true });
  const count = (table: string) => archive.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.["rows"];
  expect(
    Object.fromEntries(
      ["batch", "job", "job_payload", "attempt", "job_answer", "job_failure", "call", "answer"].map((table) => [table, count(table)]),
    ),
  ).toEqual({
    ...{ batch: 1, job: 3, job_payload: 3, attempt: 3, job_answer: 2, job_failure: 1, call: 3, answer: 3 },
  });
  expect(archive.prepare("SELECT count(*) AS rows FROM job_answer WHERE file IS NOT NULL").get()).toEqual({ rows: 0 });
  archive.close();
  expect(existsSync(`${path}.part`)).toBe(false);
  expect(readFileSync(path).subarray(0, 15).toString()).toBe("SQLite format 3");
});

test("only a closed batch is archived, and only an archived one is brought back", async () => {
  const store = await openFile();
  await addEnded(store, "a");
  await expect(store.archive.restore("a")).rejects.toMatchObject({ kind: "usage", code: "E_BATCH_NOT_ARCHIVED" });
  await store.batches.retry("a", ["none"], 6000);
  await expect(store.archive.archive("a", 6000)).rejects.toMatchObject({ kind: "usage", code: "E_BATCH_OPEN" });
  await expect(store.archive.archive("nobody", 6000)).rejects.toMatchObject({ kind: "usage", code: "E_BATCH_UNKNOWN" });
});

test("what a model said to jobs that are done goes after a time; the jobs' answers and what a failed job may ask again stay", async () => {
  const store = await openFile();
  await addEnded(store, "old", 5000);
  await addEnded(store, "new", 9000);
  const before = { old: await everything(store, "old"), new: await everything(store, "new") };
  expect(await store.archive.prune(5000)).toBe(0);
  expect(await store.archive.prune(9000)).toBe(2);
  const after = await everything(store, "old");
  expect(after.bodies).toEqual(before.old.bodies);
  expect(after.calls.map(([, recorded]) => recorded !== null)).toEqual([false, false, true]);
  expect(await everything(store, "new")).toEqual(before.new);
});

test("the archive lies in the state folder, called as the batch", async () => {
  const folder = newFolder();
  const store = await openFile(folder);
  await addEnded(store, "a");
  expect(await store.archive.archive("a", 6000)).toBe(join(folder, "archive/a.db"));
});
