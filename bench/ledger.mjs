/**
 * What the ledger costs a call: its intent and its result, one transaction each, beside L = one fdatasync of a 4 KB overwrite; then groups, as the gateway commits
 * what came in meanwhile; and DBOS booking the same, a step at a time (parts/peers.mjs says what that needs, else it is skipped).
 * `node bench/ledger.mjs [ROUNDS=400]`. Set TMPDIR to measure another disk. What counts are the ratios of one run; absolute figures are for a quiet machine.
 * L is taken on the disk of the store, in a file that has its size as the -wal has, and once in each round, between bookings and never many in a row: a disk
 * answers a tight loop faster than work that has pauses, and a ratio to that would be neither's. Beside it stands the least that SQLite can do with these settings.
 */
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openStore } from "../src/adapters/store/sqlite/open.ts";
import * as samples from "../test/contract/ledger-samples.ts";
import { newRun, newWindow, planned } from "../test/contract/store-samples.ts";
import { createSheet, createSync, inScratch, median } from "./measure.mjs";
import { createFloor } from "./parts/floor.mjs";
import { startDbos } from "./parts/peers.mjs";

const rounds = Number(process.argv[2] ?? 400);
const groups = [4, 16, 64];
const microUsd = 16_400;
/** Between an intent and its result lies a provider's answer: disk and processor have rested, which costs L as it costs a booking. */
const pauseMs = 10;

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

/** @param {() => unknown} work */
async function time(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Jobs of 25 calls are what the docs speak of: a workflow of as many steps, each of which DBOS records once, when it has ended. */
const stepsOfJob = 25;

async function job(step) {
  const startedAt = performance.now();
  for (let number = 0; number < stepsOfJob; number += 1) await step(async () => closing({ id: "paid", sentAt: 3000 }).result);
  return (performance.now() - startedAt) / stepsOfJob;
}

await inScratch(async (folder) => {
  const sync = createSync(folder);
  const store = await openStore({ folder: join(folder, "state") });
  const floor = createFloor(folder);
  const dbos = await startDbos(folder, job);
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
    singles.L.push(sync.ms());
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
    if (dbos.kind === "started" && round % 8 === 0) singles["DBOS, a step"].push(await dbos.run());
  }
  const rested = { L: [], intent: [], result: [] };
  for (let round = 0; round < rounds / 4; round += 1) {
    const one = intent();
    await wait(pauseMs);
    rested.L.push(sync.ms());
    await wait(pauseMs);
    rested.intent.push(await time(() => store.ledger.open([one])));
    await wait(pauseMs);
    rested.result.push(await time(() => store.ledger.close([closing(one)])));
  }
  const [{ spentMicroUsd, heldMicroUsd, calls }] = await store.ledger.spend([scopes[2]]);
  if (spentMicroUsd !== made * microUsd || heldMicroUsd !== 0 || calls !== made) throw new Error("the sums are not those of the calls");
  await store.close();
  sync.close();
  floor.close();
  if (dbos.kind === "started") await dbos.stop();

  const sheet = createSheet(`ledger: median of ${rounds} rounds in turns, Node ${process.version}; L = fdatasync of a 4 KB overwrite`);
  const L = median(singles.L);
  for (const [name, sample] of Object.entries(singles).filter(([, sample]) => sample.length > 0))
    sheet.row(name, `${median(sample).toFixed(3)} ms ${(median(sample) / L).toFixed(2).padStart(7)} L`);
  const single = median(singles.intent);
  const rate = (size) => (size * single) / median(grouped[size].opened);
  for (const size of groups) {
    const { opened, closed } = grouped[size];
    sheet.row(
      `${size} intents / ${size} results`,
      `${median(opened).toFixed(3)} / ${median(closed).toFixed(3)} ms, ${rate(size).toFixed(1)} x the single rate`,
    );
  }
  const inRest = (name) => `${name} ${(median(rested[name]) / median(rested.L)).toFixed(2)} L`;
  sheet.row(`after ${pauseMs} ms of rest`, `${inRest("intent")}, ${inRest("result")}; L ${median(rested.L).toFixed(3)} ms`);
  const least = `${(median(singles["SQLite, one plain row"]) / L).toFixed(2)} L`;
  sheet.row("least", `${least}: what SQLite needs for one plain row, without an index, in the same run`);
  sheet.bound("booking an intent", single / L, 1.5, " L");
  sheet.bound("booking a result", median(singles.result) / L, 1.5, " L");
  sheet.bound("single rate / rate in groups of 16", 1 / rate(16), 0.2);
  if (dbos.kind === "absent") sheet.row("DBOS", `skipped: no ${dbos.what} here`);
  sheet.finish();
});
