/**
 * What the ledger costs a call: its intent and its result, one transaction each, beside L = one fdatasync of a 4 KB overwrite on the same disk, in the
 * same run and in turns. Then groups, as the gateway commits what came in meanwhile; and DBOS booking the same two steps, where it is installed.
 * `node bench/ledger.mjs [ROUNDS=400]`. Set TMPDIR to measure another disk; DBOS_MODULE (a path of @dbos-inc/dbos-sdk) and DBOS_URL (a PostgreSQL)
 * to have the contender. What counts are the ratios of one run; absolute figures are for a quiet machine.
 */
import { closeSync, fdatasyncSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { openStore } from "../src/adapters/store/sqlite/open.ts";
import * as samples from "../test/contract/ledger-samples.ts";
import { newRun, newWindow, planned } from "../test/contract/store-samples.ts";
import { createSheet, inScratch, median } from "./measure.mjs";

const rounds = Number(process.argv[2] ?? 400);
const groups = [4, 16, 64];
const microUsd = 16_400;

/** With a second tier, as models with a long context have. */
const [tier] = samples.price.tiers;
const price = { ...samples.price, tiers: [tier, { ...tier, above: 200_000 }] };
const owner = { kind: "window", run: "run-1", window: "window-1", task: planned("T1").key };
const scopes = [
  { kind: "window", id: "0198c0de-0000-7000-8000-000000000001" },
  { kind: "task", id: "7/T1" },
  { kind: "run", id: "0198c0de-0000-7000-8000-000000000002" },
  { kind: "day", id: "2026-11-30" },
  { kind: "month", id: "2026-11" },
];
const caps = [...scopes.map((scope) => ({ ...scope, microUsd: 1e15 })), { kind: "call", id: "", microUsd: 1e9 }];

let made = 0;
/** An intent as a window's desk makes it. */
function intent() {
  made += 1;
  const hex = made.toString(16).padStart(12, "0");
  const request = { ...samples.request, hash: hex.repeat(6).slice(0, 64) };
  const id = `0198c0de-0000-7000-8000-${hex}`;
  return {
    id,
    owner,
    request,
    place: { kind: "counted", seq: made, try: 1 },
    upperMicroUsd: 900_000,
    price,
    scopes,
    caps,
    sentAt: 3000 + made,
  };
}

/** @param {{ id: string, sentAt: number }} opened */
function closing({ id, sentAt }) {
  const result = { ...samples.whole, providerRequestId: `req_${id}`, messageId: `msg_${id}` };
  return { id, result, costMicroUsd: microUsd, at: sentAt + 4800 };
}

/** The least that SQLite itself can do here with the store's settings: one row of the size of a call, in one table without any index. */
function createFloor(folder) {
  const db = new DatabaseSync(join(folder, "floor.db"));
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE row (number INTEGER PRIMARY KEY, body TEXT)");
  const [begin, insert, commit] = ["BEGIN IMMEDIATE", "INSERT INTO row (body) VALUES (?)", "COMMIT"].map((sql) => db.prepare(sql));
  const body = "x".repeat(700);
  const run = () => {
    begin.run();
    insert.run(body);
    commit.run();
  };
  return { run, close: () => db.close() };
}

/** @param {() => unknown} work */
async function time(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** One sync of a 4 KB overwrite: the least that a durable write can cost here. */
function createSync(folder) {
  const descriptor = openSync(join(folder, "L"), "w");
  const block = Buffer.alloc(4096, 1);
  for (let at = 0; at < 1 << 20; at += block.length) writeSync(descriptor, block);
  fsyncSync(descriptor);
  let at = 0;
  const run = () => {
    at = (at + block.length) % (1 << 20);
    writeSync(descriptor, block, 0, block.length, at);
    fdatasyncSync(descriptor);
  };
  return { run, close: () => closeSync(descriptor) };
}

/** Jobs of 25 calls are what the docs speak of: a workflow of as many steps, each of which DBOS records once, when it has ended. */
const stepsOfJob = 25;

/** DBOS as its manual has it. It keeps its state in PostgreSQL; neither comes with this checkout. */
async function startDbos() {
  const { DBOS_MODULE: module, DBOS_URL: systemDatabaseUrl } = process.env;
  if (module === undefined || systemDatabaseUrl === undefined)
    return { kind: "absent", why: "DBOS_MODULE and DBOS_URL do not say where it is", close: async () => undefined };
  const { DBOS } = await import(pathToFileURL(module).href);
  const pay = async () => closing({ id: "paid", sentAt: 3000 }).result;
  const job = DBOS.registerWorkflow(
    async () => {
      const startedAt = performance.now();
      for (let step = 0; step < stepsOfJob; step += 1) await DBOS.runStep(pay, { name: "call" });
      return (performance.now() - startedAt) / stepsOfJob;
    },
    { name: "job" },
  );
  DBOS.setConfig({ name: "bench", systemDatabaseUrl, logLevel: "error", runAdminServer: false });
  await DBOS.launch();
  return { kind: "ready", run: async () => job(), close: () => DBOS.shutdown() };
}

await inScratch(async (folder) => {
  const sync = createSync(folder);
  const store = await openStore({ folder: join(folder, "state") });
  const floor = createFloor(folder);
  const dbos = await startDbos();
  await store.createRun(newRun(), 1000);
  await store.syncTasks(newRun().id, [planned("T1")], [], [], 1000);
  await store.openWindow(newWindow(), 2000);

  const singles = { L: [], "SQLite, one plain row": [], intent: [], result: [], "intent + result": [], "DBOS, a step": [] };
  const grouped = Object.fromEntries(groups.map((size) => [size, { opened: [], closed: [] }]));
  // Until every -wal file has its size: from then on it is overwritten, as L is.
  for (let round = 0; round < 600; round += 1) {
    const one = intent();
    await store.ledger.open([one]);
    await store.ledger.close([closing(one)]);
    floor.run();
  }
  for (let round = 0; round < rounds; round += 1) {
    singles.L.push(await time(sync.run));
    singles["SQLite, one plain row"].push(await time(floor.run));
    const one = intent();
    const before = await time(() => store.ledger.open([one]));
    const after = await time(() => store.ledger.close([closing(one)]));
    singles.intent.push(before);
    singles.result.push(after);
    singles["intent + result"].push(before + after);
    for (const size of round % 8 === 0 ? groups : []) {
      const intents = Array.from({ length: size }, intent);
      grouped[size].opened.push(await time(() => store.ledger.open(intents)));
      grouped[size].closed.push(await time(() => store.ledger.close(intents.map(closing))));
    }
    if (dbos.kind === "ready" && round % 8 === 0) singles["DBOS, a step"].push(await dbos.run());
  }
  const [{ spentMicroUsd, heldMicroUsd, calls }] = await store.ledger.spend([scopes[2]]);
  if (spentMicroUsd !== made * microUsd || heldMicroUsd !== 0 || calls !== made) throw new Error("the sums are not those of the calls");
  await store.close();
  sync.close();
  floor.close();
  await dbos.close();

  const sheet = createSheet(`ledger: median of ${rounds} rounds in turns, Node ${process.version}; L = fdatasync of a 4 KB overwrite`);
  const least = median(singles.L);
  for (const [name, sample] of Object.entries(singles).filter(([, sample]) => sample.length > 0))
    sheet.row(name, `${median(sample).toFixed(3)} ms ${(median(sample) / least).toFixed(2).padStart(7)} L`);
  const single = median(singles.intent);
  const rate = (size) => (size * single) / median(grouped[size].opened);
  for (const size of groups) {
    const { opened, closed } = grouped[size];
    sheet.row(
      `${size} intents / ${size} results`,
      `${median(opened).toFixed(3)} / ${median(closed).toFixed(3)} ms, ${rate(size).toFixed(1)} x the single rate`,
    );
  }
  sheet.bound("booking an intent", single / least, 1.5, " L");
  sheet.bound("booking a result", median(singles.result) / least, 1.5, " L");
  sheet.bound("single rate / rate in groups of 16", 1 / rate(16), 0.2);
  if (dbos.kind === "absent") sheet.row("DBOS", `skipped: ${dbos.why}`);
  sheet.finish();
});
