/**
 * Batches: claim + finish beside pg-boss on PostgreSQL, with a thousand and with a million pending, shared by four processes; how soon cut jobs go on after a restart;
 * what 10,000 recorded calls take on disk; and a step of a job through the gateway beside the same step of a workflow of DBOS.
 * `node bench/batch.mjs [PENDING=1000000]`. What the contenders need is had by parts/peers.mjs, else their rows are skipped. All contenders take turns in one run on
 * one disk: what counts are the ratios.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../src/adapters/store/sqlite/open.ts";
import * as samples from "../test/contract/ledger-samples.ts";
import { createSheet, createSync, inScratch, median } from "./measure.mjs";
import { createFloor } from "./parts/floor.mjs";
import { dbosSdk, pgBoss, startBoss, startDbos } from "./parts/peers.mjs";
import { cutJobs } from "./parts/restart.mjs";
import { openSteps } from "./parts/steps.mjs";

const leaseMs = 600_000;
const settings = {
  ...{ work: { kind: "command", command: ["answer"] }, cwd: "/", slots: 4, attempts: 3, leaseMs, jobMs: leaseMs, graceMs: 1000 },
  ...{ matching: "sequential", onDivergence: "stop", volatile: [], maxAnswerBytes: 1e6, batchMicroUsd: 1e9, unpriced: "refuse" },
  ...{ jobMicroUsd: null, callMicroUsd: null, dayMicroUsd: null, monthMicroUsd: null },
};
const now = () => ({ wallMs: Date.now(), bootMs: Number(process.hrtime.bigint() / 1000n) / 1000, bootId: "boot" });
const answer = Buffer.from("ok");

function* jobs(count) {
  for (let number = 1; number <= count; number += 1) yield { id: `${number}`, payload: `{"question":${number}}` };
}

/** Claims and finishes up to `count` jobs. @returns how many */
async function drain(batches, name, slot, count) {
  for (let number = 0; number < count; number += 1) {
    const claim = await batches.claim(name, slot, leaseMs, now);
    if (claim === null) return number;
    if (!(await batches.finish(claim, { kind: "done", answer }, Date.now()))) throw new Error("the claim was lost");
  }
  return count;
}

async function perSecond(count, work) {
  const startedAt = performance.now();
  await work();
  return (count / (performance.now() - startedAt)) * 1000;
}

/** Rounds in which every contender has its turn. @returns a rate for each, and the median of its ratios to the first */
async function inTurns(contenders, rounds, count) {
  const rates = contenders.map(() => []);
  for (let round = 0; round <= rounds; round += 1)
    for (const [index, contender] of contenders.entries()) {
      const rate = await perSecond(count, () => contender(count));
      if (round > 0) rates[index].push(rate);
    }
  return rates.map((own) => ({ rate: median(own), ratio: median(own.map((rate, round) => rate / rates[0][round])) }));
}

async function besideBoss(sheet) {
  await inScratch(async (folder) => {
    const peer = await startBoss(folder);
    if (peer.kind === "absent") return sheet.row("beside pg-boss", `skipped: no ${peer.what} here`);
    const { boss } = peer;
    const store = await openStore({ folder: join(folder, "state") });
    try {
      const [rounds, count] = [5, 200];
      const all = [...jobs((rounds + 1) * count)];
      await store.batches.addList({ name: "b", version: "1", settings }, all.values(), Date.now());
      await boss.insert(
        "jobs",
        all.map(({ payload }) => ({ data: JSON.parse(payload) })),
      );
      const drainBoss = async (some) => {
        for (let number = 0; number < some; number += 1) {
          const [job] = await boss.fetch("jobs");
          await boss.complete("jobs", job.id, { answer: "ok" });
        }
      };
      const [theirs, ours] = await inTurns([drainBoss, (some) => drain(store.batches, "b", "0.1", some)], rounds, count);
      sheet.row("claim + finish, one process", `${ours.rate.toFixed(0)}/s; ${pgBoss} ${theirs.rate.toFixed(0)}/s`);
      sheet.bound("as fast as pg-boss, times", ours.ratio, { least: 3 });
    } finally {
      await store.close();
      await peer.stop();
    }
  });
}

