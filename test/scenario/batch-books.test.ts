/** What is said of a batch that was worked through: status, report, a job's history, the proof, the answers as files, another try, the archive. */
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeBatchNight, makePaidBatch } from "./batch-books-kit.ts";
import { makeNight } from "./kit.ts";

const chargesIn = (invoice: string): number => readFileSync(invoice, "utf8").trimEnd().split("\n").length;

test("a night with a job that ended in its midst: nothing is paid twice, and every command says the same", async () => {
  const night = await makePaidBatch(["1", "2", "bad"]);
  expect(await night.batch("run", "night")).toMatchObject({ code: 7 });
  expect(chargesIn(night.invoice)).toBe(9);

  expect(await night.batchJson("status", "night")).toMatchObject({
    ...{ state: "closed", jobs: 3, counts: { done: 2, failed: 1, pending: 0, running: 0, attempts: 5 } },
    money: { spentMicroUsd: 5400, heldMicroUsd: 0, calls: 9, unknown: 0 },
  });
  expect(await night.batchJson("show", "night", "2")).toMatchObject({
    job: { state: "done", attempts: 2 },
    attempts: [
      { attempt: 1, end: "failed", paidCalls: 2, costMicroUsd: 1200, servedAgain: 0 },
      { attempt: 2, end: "done", paidCalls: 1, costMicroUsd: 600, servedAgain: 2 },
    ],
    money: { spentMicroUsd: 1800, unknown: 0 },
    answer: '{"said":"so so so "}',
  });
  expect(await night.batchJson("report", "night")).toMatchObject({
    report: {
      jobs: 3,
      answers: 2,
      attempts: 5,
      again: 2,
      calls: 9,
      costMicroUsd: 5400,
      failed: [{ reason: "exit code 5", jobs: 1, examples: ["bad"] }],
    },
  });
  const csv = await night.batch("report", "night", "--csv");
  expect(csv.stdout.split("\r\n").slice(0, 2)).toEqual([
    "job,state,attempts,calls,costMicroUsd,unknown,workMs,reason,answer",
    expect.stringMatching(/^1,done,1,3,1800,0,\d+,,"\{""said"":""so so so ""\}"$/),
  ]);
  const lines = (await night.batch("report", "night", "--jsonl")).stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ job, state, answer }) => [job, state, answer])).toEqual([
    ["1", "done", '{"said":"so so so "}'],
    ["2", "done", '{"said":"so so so "}'],
    ["bad", "failed", null],
  ]);
});

test("the proof asks four questions, shows their SQL, and puts the witness beside the books", async () => {
  const night = await makePaidBatch(["1", "2"]);
  await night.batch("run", "night");
  const { code, stdout } = await night.batch("prove", "night", "--witness", night.invoice, "--job", "2");
  expect(code).toBe(0);
  for (const part of [
    /1\. Was any request paid more than once\?\n(?: {4}.+\n)+ {2}our books: none\n {2}witness: {3}none/,
    /2\. How many calls were there.*\n(?: {4}.+\n)+ {2}our books: 6 calls done, \$0\.0036\n {2}witness: {3}6 charges, \$0\.0036/,
    /3\. What happened to job 2\?.*\n(?: {4}.+\n)+ {2}our books: 2 attempts that ended, 3 charges, \$0\.0018\n(?: {4}attempt .+\n){2} {2}witness: {3}3 charges, \$0\.0018/,
    /4\. Which calls may have been charged.*\n(?: {4}.+\n)+ {2}our books: none/,
    /it holds: nothing was paid twice/,
  ])
    expect(stdout).toMatch(part);
});

test("without a witness it says that it proves our own books only", async () => {
  const night = await makePaidBatch(["1"]);
  await night.batch("run", "night");
  expect(await night.batch("prove", "night")).toMatchObject({ code: 0, stdout: expect.stringContaining("This proves our own books only") });
});

test("a charge too many on the invoice is a proof that does not hold", async () => {
  const night = await makePaidBatch(["1"]);
  await night.batch("run", "night");
  const [first] = readFileSync(night.invoice, "utf8").split("\n");
  appendFileSync(night.invoice, `${first}\n`);
  const { code, stdout } = await night.batch("prove", "night", "--witness", night.invoice);
  expect({ code, doubt: stdout.includes("it does NOT hold") }).toEqual({ code: 10, doubt: true });
});

test("answers are exported as files, and nothing that is there is overwritten", async () => {
  const night = await makePaidBatch(["1", "2", "bad"]);
  await night.batch("run", "night");
  expect(await night.batchJson("export", "night", "out")).toMatchObject({ written: 2, known: 0, different: [] });
  expect(readdirSync(join(night.folder, "out"))).toEqual(["1.json", "2.json"]);
  writeFileSync(join(night.folder, "out/1.json"), "mine");
  expect(await night.batch("export", "night", "out")).toMatchObject({ code: 1, stderr: expect.stringContaining("out/1.json") });
  expect(readFileSync(join(night.folder, "out/1.json"), "utf8")).toBe("mine");
  expect(await night.batch("export", "night", "all.jsonl")).toMatchObject({ code: 0 });
  expect(readFileSync(join(night.folder, "all.jsonl"), "utf8").split("\n")[0]).toBe(
    JSON.stringify({ job: "1", answer: '{"said":"so so so "}' }),
  );
  expect(await night.batch("export", "night", "all.jsonl")).toMatchObject({ code: 2, stderr: expect.stringContaining("is there already") });
});

