/**
 * What the gateway adds to a call: a paced provider (50 ms to the first byte, 20 events 10 ms apart) asked directly, through the gateway with nothing booked, and
 * through it with every call in a real ledger; in turns, each in a process of its own. `node bench/gateway.mjs [CALLS=60] [MANY=10000] [STREAMS=1 16 64]`; exit code 1 when a bound is missed.
 * "Added" is the time of a call less the time that the provider held it by its own clock, so that the timers of the pace are not in it. L = one fdatasync of a 4 KB
 * overwrite, taken while the calls run: a disk and a processor that rest between two calls answer more slowly than in a tight loop, which is shown beside it. Beside
 * the gateway: a bare relay of bytes, the least that one more hop can cost here; the least that Node's own HTTP can do; and where LLMS names a folder in which
 * @musistudio/llms (what claude-code-router is made of) is installed, that proxy with the same request and the format that needs no translation.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, fdatasyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import { createRequire } from "node:module";
import { connect, createServer as createRelay } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createSheet, durableWriteMs, inScratch, median, say } from "./measure.mjs";

const self = fileURLToPath(import.meta.url);
const [firstByteMs, events, betweenMs] = [50, 20, 10];
/** As large as the first request of a coding agent. */
const body = JSON.stringify({
  model: "claude-opus-5-5",
  max_tokens: 32_000,
  stream: true,
  system: [{ type: "text", text: "s".repeat(12_000), cache_control: { type: "ephemeral" } }],
  tools: Array.from({ length: 12 }, (_, n) => ({
    name: `tool_${n}`,
    description: 'Says "what" it does.\n'.repeat(120),
    input_schema: { type: "object" },
  })),
  messages: [{ role: "user", content: "do it" }],
});

// The paced provider.

const event = (type, fields = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-opus-5-5",
  content: [],
  usage: { input_tokens: 12_000, output_tokens: 1 },
};
const story = [
  event("message_start", { message }),
  event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
  ...Array.from({ length: events - 5 }, () =>
    event("content_block_delta", { index: 0, delta: { type: "text_delta", text: "some words of an answer " } }),
  ),
  event("content_block_stop", { index: 0 }),
  event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 400 } }),
];

/** `?quick` is answered at once. The last event tells how long the request was here. */
function serveProvider() {
  const server = createServer({ keepAliveTimeout: 600_000 }, (incoming, response) => {
    const arrivedAt = performance.now();
    const isQuick = incoming.url.includes("quick");
    const wait = (ms) => (isQuick ? undefined : new Promise((resolve) => setTimeout(resolve, ms)));
    incoming.resume();
    incoming.once("end", async () => {
      response.on("error", () => {});
      await wait(firstByteMs);
      response.writeHead(200, { "content-type": "text/event-stream", "request-id": "req_1" });
      for (const each of story) {
        response.write(each);
        await wait(betweenMs);
      }
      response.end(event("message_stop", { held_ms: performance.now() - arrivedAt }));
    });
  });
  server.listen(0, "127.0.0.1", () => say(`http://127.0.0.1:${server.address().port}`));
}

// The gateway.

async function serveGateway(mode, baseUrl, folder) {
  const [{ createDoors }, { anthropicMessages }, { openDecodedAnswer }, { randomBytes }] = await Promise.all([
    import("../src/gateway/door-server.ts"),
    import("../src/adapters/providers/anthropic-messages.ts"),
    import("../src/adapters/providers/decode.ts"),
    import("node:crypto"),
  ]);
  const doors = createDoors({
    newSecret: () => randomBytes(24).toString("base64url"),
    models: {
      upstreams: [{ name: "anthropic", baseUrl, format: anthropicMessages, key: { header: "x-api-key", value: "sk-bench" } }],
      openAnswer: openDecodedAnswer,
      proxy: { http: null, https: null, none: null },
    },
  });
  const desk = mode === "booked" ? await bookingDesk(folder) : openDesk();
  const door = await doors.open({}, desk);
  say(`${door.modelUrls.anthropic} ${door.token}`);
  createInterface(process.stdin).on("line", async (line) => {
    if (line === "memory") say(JSON.stringify({ rss: process.memoryUsage.rss(), finished: desk.finished() }));
  });
}

