/**
 * A process with a store, for tests that need another one or another user. `node store-probe.ts FOLDER`, then one word a line on standard input:
 * `run ID` makes a run, `events ID N` adds N events one by one, `ask ID N` asks N questions, `member ID` makes a run of the board, `claim ID` takes tasks of it until there
 * is none, `add ID N` adds N tasks whose keys are made. Each is answered by one line of JSON. Ends with its input.
 */
import { createInterface } from "node:readline";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { MidwatchError } from "../../src/core/error.ts";
import { runId } from "../../src/core/ids.ts";
import { addToBoard } from "../../src/engine/board.ts";
import type { Store } from "../../src/ports/store.ts";
import { lease, memberRun, moment } from "./board-kit.ts";
import { draft, newRun } from "./store-samples.ts";

async function act(store: Store, words: readonly string[]): Promise<unknown> {
  const [word, id = "", count = "0"] = words;
  const numbers = Array.from({ length: Number(count) }, (_, n) => n);
  if (word === "member") return (await store.createRun(memberRun(id), 1000)).id;
  if (word === "claim") return claimAll(store, id);
  if (word === "add") return addEach(store, numbers);
  if (word === "run") return (await store.createRun(newRun(id), 1000)).id;
  if (word === "events") for (const n of numbers) await store.appendEvents(runId(id), [{ kind: "agent.acted", data: { n } }], 1000 + n);
  if (word !== "ask") return "done";
  const asked: string[] = [];
  for (const n of numbers) asked.push((await store.ask(runId(id), null, draft({ text: `${id} ${n}` }), 1000)).id);
  return asked;
}

async function claimAll(store: Store, id: string): Promise<readonly string[]> {
  const taken: string[] = [];
  for (;;) {
    const task = await store.claimTask({ run: runId(id), window: null, by: id, lease }, moment);
    if (task === null) return taken;
    taken.push(task.key);
  }
}

async function addEach(store: Store, numbers: readonly number[]): Promise<readonly string[]> {
  const keys: string[] = [];
  for (const n of numbers) {
    const given = { key: null, words: { title: `Task ${n} of ${process.pid}` }, yes: true };
    keys.push((await addToBoard(store, memberRun("x").repository, given, 1000 + n)).task.key);
  }
  return keys;
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
