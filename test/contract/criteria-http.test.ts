/** `http:` against real servers that behave, and that do not. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createSocketServer } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { createWeb } from "../../src/adapters/web/web.ts";
import { openBench } from "./criteria-kit.ts";

const open = new Set<{ close(): unknown; closeAllConnections?(): void }>();

afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of open) {
    server.closeAllConnections?.();
    server.close();
  }
  open.clear();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  open.add(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const server = (body: string) => `
import { createServer } from "node:http";
const port = Number(process.env.PORT);
${body}
`;
const programs = {
  "good.mjs": server(
    `createServer((request, response) => response.setHeader("content-type", "application/json").end(JSON.stringify({ status: "up", url: request.url }))).listen(port, "127.0.0.1");`,
  ),
  "late.mjs": server(`setTimeout(() => createServer((_request, response) => response.end("ok")).listen(port, "127.0.0.1"), 500);`),
  "elsewhere.mjs": server(
    `createServer((_request, response) => response.end("ok")).listen(0, "127.0.0.1", () => console.log("listening elsewhere"));`,
  ),
  "silent.mjs": server(`createServer(() => console.log("asked")).listen(port, "127.0.0.1");`),
  "redirect.mjs": server(
    `createServer((_request, response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()).listen(port, "127.0.0.1");`,
  ),
  "huge.mjs": server(
    `createServer(async (_request, response) => { const chunk = Buffer.alloc(65536, "x"); for (let sent = 0; sent < 2 ** 30 && !response.destroyed; sent += chunk.length) if (!response.write(chunk)) await new Promise((resolve) => { response.once("drain", resolve); response.once("close", resolve); }); response.end(); }).listen(port, "127.0.0.1");`,
  ),
  "children.mjs": server(
    `import { spawn } from "node:child_process"; spawn(process.execPath, ["good.mjs"], { stdio: "ignore" }); setInterval(() => {}, 1000);`,
  ),
  "stubborn.mjs": server(
    `process.on("SIGINT", () => {}); process.on("SIGTERM", () => {}); createServer((_request, response) => response.end("ok")).listen(port, "127.0.0.1");`,
  ),
  "rude.mjs": `import { createServer } from "node:net"; createServer((socket) => socket.end("no HTTP here\\r\\n\\r\\n")).listen(Number(process.env.PORT), "127.0.0.1");`,
};

test.each<[string, string, string, string]>([
  [
    "a server that answers",
    'GET /health?x=1 status 200, header content-type contains "json", body contains "up", json /url is "/health?x=1", start `node good.mjs`',
    "holds",
    "status 200",
  ],
  ["an answer that is not as asked", "GET /health status 204, start `node good.mjs`", "fails", "status 200, not 204"],
  ["a HEAD request has no body", "HEAD / status 200, body is not up, start `node good.mjs`", "holds", "status 200"],
  ["a server that answers late", "GET / body is ok, start `node late.mjs`", "holds", "status 200"],
  [
    "a server that takes the request and never answers",
    "GET / status 200, within 1500 ms, start `node silent.mjs`",
    "fails",
    "did not answer within 1.5 s",
  ],
  ["a program that binds another port", "GET / status 200, within 1500 ms, start `node elsewhere.mjs`", "fails", "listening elsewhere"],
  [
    "a program that exits at once",
    "GET / status 200, start `echo no such module >&2; exit 3`",
    "fails",
    "ended before it answered: exit code 3\nno such module",
  ],
  ["a program that is not there", "GET / status 200, start `no-such-server`", "fails", "exit code 127"],
  ["a redirect is the answer", 'GET / status 302, header location contains ":1/", start `node redirect.mjs`', "holds", "status 302"],
  ["of a body of 1 GB a part is read", "GET / body contains xxx, start `node huge.mjs`", "holds", "status 200"],
  ["and what is not in that part cannot be told", "GET / body contains y, start `node huge.mjs`", "cannot-tell", "larger than 1 MB"],
  ["a server that is a child of the program", "GET / status 200, start `node children.mjs`", "holds", "status 200"],
  ["a server that ignores signals", "GET / status 200, start `node stubborn.mjs`", "holds", "status 200"],
  ["a server that speaks no HTTP", "GET / status 200, start `node rude.mjs`", "cannot-tell", "no answer from"],
])("%s", { timeout: 30_000 }, async (_name, line, verdict, detail) => {
  const bench = await openBench({ files: programs });
  expect(await bench.measure(`http: ${line}`)).toMatchObject({ verdict, detail: expect.stringContaining(detail) });
});

test("a server that is there already is asked where it is", async () => {
  const bench = await openBench();
  const url = await serve((_request, response) => response.end("ok"));
  expect(await bench.measure(`http: GET ${url}/ body is ok`)).toMatchObject({ verdict: "holds" });
});

test("nobody listens, and the host does not exist", async () => {
  const bench = await openBench();
  const port = await createWeb().freePort();
  expect(await bench.measure(`http: GET http://127.0.0.1:${port}/ status 200, within 300 ms`)).toMatchObject({
    verdict: "fails",
    detail: expect.stringContaining("did not answer within 0.3 s"),
  });
  expect(await bench.measure("http: GET http://no-such-host.invalid/ status 200, within 5 s")).toMatchObject({ verdict: "cannot-tell" });
});

test("the clock of a criterion is the longest that it waits", async () => {
  const bench = await openBench({ criterionMs: 400, files: programs });
  expect(await bench.measure("http: GET / status 200, within 10 min, start `node silent.mjs`")).toMatchObject({ verdict: "fails" });
});

test("a person's stop ends the server", async () => {
  const bench = await openBench({ files: programs });
  const { files } = bench.measuring.ports;
  const measured = bench.measure("http: GET / status 200, within 5 min, start `touch started; node silent.mjs`");
  await expect.poll(() => files.exists(`${bench.repo.path}/started`)).toBe(true);
  bench.stop();
  expect(await measured).toMatchObject({ verdict: "cannot-tell", detail: "it was stopped" });
});

test("a proxy of the environment is never asked", async () => {
  let asked = 0;
  const proxy = await serve((_request, response) => {
    asked += 1;
    response.end("the proxy");
  });
  for (const name of ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "NODE_USE_ENV_PROXY"])
    vi.stubEnv(name, name.startsWith("NODE") ? "1" : proxy);
  const url = await serve((_request, response) => response.end("ok"));
  const end = await createWeb().ask({ method: "GET", url, maxBytes: 100, signal: new AbortController().signal });
  expect([end, asked]).toMatchObject([{ kind: "answer", answer: { body: "ok" } }, 0]);
});

test("a connection that breaks in the middle is tried again, and one that is aborted is no answer", async () => {
  const socket = createSocketServer((one) => one.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"));
  open.add(socket);
  await new Promise<void>((resolve) => socket.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(socket.address() as AddressInfo).port}/`;
  const { ask } = createWeb();
  expect(await ask({ method: "GET", url, maxBytes: 1000, signal: new AbortController().signal })).toMatchObject({ kind: "not-yet" });
  expect(await ask({ method: "GET", url, maxBytes: 1000, signal: AbortSignal.abort() })).toEqual({ kind: "aborted" });
  expect(await ask({ method: "GET", url: "http://", maxBytes: 1000, signal: new AbortController().signal })).toMatchObject({
    kind: "failed",
  });
});
