/**
 * Batches: claim + finish beside pg-boss on PostgreSQL, with a thousand and with a million pending, shared by four processes, and what 10,000 recorded calls take on disk.
 * `node bench/batch.mjs [PENDING=1000000]`. pg-boss is installed into a temporary folder, PostgreSQL must be there (`apt-get install postgresql`); else that row is
 * skipped. All contenders take turns in one run on one disk: what counts are the ratios.
 */
import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openStore } from "../src/adapters/store/sqlite/open.ts";
import * as samples from "../test/contract/ledger-samples.ts";
import { createSheet, inScratch, median } from "./measure.mjs";

const pgBoss = "pg-boss@12.38.0";
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

const run = (command, args, options = {}) => spawnSync(command, args, { encoding: "utf8", ...options });

/** Null = PostgreSQL or pg-boss cannot be had here. */
async function startBoss(folder) {
  const versions = existsSync("/usr/lib/postgresql")
    ? readdirSync("/usr/lib/postgresql").sort((one, other) => Number(other) - Number(one))
    : [];
  if (versions.length === 0) return { kind: "absent", what: "PostgreSQL" };
  const modules = join(folder, "modules");
  mkdirSync(modules);
  if (run("npm", ["install", "--silent", "--no-audit", "--no-fund", "--prefix", modules, pgBoss]).status !== 0)
    return { kind: "absent", what: pgBoss };
  const cluster = join(folder, "cluster");
  mkdirSync(cluster);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    const [uid, gid] = ["-u", "-g"].map((flag) => Number(run("id", [flag, "postgres"]).stdout));
    spawnSync("chmod", ["755", folder]);
    chownSync(cluster, uid, gid);
  }
  const program = (name) => join("/usr/lib/postgresql", versions[0], "bin", name);
  const asPostgres = (name, ...args) =>
    isRoot
      ? run("runuser", ["-u", "postgres", "--", program(name), ...args], { cwd: cluster, stdio: "ignore" })
      : run(program(name), args, { stdio: "ignore" });
  const data = join(cluster, "data");
  const port = await freePort();
  if (asPostgres("initdb", "-D", data, "-A", "trust", "-U", "postgres").status !== 0) return { kind: "absent", what: "initdb" };
  const told = ["-p", port, "-k", cluster, "-c", "listen_addresses=127.0.0.1", "-c", "synchronous_commit=on"].join(" ");
  if (asPostgres("pg_ctl", "-D", data, "-w", "-l", join(cluster, "log"), "-o", told, "start").status !== 0)
    return { kind: "absent", what: "pg_ctl" };
  const { PgBoss } = await import(pathToFileURL(join(modules, "node_modules/pg-boss/dist/index.js")).href);
  const boss = new PgBoss({
    connectionString: `postgres://postgres@127.0.0.1:${port}/postgres`,
    max: 2,
    supervise: false,
    schedule: false,
  });
  boss.on("error", () => undefined);
  await boss.start();
  await boss.createQueue("jobs");
  return {
    kind: "started",
    add: (count) =>
      boss.insert(
        "jobs",
        [...jobs(count)].map(({ payload }) => ({ data: JSON.parse(payload) })),
      ),
    async drain(count) {
      for (let number = 0; number < count; number += 1) {
        const [job] = await boss.fetch("jobs");
        await boss.complete("jobs", job.id, { answer: "ok" });
      }
    },
    async stop() {
      await boss.stop({ graceful: false });
      asPostgres("pg_ctl", "-D", data, "-m", "fast", "-w", "stop");
    },
  };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

async function besideBoss(sheet) {
  await inScratch(async (folder) => {
    const boss = await startBoss(folder);
    if (boss.kind === "absent") return sheet.row("beside pg-boss", `skipped: no ${boss.what} here`);
    const store = await openStore({ folder: join(folder, "state") });
    try {
      const [rounds, count] = [5, 200];
      await store.batches.addList({ name: "b", version: "1", settings }, jobs((rounds + 1) * count), Date.now());
      await boss.add((rounds + 1) * count);
      const [peer, ours] = await inTurns([boss.drain, (some) => drain(store.batches, "b", "0.1", some)], rounds, count);
      sheet.row("claim + finish, one process", `${ours.rate.toFixed(0)}/s; ${pgBoss} ${peer.rate.toFixed(0)}/s`);
      sheet.bound("pg-boss's share of ours", 1 / ours.ratio, 0.33);
    } finally {
      await store.close();
      await boss.stop();
    }
  });
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
    sheet.bound("slower by", 1 / many.ratio, 1.25);
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
    sheet.bound("mean over the smallest share", mean / Math.min(...shares), 2);
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
  await onDisk(sheet);
  sheet.finish();
}
