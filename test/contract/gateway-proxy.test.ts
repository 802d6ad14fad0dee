/** Every upstream here is `provider.test`, a name that leads nowhere: only the proxy can reach it. */
import { once } from "node:events";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import type { ProxySettings } from "../../src/core/upstream.ts";
import { proxyOptions } from "../../src/gateway/models/proxy.ts";
import { ask, createTestDesk, openGateway, requestText, speakTo, startRaw } from "./gateway-kit.ts";
import { type Listening, startGateway, startPlain, startTls, tunnelTo } from "./gateway-tls-kit.ts";

const none: ProxySettings = { http: null, https: null, none: null };
const answered = "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nLAST";
const proxyAt = ({ port }: Listening, credentials = "") => `http://${credentials}127.0.0.1:${port}`;

test.each([
  ["without a password", "", ""],
  ["with a password", "night:w%40tch@", `proxy-authorization: Basic ${Buffer.from("night:w@tch").toString("base64")}\r\n`],
])("an https upstream is reached through a tunnel %s, and the proxy reads nothing of the call", async (_name, credentials, header) => {
  const upstream = await startTls("here", (socket) => socket.write(answered));
  const proxy = await startPlain(tunnelTo(upstream));
  const gateway = await startGateway("https://provider.test", { ...none, https: proxyAt(proxy, credentials) });
  const answer = await ask(gateway.url, { model: "m" }, { headers: { "x-api-key": "the-key" } });
  expect(await answer.text()).toBe("LAST");
  expect(await gateway.nextCall()).toMatchObject({ end: "done", status: 200, usage: { output: 1 } });
  const [tunnel = ""] = proxy.heard;
  expect(tunnel.startsWith("CONNECT provider.test:443 HTTP/1.1\r\n")).toBe(true);
  expect(tunnel.slice(0, tunnel.indexOf("\r\n\r\n")).includes("roxy-authorization")).toBe(credentials !== "");
  expect(tunnel).toContain(header);
  expect(tunnel).not.toContain("the-key");
  expect(upstream.heard[0]).toContain("x-api-key: the-key\r\n");
  expect(upstream.heard[0]).not.toContain("roxy-authorization");
});

test.each([
  ["without a password", "", null],
  ["with a password", "night:watch@", `Basic ${Buffer.from("night:watch").toString("base64")}`],
])("an http upstream is asked for by its whole address, %s", async (_name, credentials, authorization) => {
  const proxy = await startPlain((socket) => socket.write(answered));
  const desk = createTestDesk();
  const gateway = await openGateway({ url: "http://provider.test:81", desk, proxy: { ...none, http: proxyAt(proxy, credentials) } });
  expect(await (await ask(gateway.url)).text()).toBe("LAST");
  expect(await desk.finished()).toEqual([expect.objectContaining({ end: "done", status: 200 })]);
  const [request = ""] = proxy.heard;
  expect(request.startsWith("POST http://provider.test:81/v1/messages HTTP/1.1\r\n")).toBe(true);
  expect(/\r\nproxy-authorization: (.*)\r\n/i.exec(request)?.[1] ?? null).toBe(authorization);
});

type Serve = (socket: Socket) => unknown;
const wantsPassword = "HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\ncontent-length: 0\r\n\r\n";