test("a failed job gets another try on a person's word, and what it paid is not paid again", async () => {
  const night = await makePaidBatch(["1", "bad"]);
  await night.batch("run", "night");
  expect(await night.batch("retry", "night", "1")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("job 1 of batch night is done"),
  });
  expect(await night.batch("retry", "night", "x")).toMatchObject({ code: 2, stderr: expect.stringContaining("has no job x") });
  expect(await night.batchJson("retry", "night", "bad")).toEqual({ batch: "night", retried: 1 });
  expect(await night.batch("run", "night")).toMatchObject({ code: 7 });
  expect(await night.batchJson("show", "night", "bad")).toMatchObject({ attempts: { length: 4 } });
  expect(chargesIn(night.invoice)).toBe(6);
});

test("an archived batch leaves the store, is still proved, and adding it again pays nothing", async () => {
  const night = await makePaidBatch(["1", "2"]);
  expect(await night.batch("archive", "night")).toMatchObject({ code: 2, stderr: expect.stringContaining("has not ended") });
  await night.batch("run", "night");
  const before = await night.batchJson("show", "night", "2");
  const { archivedTo } = await night.batchJson("archive", "night");
  expect(existsSync(String(archivedTo))).toBe(true);

  for (const args of [
    ["show", "night", "2"],
    ["report", "night"],
    ["retry", "night"],
    ["export", "night", "out"],
    ["run", "night"],
  ])
    expect(await night.batch(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining("midwatch batch restore night") });
  expect(await night.batchJson("status", "night")).toMatchObject({
    state: "archived",
    counts: null,
    jobs: 2,
    money: { spentMicroUsd: 3600 },
  });
  const proof = await night.batch("prove", "night", "--job", "2", "--witness", night.invoice);
  expect(proof).toMatchObject({ code: 0, stdout: expect.stringContaining("our books: 2 attempts that ended, 3 charges, $0.0018") });

  const program = join(night.folder, "job.mjs");
  const again = await night.batchJson(
    "add",
    "night",
    "--jobs",
    join(night.folder, "jobs.jsonl"),
    "--attempts",
    "2",
    "--",
    process.execPath,
    program,
  );
  expect(again).toMatchObject({ added: 0, known: 2 });
  expect(existsSync(String(archivedTo))).toBe(false);
  expect(await night.batchJson("show", "night", "2")).toEqual(before);
  await night.batch("run", "night");
  expect(chargesIn(night.invoice)).toBe(6);
});

test("a batch whose time is over is archived by itself when a run begins", async () => {
  const night = makeNight({ personal: { retention: { batches: "1ms", answers: "1ms" } } });
  writeFileSync(join(night.folder, "jobs.jsonl"), '{"id":1}\n');
  for (const name of ["ended", "open"])
    expect(await night.run(["batch", "add", name, "--jobs", join(night.folder, "jobs.jsonl"), "--", "cat"])).toMatchObject({ code: 0 });
  expect(await night.run(["batch", "run", "ended"])).toMatchObject({ code: 0 });
  expect(await night.run(["run"])).toMatchObject({ code: 0 });
  const { batches } = JSON.parse((await night.run(["batch", "status", "--json"])).stdout);
  expect(batches.map(({ batch, state }: { batch: string; state: string }) => [batch, state])).toEqual([
    ["ended", "archived"],
    ["open", "open"],
  ]);
});

test("an archive that is gone or damaged is named, and the store is left as it is", async () => {
  const night = makeBatchNight();
  await night.batch("add", "b", "--jobs", night.put("jobs.jsonl", '{"id":1}\n'), "--", "cat");
  await night.batch("run", "b");
  const { archivedTo } = await night.batchJson("archive", "b");
  const path = String(archivedTo);
  const whole = readFileSync(path);
  writeFileSync(path, Buffer.concat([whole.subarray(0, 4096), Buffer.alloc(whole.length - 4096, 0x5a)]));
  expect(await night.batch("restore", "b")).toMatchObject({ code: 1, stderr: expect.stringContaining(`the archive ${path} is damaged`) });
  writeFileSync(path, "no database");
  expect(await night.batch("restore", "b")).toMatchObject({ code: 1, stderr: expect.stringContaining(`the archive ${path} is damaged`) });
  writeFileSync(path, whole);
  expect(await night.batch("restore", "b")).toMatchObject({ code: 0, stdout: "batch b is back: 1 job\n" });
  expect(await night.batch("restore", "b")).toMatchObject({ code: 2, stderr: expect.stringContaining("batch b is not archived") });
});
