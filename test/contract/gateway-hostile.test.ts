import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { anthropicMessages } from "../../src/adapters/providers/anthropic-messages.ts";
import { openDecodedAnswer } from "../../src/adapters/providers/decode.ts";
import type { Upstream } from "../../src/ports/door.ts";
import { ask, createTestDesk, openGateway, requestText, speakTo, startRaw, startScripted, type TestGateway } from "./gateway-kit.ts";

const good = '{"model":"m"}';
const answered = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nLAST";

/** Answers each request on a connection in the same way. */
const answering = (answer: string | Buffer) => (socket: Socket) => socket.on("data", () => socket.write(answer));

/** The gateway is alive: a good request is answered. */
async function stillServes(gateway: TestGateway): Promise<boolean> {
  return (await ask(gateway.url)).ok;
}

const post = (path: string, lines: readonly string[], body = "") => `POST ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
const local = "Host: 127.0.0.1:1";

test.each<[string, (path: string) => string | Buffer, RegExp | string]>([
  ["another Host", (path) => post(path, ["Host: evil.example", "content-length: 13"], good), / 404 /],
  ["no Host", (path) => post(path, ["content-length: 13"], good), / 400 /],
  ["an Origin", (path) => post(path, [local, "Origin: null", "content-length: 13"], good), / 404 /],
  ["another window's secret", (path) => requestText(path.replace(/secret-[^/]+/, "secret-other"), good), / 404 /],
  ["no secret", (path) => requestText(path.replace(/secret-[^/]+/, ""), good), / 404 /],
  ["an unknown upstream", (path) => requestText(path.replace("/up/", "/other/"), good), / 404 /],
  ["an absolute target", (path) => requestText(`http://evil.example${path}`, good), / 404 /],
  ["bad JSON", (path) => requestText(path, '{"model":'), / 400 [\s\S]*"refused"/],
  ["no model", (path) => requestText(path, "{}"), / 400 [\s\S]*"refused"/],
  ["an empty body", (path) => requestText(path, ""), / 400 [\s\S]*"refused"/],
  ["bytes that are no UTF-8", (path) => post(path, [local, "content-length: 2"], "\xff\xfe"), / 400 [\s\S]*"refused"/],
  ["what is no gzip but says so", (path) => requestText(path, good, ["content-encoding: gzip"]), / 400 [\s\S]*"refused"/],
  ["an encoding that nobody knows", (path) => requestText(path, good, ["content-encoding: pig"]), / 400 [\s\S]*"refused"/],
  [
    "a POST that might be paid",
    (path) => requestText(path.replace("messages", "batches"), good),
    / 400 [\s\S]*POST \/v1\/batches is not known/,
  ],
  ["a path that another server might resolve", (path) => requestText(path.replace("/v1/", "/v1/x/../"), good), / 400 [\s\S]*"refused"/],
  ["a DELETE", (path) => `DELETE ${path} HTTP/1.1\r\n${local}\r\n\r\n`, / 400 [\s\S]*"refused"/],
  ["a TRACE", (path) => `TRACE ${path} HTTP/1.1\r\n${local}\r\n\r\n`, / 400 [\s\S]*"refused"/],
  ["a length and chunks", (path) => post(path, [local, "content-length: 13", "transfer-encoding: chunked"], good), / 400 /],
  ["two lengths", (path) => post(path, [local, "content-length: 13", "content-length: 14"], good), / 400 /],
  ["a length that is no number", (path) => post(path, [local, "content-length: -1"], good), / 400 /],
  ["a chunk that is none", (path) => post(path, [local, "transfer-encoding: chunked"], "zz\r\n"), / 400 /],
  ["10 MB of headers", (path) => post(path, [local, `x: ${"y".repeat(10_000_000)}`]), / 431 |^$/],
  ["no HTTP at all", () => "\x16\x03\x01\x02\x00\r\n\r\n", / 400 /],
  ["a CONNECT", () => `CONNECT 127.0.0.1:1 HTTP/1.1\r\n${local}\r\n\r\n`, ""],
])("%s is refused, nothing leaves, and the next request is served", async (_name, bytes, expected) => {
  const upstream = await startRaw(answering(answered));
  const desk = createTestDesk();
  const gateway = await openGateway({ url: upstream.url, desk });
  const text = await speakTo(gateway.port, Buffer.from(bytes(`${gateway.path}/v1/messages`) as string, "latin1"), (heard) =>
    /\r\n\r\n[\s\S]/.test(heard),
  );
  expect(text).toMatch(expected);
  expect([upstream.heard, desk.calls]).toEqual([[], []]);
  expect(await stillServes(gateway)).toBe(true);
});