function openDesk() {
  let finished = 0;
  const finish = async () => {
    finished += 1;
  };
  return {
    readsToTheEnd: false,
    volatileFields: [],
    finished: () => finished,
    begin: async () => ({ kind: "forward", call: { id: "1", keepsAnswer: false, finish } }),
  };
}

async function bookingDesk(folder) {
  const [{ openStore }, samples, { createDesk }, { createBooker }, { randomUUID }] = await Promise.all([
    import("../src/adapters/store/sqlite/open.ts"),
    import("../test/contract/store-samples.ts"),
    import("../src/engine/calls/desk.ts"),
    import("../src/engine/calls/booker.ts"),
    import("node:crypto"),
  ]);
  const store = await openStore({ folder });
  const [run, window, task] = [samples.newRun(), samples.newWindow("window-1"), samples.planned("T1")];
  await store.createRun(run, 1000);
  await store.syncTasks(run.id, [task], [], [], 1000);
  await store.openWindow({ ...window, planText: "- [ ] T1: T1\n" }, 2000);
  const prices = {
    input: 5_000_000,
    output: 25_000_000,
    cacheRead: 500_000,
    cacheWrite: 6_250_000,
    cacheWriteLong: 10_000_000,
    searches: 10_000,
  };
  const price = { table: "bench", tiers: [{ above: -1, prices }] };
  const scopes = [
    { kind: "window", id: window.id },
    { kind: "run", id: run.id },
    { kind: "task", id: "plan#T1" },
    { kind: "day", id: "2026-11-30" },
    { kind: "month", id: "2026-11" },
  ];
  const caps = scopes.map((scope) => ({ ...scope, microUsd: 1e15 }));
  let [seq, finished] = [0, 0];
  const desk = createDesk(
    {
      booker: createBooker(store.ledger, () => new Promise((resolve) => setImmediate(resolve))),
      prices: { of: () => price, table: "bench" },
      clock: { now: () => Date.now() },
      newCallId: randomUUID,
      unpriced: "refuse",
    },
    {
      keepsAnswers: false,
      owner: () => ({ kind: "window", run: run.id, window: window.id, task: task.key }),
      place: () => ({ kind: "counted", seq: ++seq, try: 1 }),
      scopes: () => scopes,
      caps: () => caps,
      closed: () => void finished++,
    },
  );
  return { readsToTheEnd: false, volatileFields: [], begin: desk.begin, finished: () => finished };
}

// The disk.

const sampleMs = 20;

/** Between `begin` and `end` one sync of a 4 KB overwrite at a time, at about the pace of the events; `end` tells their median in milliseconds. */
function serveDisk(folder) {
  const file = openSync(join(folder, "L"), "w+");
  const block = Buffer.alloc(4096, 1);
  let sample = [];
  let timer = null;
  const take = () => {
    const startedAt = performance.now();
    writeSync(file, block, 0, block.length, 0);
    fdatasyncSync(file);
    sample.push(performance.now() - startedAt);
  };
  take();
  createInterface(process.stdin).on("line", (line) => {
    clearInterval(timer);
    if (line === "begin") {
      sample = [];
      timer = setInterval(take, sampleMs);
    }
    say(JSON.stringify(line === "begin" ? null : median(sample)));
  });
  say("ready");
}

// The others.

/** Bytes in, bytes out: what one more process between two costs on this machine. */
function serveRelay(baseUrl) {
  const server = createRelay((near) => {
    const far = connect(Number(new URL(baseUrl).port), "127.0.0.1");
    for (const socket of [near, far]) socket.setNoDelay(true).on("error", () => {});
    near.pipe(far).pipe(near);
  });
  server.listen(0, "127.0.0.1", () => say(`http://127.0.0.1:${server.address().port}`));
}

/** The least that Node's own HTTP can do: the whole request in, the answer passed on piece by piece, nothing read and nothing kept. */
function servePlain(baseUrl) {
  const upstream = new Agent({ keepAlive: true });
  const server = createServer({ keepAliveTimeout: 600_000 }, (incoming, response) => {
    const pieces = [];
    incoming.on("data", (piece) => pieces.push(piece));
    incoming.on("end", () => {
      const { method, url, rawHeaders } = incoming;
      const asking = request(new URL(url, baseUrl), { agent: upstream, method, headers: rawHeaders }, (answer) => {
        response.writeHead(answer.statusCode, answer.rawHeaders);
        answer.on("data", (piece) => response.write(piece));
        answer.on("end", () => response.end());
      });
      asking.end(Buffer.concat(pieces));
    });
  });
  server.listen(0, "127.0.0.1", () => say(`http://127.0.0.1:${server.address().port}`));
}

