import { expect, test } from "vitest";
import { ask } from "./gateway-kit.ts";
import { startGateway, startPlain, startTls } from "./gateway-tls-kit.ts";

const streamHead = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

test("a streamed answer comes through TLS byte for byte, and is booked", async () => {
  const upstream = await startTls("here", (socket) => {
    socket.write(streamHead + chunk("data: one \u00e9\n\n"));
    socket.write(`${chunk("data: LAST\n\n")}0\r\n\r\n`);
  });
  const gateway = await startGateway(`https://127.0.0.1:${upstream.port}/base`);
  const answer = await ask(gateway.url, { model: "m", stream: true });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe("data: one \u00e9\n\ndata: LAST\n\n");
  expect(await gateway.nextCall()).toMatchObject({ end: "done", failure: null, status: 200, usage: { output: 1 } });
  const [request = ""] = upstream.heard;
  expect(request).toMatch(/^POST \/base\/v1\/messages HTTP\/1\.1\r\n/);
  expect(request).toMatch(/\r\n\r\n\{"model":"m","stream":true\}$/);
});

test("the second call goes over the connection of the first", async () => {
  const upstream = await startTls("here", (socket) => {
    const answer = "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nLAST";
    socket.write(answer);
    socket.on("data", () => socket.write(answer));
  });
  const gateway = await startGateway(`https://localhost:${upstream.port}`);
  for (let call = 1; call <= 2; call += 1) expect(await (await ask(gateway.url)).text()).toBe("LAST");
  expect(upstream.heard).toHaveLength(1);
});

test.each([
  [
    "a certificate that nobody vouches for",
    { certificate: "here", trusts: false },
    "DEPTH_ZERO_SELF_SIGNED_CERT: its certificate is not trusted; NODE_EXTRA_CA_CERTS=FILE adds an authority that is",
  ],
  ["a certificate that has expired", { certificate: "expired", trusts: true }, "CERT_HAS_EXPIRED: its certificate has expired"],
  [
    "a certificate of another host",
    { certificate: "elsewhere", trusts: true },
    "ERR_TLS_CERT_ALTNAME_INVALID: its certificate is for another host",
  ],
] as const)("nothing is sent to %s, and nothing is charged", async (_name, { certificate, trusts }, detail) => {
  const upstream = await startTls(certificate, (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nLAST"));
  const gateway = await startGateway(`https://127.0.0.1:${upstream.port}`, null, trusts);
  const answer = await ask(gateway.url);
  expect(answer.status).toBe(502);
  expect(await answer.json()).toEqual({ failed: `127.0.0.1:${upstream.port} could not be reached (${detail})` });
  expect(await gateway.nextCall()).toMatchObject({ end: "failed", failure: "unreachable", status: null, usage: null });
  expect(upstream.heard.join("")).toBe("");
});

test.each([
  ["hangs up in the middle of the handshake", (socket: { end(): void }) => socket.end(), "ECONNRESET"],
  ["speaks no TLS", (socket: { end(text: string): void }) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"), "EPROTO"],
])("an upstream that %s was never reached", async (_name, serve, code) => {
  const upstream = await startPlain(serve);
  const gateway = await startGateway(`https://127.0.0.1:${upstream.port}`);
  const answer = await ask(gateway.url);
  expect(await answer.json()).toEqual({ failed: expect.stringContaining(`could not be reached (${code}`) });
  expect(await gateway.nextCall()).toMatchObject({ end: "failed", failure: "unreachable", usage: null });
});

test("one that hangs up before an answer began may have charged it", async () => {
  const upstream = await startTls("here", (socket) => socket.destroy());
  const gateway = await startGateway(`https://127.0.0.1:${upstream.port}`);
  expect(await (await ask(gateway.url)).json()).toEqual({
    failed: `the connection to 127.0.0.1:${upstream.port} was lost before an answer began (ECONNRESET)`,
  });
  expect(await gateway.nextCall()).toMatchObject({ end: "unknown", failure: "lost" });
});

test.each([
  ["in chunks", streamHead + chunk("data: one\n\n")],
  ["that lasts as long as the connection", "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\ndata: one\n\n"],
])("one that hangs up in the middle of an answer %s has cut it", async (_name, begun) => {
  const upstream = await startTls("here", (socket) => socket.write(begun, () => socket.destroy()));
  const gateway = await startGateway(`https://127.0.0.1:${upstream.port}`);
  const answer = await ask(gateway.url);
  expect(answer.status).toBe(200);
  await answer.text().catch(() => "cut");
  expect(await gateway.nextCall()).toMatchObject({ end: "cut", failure: "cut-by-provider", status: 200 });
});
