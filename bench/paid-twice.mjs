/**
 * Whether anything is paid twice when jobs are killed and the gateway lives: jobs of 25 calls each as child processes, killed with -9 at random times and started again
 * until they are done, behind the real gateway with the real ledger, before a provider that charges first and keeps its own bill.
 * `node bench/paid-twice.mjs [--runs 1] [--calls 1000] [--slots 8] [--seed N]`; exit code 1 when a call stands on the bill twice, or bill and ledger differ.
 * The whole of it: `--runs 10 --calls 10000`. Jobs are in bash, whose start costs a tenth of Node's.
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { anthropicMessages } from "../src/adapters/providers/anthropic-messages.ts";
import { openDecodedAnswer } from "../src/adapters/providers/decode.ts";
import { openaiChat } from "../src/adapters/providers/openai-chat.ts";
import { openStore } from "../src/adapters/store/sqlite/open.ts";
import { createClock } from "../src/adapters/system/clock.ts";
import { createIds } from "../src/adapters/system/ids.ts";
import { createBooker } from "../src/engine/calls/booker.ts";
import { createCallsOnTheWay, createJobDesk } from "../src/engine/calls/job-desk.ts";
import { createDoors } from "../src/gateway/door-server.ts";
import { startProvider } from "../src/provider/server.ts";
import { createRandom } from "../test/fixtures/random-numbers.ts";
import { createSheet, inScratch } from "./measure.mjs";

const options = { runs: { type: "string" }, calls: { type: "string" }, slots: { type: "string" }, seed: { type: "string" } };
const { values } = parseArgs({ options });
const [runs, calls, slots] = [Number(values.runs ?? 1), Number(values.calls ?? 1000), Number(values.slots ?? 8)];
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const callsOfJob = 25;
/** A job is killed so often at most; most kills come before its end. */
const mostKills = 4;

/** One job: PORT, the path of its door, JOB, CALLS. It asks the same in the same order whenever it is started, and takes nothing but a whole answer. */
const program = `#!/bin/bash
LC_ALL=C
for ((n = 1; n <= $4; n++)); do
  if (($3 % 2)); then path=anthropic/v1/messages; else path=openai/chat/completions; fi
  if ((n % 2)); then stream=false; else stream=true; fi
  body='{"model":"scripted","max_tokens":50,"stream":'$stream',"messages":[{"role":"user","content":"job '$3' call '$n'"}]}'
  exec 3<>/dev/tcp/127.0.0.1/$1 || exit 1
  printf 'POST %s/%s HTTP/1.1\\r\\nHost: 127.0.0.1:%s\\r\\nConnection: close\\r\\nContent-Length: %s\\r\\n\\r\\n%s' $2 $path $1 \${#body} "$body" >&3
  IFS= read -r -d '' answer <&3
  exec 3>&-
  [[ $answer == 'HTTP/1.1 200 '* ]] || exit 2
  case $stream$answer in false*"answer to job $3 call $n."* | true*message_stop* | true*'[DONE]'*) ;; *) exit 3 ;; esac
done
`;

const random = createRandom(seed);
const clock = createClock();
const price = {
  table: "bench",
  tiers: [{ above: -1, prices: { input: 1e6, output: 5e6, cacheRead: 1e5, cacheWrite: 1e6, cacheWriteLong: 2e6, searches: 0 } }],
};

