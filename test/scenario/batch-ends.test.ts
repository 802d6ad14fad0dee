/** How jobs end, and what is no fault of theirs: the provider's trouble and the caps. */
import { expect, test } from "vitest";
import type { ScriptedFault } from "../../src/ports/provider.ts";
import { batch, callMicroUsd, complaintsOf, makeBatchNight } from "./night-batch.ts";
import { eventually } from "./program.ts";
import { findStrays } from "./strays.ts";

test.each([
  ["prints nothing", { end: "nothing" }, { attempts: 2 }, "it ended with exit code 0 and gave no answer"],
  ["prints a gigabyte", { end: "gigabyte" }, { attempts: 1 }, "its answer has more than 1000000 bytes"],
  ["fails", { end: "fail" }, { attempts: 2 }, "exit code 1: it did not work"],
  [
    "hangs past its clock",
    { end: "hang" },
    { attempts: 1, jobMs: 1500, graceMs: 200 },
    expect.stringMatching(/^its time ran out after \d+ s$/),
  ],
] as const)("a job that %s fails with its own reason, after its last attempt", async (_title, job, settings, reason) => {
  const night = await makeBatchNight({
    jobs: [
      { id: "1", calls: 1, ...job },
      { id: "2", calls: 1 },
    ],
    settings,
  });
  expect(await night.supervise().ended).toMatchObject({ code: 7, signal: null });
  expect(await night.jobs()).toMatchObject([
    { state: "failed", attempts: settings.attempts, reason },
    { state: "done", attempts: 1 },
  ]);
  // What the first attempt paid is served to the second.
  expect(night.invoice()).toHaveLength(2);
});

test("a program that is not there is the job's failure, and says which", async () => {
  const night = await makeBatchNight({ jobs: [{ id: "1" }], command: ["/nowhere/solve"], settings: { attempts: 1 } });
  expect(await night.supervise().ended).toMatchObject({ code: 7 });
  expect(await night.job("1")).toMatchObject({ state: "failed", reason: "it could not be started (ENOENT)" });
});

test("what a job leaves running is ended with it", async () => {
  const night = await makeBatchNight({ jobs: [{ id: "1", calls: 1, end: "children" }] });
  expect(await night.supervise().ended).toMatchObject({ code: 0 });
  expect(await complaintsOf(night)).toEqual([]); // the kit looks for processes that were left
});

test("a batch of the same name in another state folder is another one: its jobs are left alone", async () => {
  const [mine, other] = [
    await makeBatchNight({ jobs: [{ id: "1", calls: 1, end: "hang" }] }),
    await makeBatchNight({ jobs: [{ id: "1" }] }),
  ];
  mine.supervise();
  await eventually(() => mine.invoice().length === 1, "my job at work");
  const killed = other.supervise();
  await eventually(() => other.invoice().length > 1, "the other job at work");
  await killed.kill();
  expect(await other.supervise().ended).toMatchObject({ code: 0 }); // its seat was cleared, of all that carries its mark
  expect(await mine.job("1")).toMatchObject({ state: "running", attempts: 1 });
  expect(findStrays(mine.folder).length).toBeGreaterThan(1);
});

const always = (fault: ScriptedFault) => [{ steps: [{ fault }] }];

test.each<[string, ScriptedFault, RegExp]>([
  ["limit", { kind: "rate-limited" }, /limit is reached \(429\)/],
  ["overload", { kind: "overloaded" }, /the provider fails \(529\)/],
  ["refused key", { kind: "bad-key" }, /does not accept the key.*\(401\)/],
  ["outage", { kind: "reset" }, /the provider cannot be reached/],
])("a provider's %s costs no job an attempt, and three in a row pause the batch", async (_title, fault, reason) => {
  const jobs = ["1", "2", "3", "4"].map((id) => ({ id, calls: 2 }));
  const night = await makeBatchNight({ jobs, conversations: always(fault), settings: { slots: 3, attempts: 1 } });
  expect(await night.supervise({ env: { MIDWATCH_LIMITS_OUTAGE_WAIT: "100ms" } }).ended).toMatchObject({ code: 75, signal: null });
  // Three at once are one trouble: it took three rounds.
  expect(night.calls.length).toBeGreaterThan(3);
  expect((await night.jobs()).map(({ state, attempts }) => [state, attempts])).toEqual(jobs.map(() => ["pending", 0]));
  const record = await night.withStore(({ batches }) => batches.batch(batch));
  expect(record).toMatchObject({ state: "paused", reason: expect.stringMatching(reason) });
  expect(night.invoice()).toEqual([]);
});