async function serveLlms(folder, baseUrl) {
  const { default: Server } = createRequire(join(folder, "main.js"))("@musistudio/llms");
  const port = 20_000 + (process.pid % 20_000);
  const transformer = { use: ["Anthropic"] };
  const up = { name: "up", api_base_url: `${baseUrl}/v1/messages`, api_key: "sk-bench", models: ["claude-opus-5-5"], transformer };
  say(`http://127.0.0.1:${port}`);
  // It talks while it starts; nobody listens.
  process.stdout.write = () => true;
  await new Server({ logger: false, initialConfig: { HOST: "127.0.0.1", PORT: port, providers: [up] } }).start();
}

// The agents.

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** @returns when the first byte and the last came, and how long the provider held it, in milliseconds */
function call({ url, headers = {}, query = "?beta=true", text: sent = body }) {
  return new Promise((resolve, reject) => {
    const askedAt = performance.now();
    let firstAt = 0;
    let text = "";
    const all = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(sent),
      "anthropic-version": "2023-06-01",
      ...headers,
    };
    const asking = request(`${url}/v1/messages${query}`, { agent, method: "POST", headers: all }, (answer) => {
      answer.setEncoding("utf8");
      answer.on("data", (piece) => {
        if (firstAt === 0) firstAt = performance.now();
        text += piece;
      });
      answer.on("error", reject);
      answer.on("end", () => {
        const total = performance.now() - askedAt;
        const held = Number(/"held_ms":([\d.]+)/.exec(text)?.[1]);
        if (answer.statusCode !== 200 || Number.isNaN(held))
          reject(new Error(`${url} answered ${answer.statusCode}: ${text.slice(0, 300)}`));
        else resolve({ first: firstAt - askedAt, total, own: total - held });
      });
    });
    asking.on("error", (error) => reject(new Error(`${url}: ${error.message}`)));
    asking.end(sent);
  });
}

/** So many calls, so many at once; the n-th of those that begin together does so a little later, as agents do. */
async function callMany(target, count, streams) {
  const results = [];
  let left = count;
  const one = async (index) => {
    await new Promise((resolve) => setTimeout(resolve, (index * 260) / streams));
    while (left > 0) {
      left -= 1;
      results.push(await call(target));
    }
  };
  await Promise.all(Array.from({ length: streams }, (_, index) => one(index)));
  return results;
}

const children = [];

/** Starts a program and gives the first line that it says. */
async function start(command, options = {}) {
  const child = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"], ...options });
  children.push(child);
  const lines = createInterface(child.stdout);
  const ask = async (line) => {
    const answer = once(lines, "line");
    child.stdin.write(`${line}\n`);
    return JSON.parse((await answer)[0]);
  };
  return { child, lines, ask };
}

async function startOwn(...words) {
  const started = await start([process.execPath, self, ...words]);
  const died = once(started.child, "exit").then(() => Promise.reject(new Error(`${words.join(" ")} ended`)));
  const [line] = await Promise.race([once(started.lines, "line"), died]);
  died.catch(() => {}); // in the end they are killed
  const [url, token = ""] = line.split(" ");
  return { ...started, url, headers: token === "" ? {} : { "x-api-key": token } };
}

