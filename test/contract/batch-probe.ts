/**
 * A process with a store, for tests of batches that need several. `node batch-probe.ts FOLDER`, then one word a line: `hold MS` holds the write lock for so long,
 * `work SLOT` claims and finishes until nothing is left and tells the ids. Each is answered by one line of JSON. Ends with its input.
 */
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { done, name } from "./batch-kit.ts";

const folder = process.argv[2] ?? "";
const store = await openStore({ folder, busyMs: 30_000 });
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);

function hold(ms: number): void {
  const db = new DatabaseSync(join(folder, "midwatch.db"));
  db.exec("BEGIN IMMEDIATE");
  say("held");
  setTimeout(() => {
    db.exec("ROLLBACK");
    db.close();
  }, ms);
}

async function work(slot: string): Promise<readonly string[]> {
  const taken: string[] = [];
  const now = () => ({ wallMs: Date.now(), bootMs: performance.now(), bootId: "b" });
  for (;;) {
    const claim = await store.batches.claim(name, slot, 600_000, now);
    if (claim === null) return taken;
    if (await store.batches.finish(claim, done(), Date.now())) taken.push(claim.id);
  }
}

say("open");
for await (const line of createInterface({ input: process.stdin })) {
  const [word, value = ""] = line.split(" ");
  if (word === "hold") hold(Number(value));
  else say(await work(value));
}
await store.close();