/** Rounds in turns. L is taken in each of them, as the steps are: one sync at a time, with other work between. */
async function steps(sheet) {
  await inScratch(async (folder) => {
    const own = await openSteps(join(folder, "state"));
    const dbos = await startDbos(folder, own.workflow);
    const [sync, floor] = [createSync(folder), createFloor(folder)];
    const kinds = { direct: own.direct, proxy: own.proxy, gateway: own.gateway, ...(dbos.kind === "absent" ? {} : { dbos: dbos.run }) };
    const seen = Object.fromEntries([...Object.keys(kinds), "L", "commit"].map((name) => [name, []]));
    for (let round = -30; round < 100; round += 1)
      for (const [name, play] of Object.entries(kinds)) {
        const stepMs = await play();
        if (round < 0) continue;
        seen[name].push(stepMs);
        seen.L.push(sync.ms());
        const startedAt = performance.now();
        floor.run();
        seen.commit.push(performance.now() - startedAt);
      }
    const of = (name) => median(seen[name]);
    const text = (name) => `${of(name).toFixed(3)} ms`;
    sheet.row("a step: L; asked directly", `${text("L")}; ${text("direct")}`);
    sheet.row("a step through a plain proxy", `${text("proxy")}: node:http both ways, nothing read and nothing kept`);
    sheet.row("a step through the gateway", `${text("gateway")}: booked before and after, the answer kept`);
    sheet.bound("added by the gateway", (of("gateway") - of("direct")) / of("L"), 15, " L");
    if (dbos.kind === "absent") sheet.row("beside DBOS", `skipped: no ${dbos.what} here`);
    else {
      sheet.row(`a step of ${dbosSdk}`, `${text("dbos")}: its result kept, once`);
      sheet.bound("of DBOS's time a step", of("gateway") / of("dbos"), 0.5);
      const least = of("proxy") + 2 * of("commit");
      sheet.row("least", `${(least / of("dbos")).toFixed(2)}: such a proxy, and two commits of one plain row each, in the same run`);
      await dbos.stop();
    }
    for (const one of [sync, floor, own]) one.close();
  });
}

async function restarts(sheet) {
  const all = await cutJobs(12);
  const told = (name) => `${all.map((times) => Math.round(times[name])).join(", ")} ms`;
  sheet.row("cut jobs: all programs run again", told("begun"));
  sheet.row("cut jobs: all make a new call", told("moved"));
  sheet.row("program runs again, median", `${(median(all.map(({ begun }) => begun)) / 1000).toFixed(2)} s`);
  sheet.bound("cut jobs go on, median", median(all.map(({ moved }) => moved)) / 1000, 0.3, " s");
}

async function deep(sheet, pending) {
  await inScratch(async (folder) => {
    const store = await openStore({ folder });
    const sizes = { few: 1000, many: pending };
    // A thousand stay pending in the small one: what the rounds take is added before.
    const [rounds, count] = [9, 100];
    const before = process.memoryUsage.rss();
    for (const [name, size] of Object.entries(sizes))
      await store.batches.addList({ name, version: "1", settings }, jobs(size + (rounds + 1) * count), Date.now());
    sheet.bound("memory that adding them took", (process.memoryUsage.rss() - before) / 1e6, 150, " MB");
    const [few, many] = await inTurns(
      Object.keys(sizes).map((name) => (some) => drain(store.batches, name, "0.1", some)),
      rounds,
      count,
    );
    sheet.row(
      "claim + finish by what is pending",
      `${few.rate.toFixed(0)}/s at 1,000; ${many.rate.toFixed(0)}/s at ${pending.toLocaleString("en")}`,
    );
    sheet.bound("rate at the larger one, times", many.ratio, { least: 0.8 });
    await store.close();
  });
}

async function shared(sheet) {
  await inScratch(async (folder) => {
    const store = await openStore({ folder });
    await store.batches.addList({ name: "b", version: "1", settings }, jobs(50_000), Date.now());
    const children = [0, 1, 2, 3].map((seat) => fork(import.meta.filename, ["child", folder, `${seat}.1`]));
    await Promise.all(children.map((child) => once(child, "message")));
    const ends = children.map((child) => once(child, "message"));
    for (const child of children) child.send("go");
    const shares = (await Promise.all(ends)).map(([share]) => share);
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    sheet.row("claimed by four in 4 s", shares.join(", "));
    sheet.bound("smallest share, of the mean", Math.min(...shares) / mean, { least: 0.5 });
    await store.close();
  });
}