async function startLlms(folder, provider) {
  if (!folder || !existsSync(join(folder, "node_modules/@musistudio/llms"))) return null;
  const llms = await startOwn("--llms", folder, provider.url);
  const target = { ...llms, text: body.replace('"claude-opus-5-5"', '"up,claude-opus-5-5"') };
  for (let tries = 0; tries < 100; tries += 1) {
    const tried = await call(target).catch((error) => error);
    if (!(tried instanceof Error)) return target;
    if (tries === 99) say(`  @musistudio/llms does not answer: ${tried.message}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return null;
}

/** User and system time of a process, in milliseconds; it is counted in hundredths of a second. */
function cpuMs({ child }) {
  const [, rest = ""] = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ");
  const [user, system] = rest.split(" ").slice(11, 13).map(Number);
  return (user + system) * 10;
}

async function compare(folder) {
  const [calls = 60, many = 10_000, ...widths] = process.argv.slice(2).map(Number);
  const provider = await startOwn("--provider");
  const contenders = {
    direct: provider,
    "a bare relay": await startOwn("--relay", provider.url),
    "a plain node:http proxy": await startOwn("--plain", provider.url),
    "gateway, nothing booked": await startOwn("--gateway", "open", provider.url, ""),
    "gateway, booked": await startOwn("--gateway", "booked", provider.url, join(folder, "state")),
  };
  const llms = await startLlms(process.env.LLMS, provider);
  if (llms === null) say("  @musistudio/llms is not measured: set LLMS to a folder where npm has installed it");
  else contenders["@musistudio/llms"] = llms;

  const sheet = createSheet(`gateway: added to a streamed call of ${Math.round(Buffer.byteLength(body) / 1000)} kB, median`);
  // Warm; what drops the query is as slow as the pace.
  for (const target of Object.values(contenders))
    await callMany({ ...target, query: "?quick" }, target === llms ? 64 : 1500, target === llms ? 16 : 4);
  const disk = await startOwn("--disk", folder);
  sheet.row("L in a tight loop", `${durableWriteMs().toFixed(3)} ms`);
  for (const streams of widths.length > 0 ? widths : [1, 16, 64]) {
    const seen = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
    const rounds = streams === 1 ? calls / 5 : 3;
    const spent = Object.fromEntries(Object.keys(contenders).map((name) => [name, 0]));
    await disk.ask("begin");
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, target] of Object.entries(contenders)) {
        const before = cpuMs(target);
        seen[name].push(...(await callMany(target, streams === 1 ? 5 : streams * 4, streams)));
        spent[name] += cpuMs(target) - before;
      }
    }
    const L = await disk.ask("end");
    sheet.row(`${streams} streams, L`, `${L.toFixed(3)} ms`);
    const of = (name, key) => median(seen[name].map((each) => each[key]));
    for (const name of Object.keys(contenders)) {
      const added = of(name, "own") - of("direct", "own");
      const figures = `first byte ${of(name, "first").toFixed(2)} ms, whole ${of(name, "total").toFixed(2)} ms, added ${added.toFixed(2)} ms = ${(added / L).toFixed(1)} L`;
      const cpu = `${(spent[name] / seen[name].length).toFixed(2)} ms of its CPU a call`;
      sheet.row(`${streams} streams, ${name}`, `${figures}, ${cpu}  (${seen[name].length} calls)`);
    }
    const added = (name) => of(name, "own") - of("direct", "own");
    if (streams === 1) {
      sheet.row(
        "least",
        `a bare relay ${added("a bare relay").toFixed(2)} ms; node:http both ways ${added("a plain node:http proxy").toFixed(2)} ms`,
      );
      sheet.bound("1 stream, nothing booked", added("gateway, nothing booked"), 0.5, " ms");
    }
    if (streams < 64) sheet.bound(`${streams} streams, booked`, added("gateway, booked") / L, 15, " L");
  }
  await memory(sheet, contenders["gateway, booked"], many);
  sheet.finish();
}

async function memory(sheet, target, many) {
  const quick = { ...target, query: "?quick" };
  // Until the heap has its size.
  await callMany(quick, Math.ceil(many / 2), 16);
  const before = await target.ask("memory");
  const startedAt = performance.now();
  await callMany(quick, many, 16);
  const after = await target.ask("memory");
  const perS = Math.round((many * 1000) / (performance.now() - startedAt));
  sheet.row(`${many} calls, booked`, `${perS} calls/s, ${after.finished - before.finished} rows closed`);
  sheet.bound("memory grew by", (after.rss - before.rss) / 1e6, 40, " MB");
}

const [mode, ...words] = process.argv.slice(2);
if (mode === "--provider") serveProvider();
else if (mode === "--gateway") await serveGateway(...words);
else if (mode === "--disk") serveDisk(...words);
else if (mode === "--plain") servePlain(...words);
else if (mode === "--relay") serveRelay(...words);
else if (mode === "--llms") await serveLlms(...words);
else {
  try {
    await inScratch(compare);
  } finally {
    for (const child of children) child.kill("SIGKILL");
    agent.destroy();
  }
}