test.each<[string, (path: string) => string]>([
  ["half a head", (path) => `POST ${path} HTTP/1.1\r\n${local}\r\n`],
  ["half a body", (path) => requestText(path, good).slice(0, -5)],
  ["half a chunk", (path) => post(path, [local, "transfer-encoding: chunked"], "d\r\n{")],
])("an agent that leaves after %s leaves nothing behind", async (_name, bytes) => {
  const upstream = await startRaw(answering(answered));
  const desk = createTestDesk();
  const gateway = await openGateway({ url: upstream.url, desk });
  const socket = connect(gateway.port, "127.0.0.1");
  socket.end(bytes(`${gateway.path}/v1/messages`));
  socket.resume();
  await once(socket, "close");
  expect([upstream.heard, desk.calls]).toEqual([[], []]);
  expect(await stillServes(gateway)).toBe(true);
});

test.each<[string, string[]]>([
  ["a request to upgrade", ["Upgrade: websocket", "Connection: Upgrade"]],
  [
    "headers of the connection",
    ["Connection: close, X-Hop", "X-Hop: 1", "TE: trailers", "Proxy-Authorization: Basic eA==", "Keep-Alive: 5"],
  ],
  ["an expectation", ["Expect: 100-continue"]],
])("%s stays with us", async (_name, headers) => {
  const upstream = await startRaw(answering(answered));
  const gateway = await openGateway({ url: upstream.url });
  const text = await speakTo(gateway.port, requestText(`${gateway.path}/v1/messages`, good, headers), (heard) => heard.endsWith("LAST"));
  expect(text).toContain("LAST");
  expect(upstream.heard.join("")).toBe(
    `POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1:${upstream.port}\r\ncontent-type: application/json\r\nContent-Length: 13\r\nConnection: keep-alive\r\n\r\n${good}`,
  );
});

test("a body in chunks leaves with its length, and one that is compressed as it came", async () => {
  const upstream = await startRaw(answering(answered));
  const desk = createTestDesk();
  const gateway = await openGateway({ url: upstream.url, desk });
  await speakTo(
    gateway.port,
    post(`${gateway.path}/v1/messages`, [local, "transfer-encoding: chunked"], `d\r\n${good}\r\n0\r\n\r\n`),
    (heard) => heard.endsWith("LAST"),
  );
  const zipped = gzipSync(good);
  const answer = await fetch(`${gateway.url}/v1/messages`, { method: "POST", headers: { "content-encoding": "gzip" }, body: zipped });
  expect(answer.status).toBe(200);
  expect(desk.calls.map(({ request }) => request.model)).toEqual(["m", "m"]);
  expect(upstream.heard.join("")).toContain(`\r\nContent-Length: 13\r\nConnection: keep-alive\r\n\r\n${good}`);
  expect(Buffer.concat(upstream.heard).includes(zipped)).toBe(true);
});