async function child(folder, slot) {
  const store = await openStore({ folder, busyMs: 30_000 });
  process.send("ready");
  await once(process, "message");
  const until = performance.now() + 4000;
  let share = 0;
  while (performance.now() < until) share += await drain(store.batches, "b", slot, 1);
  process.send(share);
  await store.close();
  process.disconnect();
}

async function onDisk(sheet) {
  await inScratch(async (folder) => {
    const [calls, bytes, perJob] = [10_000, 2048, 25];
    const store = await openStore({ folder });
    await store.batches.addList({ name: "b", version: "1", settings }, jobs(calls / perJob), Date.now());
    for (let made = 0; made < calls; made += perJob) await recordJob(store, made, { perJob, bytes });
    await store.close();
    const size = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== "reserve")
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
    sheet.row("10,000 recorded calls of 2 KB of text", `${(size / 1e6).toFixed(1)} MB`);
    sheet.bound("bytes on disk over the payload's", size / (calls * bytes), 1.2);
  });
}

async function recordJob({ batches, ledger }, made, { perJob, bytes }) {
  const claim = await batches.claim("b", "0.1", leaseMs, now);
  const owner = { kind: "job", batch: "b", job: claim.key, attempt: claim.attempt, fence: claim.fence, round: claim.round };
  const scopes = [
    { kind: "job", id: claim.key },
    { kind: "batch", id: "b" },
    { kind: "day", id: "2026-11-30" },
    { kind: "month", id: "2026-11" },
  ];
  const intents = Array.from({ length: perJob }, (_, index) => {
    const hex = (made + index).toString(16).padStart(12, "0");
    const request = { ...samples.request, hash: hex.repeat(6).slice(0, 64) };
    const place = { kind: "sequence", seq: index + 1, onDivergence: "stop" };
    return {
      id: `0198c0de-0000-7000-8000-${hex}`,
      owner,
      request,
      place,
      upperMicroUsd: 900_000,
      price: samples.price,
      scopes,
      caps: [],
      sentAt: Date.now(),
    };
  });
  await ledger.open(intents);
  await ledger.close(intents.map(({ id }) => ({ id, result: resultOf(bytes), costMicroUsd: 16_400, at: Date.now() })));
  await batches.finish(claim, { kind: "done", answer }, Date.now());
}

const words = "the answer of page two says that nothing was owed before may and that both sums agree with the invoice".split(" ");

/** An answer as a provider sends it: JSON around a text, in which no two sentences are alike. */
function bodyOf(bytes) {
  const message = {
    id: `msg_${crypto.randomUUID()}`,
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5-20250929",
    stop_reason: "end_turn",
  };
  const usage = {
    input_tokens: 1200,
    cache_creation_input_tokens: 900,
    cache_read_input_tokens: 30_000,
    output_tokens: 700,
    service_tier: "standard",
  };
  let text = "";
  const whole = () => JSON.stringify({ ...message, content: [{ type: "text", text }], usage });
  while (whole().length < bytes)
    text += `${words[Math.floor(Math.random() * words.length)]} ${Math.random() < 0.2 ? Math.floor(Math.random() * 1e6) : ""} `;
  return new TextEncoder().encode(whole().slice(0, bytes));
}

function resultOf(bytes) {
  return {
    ...samples.whole,
    ...{ providerRequestId: "req_011CVEsvtXSLAAtMqWg6BsSi", messageId: "msg_01XFDUDYJgAACzvnptvVoYEL" },
    answer: { status: 200, headers: [["content-type", "application/json"]], body: bodyOf(bytes) },
  };
}

if (process.argv[2] === "child") await child(process.argv[3], process.argv[4]);
else {
  const sheet = createSheet("batches: claims, depth, fairness, bytes");
  await besideBoss(sheet);
  await deep(sheet, Number(process.argv[2] ?? 1_000_000));
  await shared(sheet);
  await restarts(sheet);
  await onDisk(sheet);
  await steps(sheet);
  sheet.finish();
}
