/**
 * A job of 25 steps, each one call to a provider that answers at once: behind the gateway, which books the call before and after and keeps the answer, and as a
 * workflow of DBOS, which keeps it once, after the call. Provider, gateway and proxy are processes of their own; who asks is the same code in all. `direct` and `proxy`
 * keep nothing.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { anthropicMessages } from "../../src/adapters/providers/anthropic-messages.ts";
import { openDecodedAnswer } from "../../src/adapters/providers/decode.ts";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { createClock } from "../../src/adapters/system/clock.ts";
import { createIds } from "../../src/adapters/system/ids.ts";
import { createBooker } from "../../src/engine/calls/booker.ts";
import { createCallsOnTheWay, createJobDesk } from "../../src/engine/calls/job-desk.ts";
import { createDoors } from "../../src/gateway/door-server.ts";
import { price } from "../../test/contract/ledger-samples.ts";
import { say } from "../measure.mjs";

const self = fileURLToPath(import.meta.url);
export const stepsOfJob = 25;

const answer = JSON.stringify({
  ...{ id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-5-20250929", stop_reason: "end_turn" },
  content: [{ type: "text", text: "What was found on this page and on the one before it. ".repeat(32) }],
  usage: { input_tokens: 1200, output_tokens: 700, cache_read_input_tokens: 30_000 },
});

function serveProvider() {
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(answer), "request-id": "req_1" };
  const server = createServer({ keepAliveTimeout: 600_000 }, (incoming, response) => {
    incoming.resume();
    incoming.once("end", () => response.writeHead(200, headers).end(answer));
  });
  server.listen(0, "127.0.0.1", () => say(`http://127.0.0.1:${server.address().port}`));
}

/** One more hop, and no more: the whole request in, the answer passed on piece by piece. */
function serveProxy(baseUrl) {
  const upstream = new Agent({ keepAlive: true });
  const server = createServer({ keepAliveTimeout: 600_000 }, (incoming, response) => {
    const pieces = [];
    incoming.on("data", (piece) => pieces.push(piece));
    incoming.once("end", () => {
      const { method, url, rawHeaders } = incoming;
      const asking = request(new URL(url, baseUrl), { agent: upstream, method, headers: rawHeaders }, (answered) => {
        response.writeHead(answered.statusCode, answered.rawHeaders);
        answered.on("data", (piece) => response.write(piece)).once("end", () => response.end());
      });
      asking.end(Buffer.concat(pieces));
    });
  });
  server.listen(0, "127.0.0.1", () => say(`http://127.0.0.1:${server.address().port}`));
}

/** A line of input opens the door of another job, and is answered with its URL. */
async function serveGateway(folder, baseUrl) {
  const [store, clock] = [await openStore({ folder }), createClock()];
  const ids = createIds(clock.now);
  const upstreams = [{ name: "anthropic", baseUrl, format: anthropicMessages, key: null }];
  const proxy = { http: null, https: null, none: null };
  const doors = createDoors({ newSecret: ids.newSecret, models: { upstreams, openAnswer: openDecodedAnswer, proxy } });
  const booker = createBooker(store.ledger, clock.nextTurn);
  const parts = { booker, prices: { table: "bench", of: () => price }, clock, newCallId: ids.newCallId, unpriced: "refuse" };
  const onTheWay = createCallsOnTheWay();
  let [open, number] = [null, 0];
  for await (const _line of createInterface(process.stdin)) {
    await open?.close();
    number += 1;
    const job = `bench:${number}:v1`;
    const scopes = [
      { kind: "job", id: job },
      { kind: "batch", id: "bench" },
      { kind: "day", id: "2026-11-30" },
      { kind: "month", id: "2026-11" },
    ];
    const desk = createJobDesk(parts, {
      owner: { kind: "job", batch: "bench", job, attempt: 1, fence: null, round: 0 },
      ...{ matching: "sequential", onDivergence: "stop", volatileFields: [], onTheWay },
      scopes: () => scopes,
      caps: () => scopes.map((scope) => ({ ...scope, microUsd: 1e15 })),
      refused: ({ kind }) => process.stderr.write(`refused: ${kind}\n`),
      closed: () => undefined,
    });
    open = await doors.open(null, desk);
    say(open.modelUrls.anthropic);
  }
}

const agent = new Agent({ keepAlive: true });
const headers = { "content-type": "application/json", "anthropic-version": "2023-06-01" };

function ask(url, number) {
  const body = JSON.stringify({ model: "claude-sonnet-4-5", max_tokens: 700, messages: [{ role: "user", content: `question ${number}` }] });
  return new Promise((resolve, reject) => {
    const asking = request(`${url}/v1/messages`, { agent, method: "POST", headers }, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8").on("data", (piece) => {
        text += piece;
      });
      incoming.once("error", reject).once("end", () => {
        if (incoming.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(`${incoming.statusCode}: ${text}`));
      });
    });
    asking.once("error", reject).end(body);
  });
}

/** @param step  carries out one step. @returns milliseconds a step */
async function playJob(url, step) {
  const startedAt = performance.now();
  for (let number = 1; number <= stepsOfJob; number += 1) await step(() => ask(url, number));
  return (performance.now() - startedAt) / stepsOfJob;
}

function start(...words) {
  const child = spawn(process.execPath, [self, ...words], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout);
  return { child, line: async () => (await once(lines, "line"))[0], close: () => child.kill("SIGKILL") };
}

/** Jobs of each kind, one after another: each gives the milliseconds a step of its took. */
export async function openSteps(folder) {
  const provider = start("provider");
  const url = await provider.line();
  const gateway = start("gateway", folder, url);
  const proxy = start("proxy", url);
  const proxyUrl = await proxy.line();
  return {
    direct: () => playJob(url, (step) => step()),
    proxy: () => playJob(proxyUrl, (step) => step()),
    /** For `startDbos`. */
    workflow: (step) => playJob(url, step),
    async gateway() {
      const opened = gateway.line();
      gateway.child.stdin.write("\n");
      return playJob(await opened, (step) => step());
    },
    close() {
      for (const process of [provider, gateway, proxy]) process.close();
      agent.destroy();
    },
  };
}

if (process.argv[1] === self) {
  const [mode, ...words] = process.argv.slice(2);
  if (mode === "provider") serveProvider();
  else if (mode === "proxy") serveProxy(...words);
  else await serveGateway(...words);
}
