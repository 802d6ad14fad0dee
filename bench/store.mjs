/**
 * What the store costs a window: the three writes around it, beside L = one fdatasync of a 4 KB overwrite on the same disk, in the same run.
 * `node bench/store.mjs [ROUNDS=200]`. The folder is made beside this checkout's temporary files: set TMPDIR to measure another disk.
 */
import { closeSync, fdatasyncSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../src/adapters/store/sqlite/open.ts";
import { closing, newRun, newWindow, planned, supervisor } from "../test/contract/store-samples.ts";

const rounds = Number(process.argv[2] ?? 200);
const folder = mkdtempSync(join(tmpdir(), "midwatch-bench-"));

/** @param {number[]} values */
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** @param {() => unknown} work */
async function time(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** One sync of a 4 KB overwrite: the least that a durable write can cost here. */
function createSync() {
  const descriptor = openSync(join(folder, "overwritten"), "w");
  const block = Buffer.alloc(4096, 1);
  for (let at = 0; at < 1 << 20; at += block.length) writeSync(descriptor, block);
  fsyncSync(descriptor);
  let at = 0;
  return {
    run() {
      at = (at + block.length) % (1 << 20);
      writeSync(descriptor, block, 0, block.length, at);
      fdatasyncSync(descriptor);
    },
    close: () => closeSync(descriptor),
  };
}

/** @type {Record<string, number[]>} */
const times = { L: [], openWindow: [], startWindow: [], endWindow: [], appendEvents: [], request: [], "open, read a run, close": [] };
const sync = createSync();
const state = join(folder, "state");
const store = await openStore({ folder: state });
const run = newRun();
const tasks = Array.from({ length: 40 }, (_, n) => planned(`T${n}`));
const planText = tasks.map((task) => `- [ ] ${task.key}: ${task.title}\n`).join("");
await store.createRun(run, 1000);
await store.syncTasks(run.id, tasks, [], [], 1000);

for (let round = 0; round < rounds; round += 1) {
  const window = newWindow(`window-${round}`);
  const end = closing({ window: window.id, attempts: [planned("T1").key], planText });
  times["L"]?.push(await time(sync.run));
  times["openWindow"]?.push(await time(() => store.openWindow({ ...window, planText }, 2000)));
  times["startWindow"]?.push(await time(() => store.startWindow(window.id, supervisor, 2001)));
  times["endWindow"]?.push(await time(() => store.endWindow(end, 3000)));
  times["appendEvents"]?.push(
    await time(() => store.appendEvents(run.id, [{ kind: "agent.acted", window: window.id, data: { what: "Bash" } }], 3001)),
  );
  times["request"]?.push(await time(() => store.request(run.id)));
}

for (let round = 0; round < 20; round += 1) {
  const look = async () => {
    const reader = await openStore({ folder: state });
    await reader.runs({ limit: 1 });
    await reader.close();
  };
  times["open, read a run, close"]?.push(await time(look));
}
await store.close();
sync.close();
rmSync(folder, { recursive: true });

const medians = Object.fromEntries(Object.entries(times).map(([name, values]) => [name, median(values)]));
const least = medians["L"] ?? 1;
medians["a window (open + start + end)"] = (medians["openWindow"] ?? 0) + (medians["startWindow"] ?? 0) + (medians["endWindow"] ?? 0);
process.stdout.write(`median of ${rounds} rounds, Node ${process.version}; L = fdatasync of a 4 KB overwrite\n`);
for (const [name, ms] of Object.entries(medians))
  process.stdout.write(`${name.padEnd(32)} ${ms.toFixed(3).padStart(8)} ms ${(ms / least).toFixed(1).padStart(7)} L\n`);