test.each<[string, Serve, string]>([
  [
    "wants a password",
    (socket) => socket.end(wantsPassword),
    "ERR_PROXY_TUNNEL: the proxy answered 407: it wants a name and a password, as in HTTPS_PROXY=http://name:password@host:port",
  ],
  [
    "cannot reach it either",
    (socket) => socket.end("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n"),
    "ERR_PROXY_TUNNEL: the proxy answered 502",
  ],
  ["hangs up", (socket) => socket.end(), "Connection to establish proxy tunnel ended unexpectedly"],
  ["breaks off", (socket) => socket.resetAndDestroy(), "ECONNRESET"],
  ["hangs up when the tunnel stands", (socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"), "ECONNRESET"],
])("where the proxy %s nothing was sent and nothing is charged, and no password is told", async (_name, serve, detail) => {
  const proxy = await startPlain(serve);
  const desk = createTestDesk();
  const gateway = await openGateway({ url: "https://provider.test", desk, proxy: { ...none, https: proxyAt(proxy, "night:watch@") } });
  const answer = await ask(gateway.url);
  expect(answer.status).toBe(502);
  const text = await answer.text();
  expect(JSON.parse(text)).toEqual({ failed: `provider.test could not be reached (through the proxy: ${detail})` });
  expect(text).not.toContain("watch");
  expect(await desk.finished()).toEqual([expect.objectContaining({ end: "failed", failure: "unreachable", usage: null })]);
});

test.each(["http", "https"] as const)("where there is no proxy an %s upstream was never reached", async (protocol) => {
  const desk = createTestDesk();
  const proxy = { ...none, [protocol]: "http://127.0.0.1:1" };
  const gateway = await openGateway({ url: `${protocol}://provider.test`, desk, proxy });
  expect(await (await ask(gateway.url)).json()).toEqual({ failed: "provider.test could not be reached (through the proxy: ECONNREFUSED)" });
  expect(await desk.finished()).toEqual([expect.objectContaining({ end: "failed", failure: "unreachable" })]);
});

test("what an http proxy answers itself is an answer like any other", async () => {
  const proxy = await startPlain((socket) => socket.end(wantsPassword));
  const desk = createTestDesk();
  const gateway = await openGateway({ url: "http://provider.test", desk, proxy: { ...none, http: proxyAt(proxy) } });
  const text = await speakTo(gateway.port, requestText(`${gateway.path}/v1/messages`, '{"model":"m"}'), (heard) =>
    heard.includes("\r\n\r\n"),
  );
  expect(text).toMatch(/^HTTP\/1\.1 407 Proxy Authentication Required\r\n/);
  expect(await desk.finished()).toEqual([expect.objectContaining({ end: "failed", failure: "refused", status: 407, usage: null })]);
});

const silences: [string, Serve][] = [
  ["a proxy that never answers", () => undefined],
  ["an upstream behind the tunnel that never shakes hands", (socket) => socket.write("HTTP/1.1 200 OK\r\n\r\n")],
];

test.each(silences)("an agent that hangs up on %s is booked at once, and nothing stays open", async (_name, serve) => {
  const begun = Promise.withResolvers<Socket>();
  const proxy = await startPlain((socket) => {
    serve(socket);
    begun.resolve(socket);
  });
  const desk = createTestDesk();
  const gateway = await openGateway({ url: "https://provider.test", desk, proxy: { ...none, https: proxyAt(proxy) } });
  const agent = new AbortController();
  const asked = ask(gateway.url, { model: "m" }, { signal: agent.signal }).catch(() => "gone");
  const socket = await begun.promise;
  const closed = once(socket, "close");
  agent.abort();
  await asked;
  expect(await desk.finished()).toEqual([expect.objectContaining({ end: "failed", failure: "unreachable" })]);
  await closed;
});

test("what does not connect within 10 s is given up, also behind a proxy", { timeout: 30_000 }, async () => {
  const answers = silences.map(async ([_name, serve]) => {
    const proxy = await startPlain(serve);
    const gateway = await openGateway({ url: "https://provider.test", proxy: { ...none, https: proxyAt(proxy) } });
    return (await ask(gateway.url)).json();
  });
  const failed = "provider.test could not be reached (through the proxy: no connection within 10 s)";
  expect(await Promise.all(answers)).toEqual([{ failed }, { failed }]);
});

test.each(["127.0.0.1", "localhost", "LOCALHOST"])(
  "what runs on this machine (%s) is never asked for through a proxy, nor told its password",
  async (host) => {
    const upstream = await startRaw(async (socket, head) => {
      await head;
      socket.end(answered);
    });
    const proxy = await startPlain((socket) => socket.end());
    const address = proxyAt(proxy, "night:watch@");
    const gateway = await openGateway({
      url: upstream.url.replace("127.0.0.1", host),
      proxy: { http: address, https: address, none: "x.test" },
    });
    expect(await (await ask(gateway.url)).text()).toBe("LAST");
    expect(upstream.heard.join("")).not.toMatch(/proxy/i);
    expect(proxy.heard).toEqual([]);
  },
);

test("nor is another address of it", async () => {
  const proxy = await startPlain((socket) => socket.end());
  const gateway = await openGateway({ url: "http://127.0.0.2:1", proxy: { ...none, http: proxyAt(proxy) } });
  expect(await (await ask(gateway.url)).json()).toEqual({ failed: "127.0.0.2:1 could not be reached (ECONNREFUSED)" });
});

test("a host of NO_PROXY is not asked for through it", async () => {
  const upstream = await startTls("here", (socket) => socket.write(answered));
  const proxy = await startPlain(tunnelTo(upstream));
  const gateway = await startGateway("https://provider.test", { ...none, https: proxyAt(proxy), none: "other.test,.provider.test" });
  expect(await (await ask(gateway.url)).json()).toEqual({ failed: "provider.test could not be reached (ENOTFOUND)" });
  expect(proxy.heard).toEqual([]);
});

test.each([
  ["http://proxy.test:3128", "http://proxy.test:3128"],
  ["proxy.test:3128", "http://proxy.test:3128"],
  ["night:watch@proxy.test:3128", "http://night:watch@proxy.test:3128"],
])("HTTPS_PROXY=%s is %s", (value, HTTPS_PROXY) => {
  expect(proxyOptions({ ...none, https: value })).toEqual({ proxyEnv: expect.objectContaining({ HTTPS_PROXY }) });
});

test.each(["socks5://night:watch@proxy.test:1080", "http://night:watch@", "ftp://proxy.test"])(
  "%s is refused: a request would go past it without a word",
  (value) => {
    expect(() => proxyOptions({ ...none, http: value })).toThrow(
      expect.objectContaining({ kind: "environment", code: "E_PROXY", message: "HTTP_PROXY is no address of an HTTP proxy" }),
    );
  },
);