test("100 MB pass byte for byte, and over 128 MiB it is told that this is too much", async () => {
  const sha = Promise.withResolvers<string>();
  const server = createServer(async (request, response) => {
    const hash = createHash("sha256");
    for await (const chunk of request) hash.update(chunk);
    sha.resolve(hash.digest("hex"));
    response.end("LAST");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  const gateway = await openGateway({ url: `http://127.0.0.1:${address.port}` });
  const body = Buffer.from(`{"model":"m","x":"${"y".repeat(100_000_000)}"}`);
  expect((await fetch(`${gateway.url}/v1/messages`, { method: "POST", body })).status).toBe(200);
  expect(await sha.promise).toBe(createHash("sha256").update(body).digest("hex"));
  const over = await fetch(`${gateway.url}/v1/messages`, { method: "POST", body: Buffer.concat([body, Buffer.alloc(35_000_000, " ")]) });
  expect([over.status, await over.json()]).toEqual([413, { failed: "a request has at most 134217728 bytes" }]);
});

test.each<[string, string | Buffer | null, object]>([
  ["garbage", "\x00\x01garbage\r\n\r\n", { status: 502, end: "unknown", failure: "lost" }],
  ["a head of a megabyte", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(1_000_000)}\r\n\r\n`, { status: 502, end: "unknown", failure: "lost" }],
  [
    "a length and chunks",
    "HTTP/1.1 200 OK\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\nLAST",
    { status: 502, end: "unknown", failure: "lost" },
  ],
  [
    "a switch of protocols",
    "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
    { status: 502, end: "unknown", failure: "lost" },
  ],
  ["nothing", null, { status: 502, end: "unknown", failure: "lost" }],
  ["no content", "HTTP/1.1 204 No Content\r\n\r\n", { status: 204, end: "cut", failure: "cut-by-provider" }],
  ["a hint before the answer", `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${answered}`, { status: 200, end: "done", failure: null }],
  [
    "a redirection",
    "HTTP/1.1 307 Temporary\r\nlocation: http://evil.example/\r\ncontent-length: 0\r\n\r\n",
    { status: 307, end: "failed", failure: "refused" },
  ],
  ["more than its length", `${answered}MORE`, { status: 200, end: "done", failure: null }],
  ["no length and no chunks", "HTTP/1.0 200 OK\r\n\r\nLAST", { status: 200, end: "done", failure: null }],
])("a provider that answers with %s breaks nothing", async (_name, bytes, expected) => {
  const upstream = await startRaw(async (socket, head) => {
    await head;
    if (bytes === null) socket.end();
    else socket.end(bytes);
  });
  const desk = createTestDesk();
  const gateway = await openGateway({ url: upstream.url, desk });
  const answer = await ask(gateway.url, { model: "m" }, { redirect: "manual" });
  await answer.text();
  const [result] = await desk.finished();
  expect({ status: answer.status, end: result?.end, failure: result?.failure }).toEqual(expected);
});

test.each<[string, Buffer]>([
  ["less than its length", Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 40\r\n\r\nhalf")],
  ["a chunk that does not end", Buffer.from("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\nhalf")],
])("a provider that answers with %s is seen to have broken off", async (_name, bytes) => {
  const upstream = await startRaw(async (socket, head) => {
    await head;
    socket.end(bytes);
  });
  const desk = createTestDesk();
  const gateway = await openGateway({ url: upstream.url, desk });
  const answer = await ask(gateway.url);
  await expect(answer.text()).rejects.toThrow();
  expect(await desk.finished()).toMatchObject([{ end: "cut", failure: "cut-by-provider", status: 200 }]);
});

test("an answer that says gzip and is none passes as it is, and counts as cut", async () => {
  const bytes = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nLAST";
  const upstream = await startRaw(answering(bytes));
  const desk = createTestDesk();
  const gateway = await openGateway({ url: upstream.url, desk, format: anthropicMessages, openAnswer: openDecodedAnswer });
  const text = await speakTo(gateway.port, requestText(`${gateway.path}/v1/messages`, good), (heard) => heard.endsWith("LAST"));
  expect(text).toContain("content-encoding: gzip");
  expect(await desk.finished()).toMatchObject([{ end: "cut", failure: "cut-by-provider", usage: null }]);
});

test("a compressed stream passes as it came, and is read from a copy", async () => {
  const events = [
    '{"type":"message_start","message":{"id":"msg_1","model":"m","usage":{"input_tokens":7,"output_tokens":1}}}',
    '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}',
    '{"type":"message_stop"}',
  ];
  const zipped = gzipSync(events.map((data) => `event: ${JSON.parse(data).type}\ndata: ${data}\n\n`).join(""));
  const upstream = await startRaw(async (socket, head) => {
    await head;
    socket.write(
      `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: gzip\r\ncontent-length: ${zipped.length}\r\n\r\n`,
    );
    for (const byte of zipped) socket.write(Buffer.from([byte]));
  });
  const desk = createTestDesk();
  const gateway = await openGateway({ url: upstream.url, desk, format: anthropicMessages, openAnswer: openDecodedAnswer });
  const text = await (await ask(gateway.url, { model: "m", stream: true, messages: [] })).text();
  expect(text).toContain("message_stop");
  expect(await desk.finished()).toMatchObject([{ end: "done", failure: null, messageId: "msg_1", usage: { input: 7, output: 5 } }]);
});

test("a slow head is given up, and a slow body is waited for", async () => {
  const upstream = await startRaw(answering(answered));
  const gateway = await openGateway({ url: upstream.url });
  const slow = connect(gateway.port, "127.0.0.1");
  const text = requestText(`${gateway.path}/v1/messages`, good);
  slow.write(text.slice(0, -1));
  const loris = await speakTo(gateway.port, "POST / HTTP/1.1\r\nx: y");
  expect(loris).toContain(" 408 ");
  slow.write(text.slice(-1));
  const [answer] = (await once(slow, "data")) as [Buffer];
  expect(answer.toString()).toContain(" 200 ");
  slow.destroy();
});

test("free requests pass without a row", async () => {
  const upstream = await startRaw(answering("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfree"));
  const desk = createTestDesk();
  const gateway = await openGateway({ url: upstream.url, desk });
  expect(await (await fetch(`${gateway.url}/v1/models?limit=1`)).text()).toBe("free");
  expect(await (await fetch(`${gateway.url}/v1/free`, { method: "POST", body: "{}" })).text()).toBe("free");
  expect(upstream.heard.join("")).toContain("GET /v1/models?limit=1 HTTP/1.1\r\n");
  expect(desk.calls).toEqual([]);
});

test.each<[string, Upstream["key"], (token: string) => string, string]>([
  [
    "our key takes the place of the token",
    { header: "x-api-key", value: "sk-ours" },
    (token) => `X-Api-Key: ${token}`,
    "X-Api-Key: sk-ours",
  ],
  [
    "and as a bearer",
    { header: "authorization", value: "sk-ours" },
    (token) => `authorization: Bearer ${token}`,
    "authorization: Bearer sk-ours",
  ],
  [
    "also where the agent used the other header",
    { header: "x-api-key", value: "sk-ours" },
    (token) => `Authorization: Bearer ${token}`,
    "x-api-key: sk-ours",
  ],
  [
    "any other credential passes as it is",
    { header: "x-api-key", value: "sk-ours" },
    () => "Authorization: Bearer sign-in",
    "Authorization: Bearer sign-in",
  ],
  ["without a key of ours everything does", null, () => "X-Api-Key: sk-theirs", "X-Api-Key: sk-theirs"],
])("%s", async (_name, key, header, expected) => {
  const upstream = await startRaw(answering(answered));
  const gateway = await openGateway({ url: upstream.url, key });
  await speakTo(gateway.port, requestText(`${gateway.path}/v1/messages`, good, [header(gateway.door.token)]), (heard) =>
    heard.endsWith("LAST"),
  );
  const heard = upstream.heard.join("");
  expect(heard).toContain(`\r\n${expected}\r\n`);
  expect(heard).not.toContain(gateway.door.token);
});

test("the scripted provider sees a path below a base URL that has one", async () => {
  const upstream = await startScripted({ text: "x" });
  const gateway = await openGateway({ url: `${upstream.url}/some/base/` });
  await (await ask(gateway.url)).text();
  expect(upstream.calls.map(({ path }) => path)).toEqual(["/some/base/v1/messages"]);
});
