/** Batches and jobs: what is added, how a job moves and who may move it, over a file and in memory. */
import { describe, expect, test } from "vitest";
import { MidwatchError } from "../../src/core/error.ts";
import type { AttemptEnd, BatchStore, NewJob } from "../../src/ports/batch-store.ts";
import { at, bodies, done, failed, jobs, leaseMs, name, released, settings, take, version, withJobs } from "./batch-kit.ts";

const codeOf = (code: string) => expect.objectContaining({ code });

async function textOf(batches: BatchStore): Promise<string | null> {
  const answer = await batches.answer(name, "j1");
  return answer === null ? null : Buffer.from(answer).toString();
}

describe.each(bodies)("%s", (_name, make) => {
  describe("what is added", () => {
    test("a batch is added once; the same again is the same, in whatever order its settings are given", async () => {
      const { batches } = await make();
      const batch = await batches.addBatch({ name, version, settings }, 1000);
      expect(batch).toEqual({
        ...{ name, version, settings, state: "open", reason: "", request: "none" },
        ...{ addedAt: 1000, closedAt: null, archivedTo: null },
      });
      const turned = Object.fromEntries(Object.entries(settings).reverse()) as unknown as typeof settings;
      expect(await batches.addBatch({ name, version, settings: turned }, 2000)).toEqual(batch);
      expect(await batches.addBatch({ name, version: "v4", settings }, 2000)).toBeNull();
      expect(await batches.addBatch({ name, version, settings: { ...settings, slots: 5 } }, 2000)).toBeNull();
      expect(await batches.batches()).toEqual([batch]);
      expect([await batches.batch(name), await batches.batch("another")]).toEqual([batch, null]);
    });

    test("its caps are changed on a person's word, and nothing else of it", async () => {
      const { batches } = await make();
      const batch = await batches.addBatch({ name, version, settings }, 1000);
      const raised = { ...settings, batchMicroUsd: 99_000_000, attempts: 7 };
      await batches.setSettings(name, raised, 2000);
      expect(await batches.batch(name)).toEqual({ ...batch, settings: raised });
      await expect(batches.setSettings("no", raised, 2000)).rejects.toThrow("no");
    });

    test("jobs that are there with the same content are known, and twins in a list are one", async () => {
      const { batches } = await withJobs(make, 2);
      const list = [...jobs(3), ...jobs(3)];
      expect(await batches.addJobs(name, list, 2000)).toEqual({ added: 1, known: 5, changed: [] });
      expect(await batches.counts(name)).toEqual({ pending: 3, running: 0, done: 0, failed: 0, attempts: 0 });
      expect((await batches.jobs(name, { limit: 9 })).map(({ id, addedAt }) => [id, addedAt])).toEqual([
        ["j1", 1000],
        ["j2", 1000],
        ["j3", 2000],
      ]);
    });

    test("one id with another content: it is named, and nothing of the list is added", async () => {
      const { batches } = await withJobs(make, 2);
      const list: readonly NewJob[] = [{ id: "new", payload: "1" }, ...jobs(2), { id: "j2", payload: "2" }, { id: "new", payload: "3" }];
      expect(await batches.addJobs(name, list, 2000)).toEqual({ added: 0, known: 0, changed: ["j2", "new"] });
      expect(await batches.job(name, "new")).toBeNull();
      expect(await batches.counts(name)).toMatchObject({ pending: 2 });
    });

    test("a list of 12,000 with its fault at the end leaves nothing, and a hundred ids are named at most", async () => {
      const { batches } = await withJobs(make, 200);
      const list = [...jobs(12_000).slice(200), ...jobs(200).map(({ id }) => ({ id, payload: "other" }))];
      const added = await batches.addJobs(name, list, 2000);
      expect([added.added, added.changed.length]).toEqual([0, 100]);
      expect(await batches.counts(name)).toMatchObject({ pending: 200 });
      expect(await batches.addJobs(name, jobs(12_000), 3000)).toEqual({ added: 11_800, known: 200, changed: [] });
      expect((await batches.jobs(name, { limit: 20_000 })).map(({ id }) => id)).toEqual(jobs(12_000).map(({ id }) => id));
    });

    test("a list that breaks off while it is read leaves neither jobs nor a batch that came with it", async () => {
      const { batches } = await make();
      function* broken() {
        yield* jobs(7000);
        throw new Error("line 7001");
      }
      await expect(batches.addList({ name, version, settings }, broken(), 1000)).rejects.toThrow("line 7001");
      expect(await batches.batches()).toEqual([]);
      expect(await batches.addList({ name, version: "v4", settings }, jobs(2), 1000)).toEqual({ added: 2, known: 0, changed: [] });
      expect(await batches.addList({ name, version, settings }, jobs(2), 1000)).toBeNull();
      expect(await batches.addList({ name, version: "v4", settings }, jobs(3), 1000)).toEqual({ added: 1, known: 2, changed: [] });
    });

    test("jobs of a list that is still being added are not there yet, and of two lists at once the earlier is told", async () => {
      const { batches } = await withJobs(make, 1);
      const seen: unknown[] = [];
      let other: Promise<unknown> | null = null;
      function* slow() {
        yield* jobs(6000).slice(1);
        seen.push("read");
        other = batches.addJobs(name, jobs(3), 2000);
      }
      await expect(batches.addJobs(name, slow(), 2000)).rejects.toEqual(codeOf("E_BATCH_ADDING"));
      expect(await other).toEqual({ added: 2, known: 1, changed: [] });
      expect(await batches.counts(name)).toMatchObject({ pending: 3 });
      expect(await batches.job(name, "j4")).toBeNull();
      expect(seen).toEqual(["read"]);
    });

    test.each<[string, (batches: BatchStore) => Promise<unknown>]>([
      ["jobs are added", (batches) => batches.addJobs("no", jobs(1), 1)],
      ["a job is claimed", (batches) => batches.claim("no", "0.1", 1, () => at(0))],
      ["its state is set", (batches) => batches.setState("no", "paused", "", 1)],
      ["it is asked to stop", (batches) => batches.setRequest("no", "stop", 1)],
      ["its request is read", (batches) => batches.request("no")],
      ["it is counted", (batches) => batches.counts("no")],
    ])("a batch that nobody added is an error when %s", async (_what, act) => {
      const { batches } = await make();
      await expect(act(batches)).rejects.toEqual(codeOf("E_BATCH_UNKNOWN"));
      await expect(act(batches)).rejects.toBeInstanceOf(MidwatchError);
    });
  });

  describe("how a job moves", () => {
    const ends: readonly [what: string, end: AttemptEnd, state: string, attempts: number, reason: string, told: string][] = [
      ["an answer finishes it", done(), "done", 1, "", "done"],
      ["a failure sends it back, and counts", failed(), "pending", 1, "exit code 1", "failed"],
      ["a failure for good fails it at once", { ...failed("diverged"), forGood: true }, "failed", 1, "diverged", "failed"],
      ["a release sends it back, and does not count", released(), "pending", 0, "provider limit", "released"],
    ];
    test.each(ends)("%s", async (_what, end, state, attempts, reason, told) => {
      const { batches } = await withJobs(make, 1);
      const claim = await take(batches);
      expect(claim).toEqual({
        ...{ batch: name, id: "j1", key: "2026-11:j1:v3", payload: '{"question":1}', attempt: 1, fence: 1, round: 0, slot: "0.1" },
      });
      expect(await batches.job(name, "j1")).toMatchObject({ state: "running", attempts: 1, fence: 1, slot: "0.1" });
      expect(await batches.attempts(name, "j1")).toEqual([
        { attempt: 1, fence: 1, round: 0, slot: "0.1", startedAt: 1_000_000, endedAt: null, end: "running", reason: "" },
      ]);
      expect(await batches.finish(claim, end, 1_000_500)).toBe(true);
      const ended = state === "pending" ? null : 1_000_500;
      expect(await batches.job(name, "j1")).toMatchObject({ state, attempts, fence: 1, slot: null, reason, endedAt: ended });
      expect(await batches.attempts(name, "j1")).toMatchObject([{ attempt: 1, fence: 1, endedAt: 1_000_500, end: told, reason }]);
      expect(await textOf(batches)).toBe(end.kind === "done" ? "42" : null);
    });

    test.each(ends)("after its end nothing ends it once more: %s", async (_what, end) => {
      const { batches } = await withJobs(make, 1);
      const claim = await take(batches);
      await batches.finish(claim, end, 1_000_500);
      const before = await batches.job(name, "j1");
      for (const again of ends) expect(await batches.finish(claim, again[1], 1_000_600)).toBe(false);
      expect(await batches.renew([claim], leaseMs, () => at(1))).toEqual([claim]);
      expect(await batches.job(name, "j1")).toEqual(before);
      expect(await batches.attempts(name, "j1")).toHaveLength(1);
    });

    test("the third failure is the last, and a person's word begins anew", async () => {
      const { batches } = await withJobs(make, 1);
      for (const _ of [1, 2, 3]) await batches.finish(await take(batches), failed(), 1_000_500);
      expect(await batches.job(name, "j1")).toMatchObject({ state: "failed", attempts: 3, reason: "exit code 1", endedAt: 1_000_500 });
      expect([await batches.claim(name, "0.1", leaseMs, () => at(0)), await batches.nextChangeAt(name)]).toEqual([null, null]);
      await batches.setState(name, "closed", "1 failed", 1_000_600);
      expect(await batches.batch(name)).toMatchObject({ state: "closed", closedAt: 1_000_600 });
      expect([await batches.retry(name, ["j9"], 1), await batches.retry(name, [], 1), await batches.retry(name, [], 1)]).toEqual([0, 1, 0]);
      expect(await batches.batch(name)).toMatchObject({ state: "open", closedAt: null });
      expect(await take(batches)).toMatchObject({ attempt: 1, fence: 4 });
      expect((await batches.attempts(name, "j1")).map(({ attempt, fence, end }) => [attempt, fence, end])).toEqual([
        [1, 1, "failed"],
        [2, 2, "failed"],
        [3, 3, "failed"],
        [1, 4, "running"],
      ]);
      expect(await batches.counts(name)).toEqual({ pending: 0, running: 1, done: 0, failed: 0, attempts: 4 });
    });

    test("what a failed attempt left behind is kept, the last one's of each job", async () => {
      const { batches } = await withJobs(make, 2);
      const output = (answer: string | null) => ({ answer, answerBytes: 9000, stderr: "Error: \0 no" });
      expect(await batches.failure(name, "j1")).toBeNull();
      const first = await take(batches);
      await batches.finish(first, { ...failed("no JSON"), output: output("{") }, 1_000_500);
      const one = { attempt: 1, fence: 1, round: 0, endedAt: 1_000_500, reason: "no JSON" };
      expect(await batches.failure(name, "j1")).toEqual({ ...one, answer: "{", answerBytes: 9000, stderr: "Error: \ufffd no" });
      expect(await batches.finish(first, { ...failed("late"), output: output("late") }, 1_000_600)).toBe(false);
      await batches.finish(await take(batches), released(), 1_000_700);
      await batches.finish(await take(batches), { ...failed("empty"), output: output(null) }, 1_000_800);
      await batches.finish(await take(batches), done(), 1_000_900);
      expect(await batches.failure(name, "j1")).toMatchObject({ attempt: 2, fence: 3, reason: "empty", answer: null });
      expect([await batches.failure(name, "j2"), await batches.failure(name, "j9")]).toEqual([null, null]);
    });

    test("a fence is told from the next one, though the slot has the same name (B104)", async () => {
      const { batches } = await withJobs(make, 1);
      const first = await take(batches, "0.1");
      expect(await batches.returnSeat(name, "0", at(10))).toBe(1);
      const second = await take(batches, "0.1", 20);
      expect([second.slot, second.fence, second.attempt]).toEqual([first.slot, 2, 2]);
      expect(await batches.finish(first, done("late"), 1_000_030)).toBe(false);
      expect(await batches.renew([first, second], leaseMs, () => at(30))).toEqual([first]);
      expect(await batches.answer(name, "j1")).toBeNull();
      expect(await batches.finish(second, done("right"), 1_000_040)).toBe(true);
      expect(await textOf(batches)).toBe("right");
    });

    test("what its slot left counts as an attempt, and the third time it failed (B106)", async () => {
      const { batches } = await withJobs(make, 1);
      for (const number of [1, 2, 3]) {
        expect(await take(batches)).toMatchObject({ attempt: number, fence: number });
        expect(await batches.returnSeat(name, "0", at(10))).toBe(1);
      }
      expect(await batches.job(name, "j1")).toMatchObject({
        state: "failed",
        attempts: 3,
        reason: "midwatch died while it ran, and its slot started again",
      });
      expect(await batches.attempts(name, "j1")).toMatchObject([{ end: "returned" }, { end: "returned" }, { end: "returned" }]);
    });

    test("a seat returns what its own slots hold, and no other's", async () => {
      const { batches } = await withJobs(make, 5);
      for (const slot of ["1.1", "1.2", "11.1", "2.1", "1"]) await take(batches, slot);
      expect(await batches.returnSeat(name, "1", at(1))).toBe(2);
      expect((await batches.jobs(name, { state: "running", limit: 9 })).map(({ slot }) => slot)).toEqual(["11.1", "2.1", "1"]);
    });

    test("jobs are taken in the order of the list; one that waits is passed over until its time, and then comes first", async () => {
      const { batches } = await withJobs(make, 3);
      await batches.finish(await take(batches), released("limit", 1_000_900), 1_000_100);
      expect(await batches.nextChangeAt(name)).toBe(0);
      const second = await take(batches, "0.1", 899);
      expect(second.id).toBe("j2");
      await batches.finish(second, done(), 1_000_899);
      expect((await take(batches, "0.2", 900)).id).toBe("j1");
    });

    test("what changes next is a job that waits, or a lease that ends", async () => {
      const { batches } = await withJobs(make, 2);
      expect(await batches.nextChangeAt(name)).toBe(0);
      await batches.finish(await take(batches), released("limit", 1_005_000), 1_000_100);
      await take(batches, "0.1", 200);
      expect(await batches.nextChangeAt(name)).toBe(1_005_000);
      await take(batches, "0.2", 5000);
      expect(await batches.nextChangeAt(name)).toBe(1_600_200);
    });

    test("of a batch that is paused nothing is claimed, and what runs may end", async () => {
      const { batches } = await withJobs(make, 2);
      const claim = await take(batches);
      await batches.setState(name, "paused", "the day's cap", 2000);
      expect(await batches.batch(name)).toMatchObject({ state: "paused", reason: "the day's cap", closedAt: null });
      expect(await batches.claim(name, "0.2", leaseMs, () => at(0))).toBeNull();
      expect(await batches.finish(claim, done(), 3000)).toBe(true);
      await batches.setState(name, "open", "", 4000);
      expect(await take(batches)).toMatchObject({ id: "j2" });
    });

    test("a request is kept until another one, and batches have their own", async () => {
      const { batches } = await withJobs(make, 1);
      await batches.addBatch({ name: "other", version, settings }, 1000);
      await batches.setRequest(name, "stop-now", 2000);
      expect([await batches.request(name), await batches.request("other")]).toEqual(["stop-now", "none"]);
    });

    test("batches that were added to by turns keep their jobs apart", async () => {
      const { batches } = await withJobs(make, 2);
      await batches.addList({ name: "other", version, settings }, jobs(3), 1000);
      await batches.addJobs(name, jobs(4), 1000);
      expect((await batches.jobs(name, { limit: 9 })).map(({ id }) => id)).toEqual(["j1", "j2", "j3", "j4"]);
      expect((await batches.jobs(name, { limit: 2, after: "j1" })).map(({ id }) => id)).toEqual(["j2", "j3"]);
      expect((await batches.jobs("other", { limit: 9 })).map(({ key }) => key)).toEqual(["other:j1:v3", "other:j2:v3", "other:j3:v3"]);
      await take(batches);
      expect((await batches.jobs(name, { state: "pending", limit: 9 })).map(({ id }) => id)).toEqual(["j2", "j3", "j4"]);
      expect(await batches.counts("other")).toMatchObject({ pending: 3, running: 0 });
    });
  });
});