async function playRun(folder) {
  const invoicePath = join(folder, "invoice.jsonl");
  const jobPath = join(folder, "job.sh");
  writeFileSync(jobPath, program, { mode: 0o755 });
  const answer = ({ prompt }) => ({
    text: `answer to ${prompt}.`,
    usage: { input: 12, output: 9 },
    firstByteMs: random() * 3,
    betweenMs: 0,
  });
  const provider = await startProvider({ script: { conversations: [{ steps: answer }] }, invoicePath });
  const store = await openStore({ folder: join(folder, "state") });
  const ids = createIds(clock.now);
  const doors = createDoors({
    newSecret: ids.newSecret,
    models: {
      upstreams: [
        { name: "anthropic", baseUrl: provider.url, format: anthropicMessages, key: null },
        { name: "openai", baseUrl: `${provider.url}/v1`, format: openaiChat, key: null },
      ],
      openAnswer: openDecodedAnswer,
      proxy: { http: null, https: null, none: null },
    },
  });
  const lingering = [];
  const counts = { attempts: 0, kills: 0, forward: 0, replay: 0, refuse: 0 };
  const parts = {
    booker: createBooker(store.ledger, clock.nextTurn),
    prices: { table: "bench", of: () => price },
    clock,
    newCallId: ids.newCallId,
    unpriced: "refuse",
  };
  const onTheWay = createCallsOnTheWay();

  /** @returns whether it ended well */
  async function attempt(job, number, mayBeKilled) {
    const key = `bench:${job}:v1`;
    const scopes = [
      { kind: "job", id: key },
      { kind: "batch", id: "bench" },
    ];
    const desk = createJobDesk(parts, {
      owner: { kind: "job", batch: "bench", job: key, attempt: number, fence: null, round: 0 },
      matching: job % 3 === 0 ? "parallel" : "sequential",
      onDivergence: "stop",
      volatileFields: [],
      scopes: () => scopes,
      caps: () => [{ ...scopes[1], microUsd: 1e12 }],
      onTheWay,
      refused: () => {},
      closed: () => {},
    });
    const begin = async (request) => {
      const admission = await desk.begin(request);
      counts[admission.kind] += 1;
      return admission;
    };
    const door = await doors.open(null, { ...desk, begin });
    const { port, pathname } = new URL(door.url);
    const end = await play([jobPath, port, pathname, String(job), String(callsOfJob)], mayBeKilled);
    desk.shut();
    lingering.push(door.close()); // not waited for: the next attempt comes at once
    counts.attempts += 1;
    if (end.signal === "SIGKILL") counts.kills += 1;
    else if (end.code !== 0) throw new Error(`job ${job} ended with ${end.code ?? end.signal}`);
    return end.code === 0;
  }

  async function finish(job) {
    for (let number = 1; !(await attempt(job, number, number <= mostKills)); number += 1);
  }

  const jobs = Array.from({ length: calls / callsOfJob }, (_, index) => index + 1);
  await Promise.all(
    Array.from({ length: slots }, async () => {
      for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await finish(job);
    }),
  );
  await Promise.all(lingering);
  const witness = await compare(store.ledger, invoicePath);
  await doors.close();
  await store.close();
  await provider.close();
  return { ...counts, ...witness };
}

/** How long a job takes when nobody kills it; kills are spread over that. */
let usualMs = 150;

function play(command, mayBeKilled) {
  const startedAt = performance.now();
  const child = spawn("/bin/bash", command, { stdio: "ignore" });
  const timer = mayBeKilled ? setTimeout(() => child.kill("SIGKILL"), random() * usualMs * 1.5) : null;
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      if (timer !== null) clearTimeout(timer);
      if (code === 0) usualMs = usualMs * 0.9 + (performance.now() - startedAt) * 0.1;
      resolve({ code, signal });
    });
  });
}

/** Each body is asked for by one call of one job: whatever stands on the bill twice was paid twice. */
async function compare(ledger, invoicePath) {
  const bill = readFileSync(invoicePath, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const bodies = new Map();
  for (const { body_sha256: body } of bill) bodies.set(body, (bodies.get(body) ?? 0) + 1);
  const rows = [];
  for (let after = 0, page = [null]; page.length > 0; after = rows.at(-1)?.number ?? 0) {
    page = await ledger.calls({ batch: "bench", after, limit: 5000 });
    rows.push(...page);
  }
  const done = new Set(rows.filter(({ state }) => state === "done").map(({ result }) => result.providerRequestId));
  return {
    charges: bill.length,
    paidTwice: [...bodies.values()].filter((count) => count > 1).length,
    neverPaid: calls - bodies.size,
    rows: rows.length,
    notDone: rows.filter(({ state }) => state !== "done").map(({ state, result }) => `${state} ${result?.failure}`),
    unbooked: bill.filter(({ request }) => !done.has(request)).length,
    duplicates: (await ledger.duplicates({ batch: "bench" })).rows.length,
  };
}

const sheet = createSheet(`jobs that are killed, ${runs} x ${calls} calls, ${slots} at once, seed ${seed}`);
const startedAt = performance.now();
const total = { paidTwice: 0, neverPaid: 0, unbooked: 0, duplicates: 0 };
for (let run = 1; run <= runs; run += 1) {
  const from = performance.now();
  const seen = await inScratch(playRun);
  for (const name of Object.keys(total)) total[name] += seen[name];
  const harmless = seen.notDone.length === 0 ? "" : `, ${seen.notDone.length} that never left (${[...new Set(seen.notDone)].join(", ")})`;
  sheet.row(
    `run ${run}`,
    `${seen.attempts} attempts, ${seen.kills} killed; ${seen.charges} charges, ${seen.replay} answers served again; ${seen.rows} rows${harmless}; ${((performance.now() - from) / 1000).toFixed(1)} s`,
  );
}
sheet.bound("calls paid twice", total.paidTwice, 0);
sheet.bound("calls never paid", total.neverPaid, 0);
sheet.bound("charges that no row knows", total.unbooked, 0);
sheet.bound("duplicates by the ledger", total.duplicates, 0);
sheet.row("took", `${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
sheet.finish();
