/**
 * A gateway between real sockets: a desk that writes down what it is asked, upstreams that send any bytes, and a format that is as simple as one can be.
 * What is opened here is closed when the test has finished.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { ProxySettings } from "../../src/core/upstream.ts";
import { createDoors } from "../../src/gateway/door-server.ts";
import type { CallDesk } from "../../src/ports/calls.ts";
import type { OpenedDoor, Upstream } from "../../src/ports/door.ts";
import type { ScriptedProvider, ScriptStep } from "../../src/ports/provider.ts";
import type { OpenRawAnswer, WireFormat } from "../../src/ports/wire-format.ts";
import { startProvider } from "../../src/provider/server.ts";
import { createTestDesk, noTools, openPlain, plainFormat } from "./gateway-desk.ts";

export { createTestDesk } from "./gateway-desk.ts";

export interface GatewayOptions {
  readonly url: string;
  readonly desk?: CallDesk;
  readonly key?: Upstream["key"];
  readonly format?: WireFormat;
  readonly openAnswer?: OpenRawAnswer;
  readonly proxy?: ProxySettings;
}

const noProxy: ProxySettings = { http: null, https: null, none: null };

export interface TestGateway {
  readonly door: OpenedDoor;
  /** Base URL of the one upstream, `up`. */
  readonly url: string;
  readonly port: number;
  /** Of the model route: `/w/<secret>/up`. */
  readonly path: string;
  close(): Promise<void>;
}

export async function openGateway({
  url,
  desk = createTestDesk(),
  key = null,
  format = plainFormat,
  openAnswer = openPlain,
  proxy = noProxy,
}: GatewayOptions): Promise<TestGateway> {
  const doors = createDoors({
    newSecret: () => `secret-${randomUUID()}`,
    models: { upstreams: [{ name: "up", baseUrl: url, format, key }], openAnswer, proxy },
  });
  onTestFinished(() => doors.close());
  const door = await doors.open(noTools, desk);
  const base = new URL(door.modelUrls["up"] ?? "");
  return { door, url: base.href, port: Number(base.port), path: base.pathname, close: () => doors.close() };
}

export interface RawUpstream {
  readonly url: string;
  readonly port: number;
  /** What each connection has sent, in their order. */
  readonly heard: Buffer[];
  /** Connections that are open. */
  readonly sockets: Set<Socket>;
  close(): Promise<void>;
}

export async function startScripted(step: ScriptStep): Promise<ScriptedProvider> {
  const provider = await startProvider({ script: { conversations: [{ steps: [step] }] } });
  onTestFinished(() => provider.close());
  return provider;
}

/** @param serve  called for each connection; `heard` grows as it speaks */
export async function startRaw(serve: (socket: Socket, head: Promise<string>) => unknown): Promise<RawUpstream> {
  const heard: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    const index = heard.push(Buffer.alloc(0)) - 1;
    sockets.add(socket);
    socket.on("error", () => undefined); // a reset is part of the test
    socket.on("close", () => sockets.delete(socket));
    const request = Promise.withResolvers<string>();
    socket.on("data", (chunk: Buffer) => {
      heard[index] = Buffer.concat([heard[index] ?? Buffer.alloc(0), chunk]);
      const text = heard[index].toString("latin1");
      if (isWhole(text)) request.resolve(text);
    });
    void serve(socket, request.promise);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    heard,
    sockets,
    close,
  };
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
  return text.length - end - 4 >= length;
}

/** Sends bytes and gives what came back until the other side hung up, `isEnough`, or we have no more patience. */
export async function speakTo(
  port: number,
  bytes: string | Buffer,
  isEnough: (text: string) => boolean = () => false,
  patienceMs?: number,
): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined); // a reset is an answer too
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    if (isEnough(Buffer.concat(chunks).toString("latin1"))) socket.destroy();
  });
  socket.write(bytes);
  const impatience = patienceMs === undefined ? undefined : setTimeout(() => socket.destroy(), patienceMs);
  await new Promise((resolve) => socket.once("close", resolve));
  clearTimeout(impatience);
  return Buffer.concat(chunks).toString("latin1");
}

export function requestText(path: string, body: string, headers: readonly string[] = []): string {
  const head = [`POST ${path} HTTP/1.1`, "Host: 127.0.0.1:1", "content-type: application/json", ...headers];
  return `${head.join("\r\n")}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

export function ask(url: string, body: object = { model: "m" }, init: RequestInit = {}): Promise<Response> {
  return fetch(`${url}/v1/messages`, { method: "POST", body: JSON.stringify(body), ...init });
}
