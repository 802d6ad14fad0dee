/**
 * A process with a store, for tests that need another one or another user. `node store-probe.ts FOLDER`, then one word a line on standard input:
 * `run ID` makes a run, `events ID N` adds N events one by one, `ask ID N` asks N questions. Each is answered by one line of JSON. Ends with its input.
 */
import { createInterface } from "node:readline";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { MidwatchError } from "../../src/core/error.ts";
import { runId } from "../../src/core/ids.ts";
import type { Store } from "../../src/ports/store.ts";
import { draft, newRun } from "./store-samples.ts";

async function act(store: Store, words: readonly string[]): Promise<unknown> {
  const [word, id = "", count = "0"] = words;
  const numbers = Array.from({ length: Number(count) }, (_, n) => n);
  if (word === "run") return (await store.createRun(newRun(id), 1000)).id;
  if (word === "events") for (const n of numbers) await store.appendEvents(runId(id), [{ kind: "agent.acted", data: { n } }], 1000 + n);
  if (word !== "ask") return "done";
  const asked: string[] = [];
  for (const n of numbers) asked.push((await store.ask(runId(id), null, draft({ text: `${id} ${n}` }), 1000)).id);
  return asked;
}

async function say(work: Promise<unknown>): Promise<void> {
  const answer = await work.catch((error: unknown) =>
    error instanceof MidwatchError ? { ...error, message: error.message } : { code: "FOREIGN", message: String(error) },
  );
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

const opening = openStore({ folder: process.argv[2] ?? "" });
await say(opening.then(() => "open"));
const store = await opening.catch(() => null);
if (store !== null) {
  for await (const line of createInterface({ input: process.stdin })) await say(act(store, line.split(" ")));
  await store.close();
}