test("while slots wait for the provider, status says until when and why; an answer ends it", async () => {
  const conversations = [{ when: { prompt: "job 1" }, steps: [{ text: "Yes.", fault: { kind: "rate-limited" }, times: 1 } as const] }];
  const night = await makeBatchNight({ jobs: [{ id: "1", calls: 1 }], conversations, settings: { slots: 1 } });
  const status = async (...flags: readonly string[]) =>
    (await night.run(["batch", "status", batch, ...flags], { cwd: night.folder })).stdout;
  const waiting = night.supervise({ env: { MIDWATCH_LIMITS_OUTAGE_WAIT: "1h" } });
  await waiting.event("attempt");
  const { waits: told } = JSON.parse(await status("--json"));
  expect(told).toEqual([{ kind: "provider", seat: "0", until: expect.any(Number), reason: "the provider's limit is reached (429)" }]);
  expect(told[0].until - Date.now()).toBeLessThanOrEqual(10_000); // the first wait is ten seconds at most
  expect(await status()).toMatch(
    /its slots wait: the provider's limit is reached \(429\)\n[\s\S]*\n {2}waits +until \d\d:\d\d:\d\d.*: the provider's limit is reached \(429\)\n/,
  );
  waiting.signal("SIGTERM");
  expect(await waiting.ended).toMatchObject({ code: 130 });
  expect(JSON.parse(await status("--json")).waits).toEqual([]);
  expect(await night.supervise().ended).toMatchObject({ code: 0 });
});

test("a cap of the batch pauses it, costs no job an attempt, and is never passed", async () => {
  const jobs = ["1", "2", "3", "4"].map((id) => ({ id, calls: 5 }));
  const cap = 12 * callMicroUsd + 3000;
  const night = await makeBatchNight({ jobs, settings: { attempts: 1, batchMicroUsd: cap } });
  expect(await night.supervise().ended).toMatchObject({ code: 4, signal: null });
  const paid = night.invoice().length;
  expect(paid).toBeGreaterThanOrEqual(10);
  expect(paid * callMicroUsd).toBeLessThanOrEqual(cap);
  for (const { state, attempts } of await night.jobs())
    expect([
      ["done", 1],
      ["pending", 0],
    ]).toContainEqual([state, attempts]);
  expect(await night.withStore(({ batches }) => batches.batch(batch))).toMatchObject({ state: "paused" });
  expect(await night.supervise().ended).toMatchObject({ code: 4 });
  expect(night.invoice()).toHaveLength(paid);
  // A person's word: it goes on with another cap, and what was paid is not paid again.
  expect(await night.supervise({ flags: ["--cap", "1"] }).ended).toMatchObject({ code: 0 });
  expect(night.invoice()).toHaveLength(20);
});

test.each([["0"], ["-1"], ["much"], ["1e3"], ["2000000"]])("--cap %s is refused in one line, and nothing is run", async (amount) => {
  const night = await makeBatchNight({ jobs: [{ id: "1" }] });
  const { code, stderr } = await night.supervise({ flags: ["--cap", amount] }).ended;
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^midwatch: (--cap .* is no amount|.*option)/)]);
  expect(night.invoice()).toEqual([]);
});

test("a cap of the job fails it for good, and the others go on", async () => {
  const night = await makeBatchNight({
    jobs: [
      { id: "1", calls: 20 },
      { id: "2", calls: 1 },
    ],
    settings: { jobMicroUsd: 10 * callMicroUsd },
  });
  expect(await night.supervise().ended).toMatchObject({ code: 7 });
  expect(await night.jobs()).toMatchObject([
    { state: "failed", attempts: 1 },
    { state: "done", attempts: 1 },
  ]);
});
