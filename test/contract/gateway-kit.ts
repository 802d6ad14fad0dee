/**
 * A gateway between real sockets: a desk that writes down what it is asked, upstreams that send any bytes, and a format that is as simple as one can be.
 * What is opened here is closed when the test has finished.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { CallRequest, CallResult } from "../../src/core/money/call.ts";
import { noUsage } from "../../src/core/money/usage.ts";
import { createDoors } from "../../src/gateway/door-server.ts";
import type { Admission, CallDesk } from "../../src/ports/calls.ts";
import type { OpenedDoor, Upstream, WindowDoor } from "../../src/ports/door.ts";
import type { ScriptedProvider, ScriptStep } from "../../src/ports/provider.ts";
import type { OpenRawAnswer, WireFormat } from "../../src/ports/wire-format.ts";
import { startProvider } from "../../src/provider/server.ts";

export interface Booked {
  readonly request: CallRequest;
  /** More than one is a mistake. */
  readonly results: CallResult[];
}

export interface TestDesk extends CallDesk {
  readonly calls: Booked[];
  /** Resolves when so many calls are finished. */
  finished(count?: number): Promise<readonly CallResult[]>;
}

export interface DeskOptions {
  readonly keepsAnswers?: boolean;
  readonly decide?: (request: CallRequest) => Exclude<Admission, { kind: "forward" }> | null | Promise<null>;
  /** Before a row is closed. */
  readonly beforeFinish?: () => Promise<void>;
}

export function createTestDesk({ keepsAnswers = false, decide = () => null, beforeFinish }: DeskOptions = {}): TestDesk {
  const calls: Booked[] = [];
  let told = Promise.withResolvers<void>();
  const results = () => calls.flatMap((call) => call.results);
  return {
    calls,
    readsToTheEnd: keepsAnswers,
    volatileFields: [],
    async begin(request) {
      const decided = await decide(request);
      if (decided !== null) return decided;
      const booked: Booked = { request, results: [] };
      calls.push(booked);
      const finish = async (result: CallResult) => {
        await beforeFinish?.();
        booked.results.push(result);
        told.resolve();
        told = Promise.withResolvers();
      };
      return { kind: "forward", call: { id: String(calls.length), keepsAnswer: keepsAnswers, finish, undelivered: () => undefined } };
    },
    async finished(count = 1) {
      while (results().length < count) await told.promise;
      return results();
    },
  };
}

/** `POST /v1/messages` is a call; an answer is over where it says `LAST`, and charged one token for each byte before; an event of type error breaks it off. */
export const plainFormat: WireFormat = {
  name: "plain",
  agentHeader: null,
  isCall: (path) => path === "/v1/messages",
  isFree: (method, path) => (method !== "POST" && path === "/v1/models") || path === "/v1/free",
  readRequest(body) {
    try {
      const read = JSON.parse(Buffer.from(body).toString("utf8")) as { model?: string; stream?: boolean };
      if (typeof read.model !== "string") return null;
      return { model: read.model, stream: read.stream === true, maxOutputTokens: null, answers: 1, writesCache: false, conversation: "c" };
    } catch {
      return null; // not JSON
    }
  },
  openAnswer(status) {
    let text = "";
    const isWhole = () => text.includes("LAST") || text.includes("message_stop");
    return {
      feed(bytes) {
        text = (text + Buffer.from(bytes).toString("latin1")).slice(-10_000);
      },
      get isComplete() {
        return isWhole();
      },
      end: () => ({
        whole: status < 300 && isWhole(),
        usage: isWhole() ? { ...noUsage, output: 1 } : null,
        model: null,
        messageId: null,
        failure: status < 300 ? (text.includes("event: error") ? "error-in-stream" : null) : status >= 500 ? "server-error" : "refused",
      }),
    };
  },
  refusal: (message) => ({
    status: 400,
    headers: [
      ["content-type", "application/json"],
      ["x-should-retry", "false"],
    ],
    body: JSON.stringify({ refused: message }),
  }),
  failure: (status, message) => ({ status, headers: [["content-type", "application/json"]], body: JSON.stringify({ failed: message }) }),
};

const openPlain: OpenRawAnswer = (format, status) => {
  const reader = format.openAnswer(status, "");
  return {
    feed(bytes) {
      reader.feed(bytes);
      return undefined;
    },
    get isComplete() {
      return reader.isComplete;
    },
    end: async (endedWell) => reader.end(endedWell),
  };
};

const nobody = async (): Promise<never> => {
  throw new Error("no tool is used here");
};
export const noTools: WindowDoor = { tasks: nobody, claim: nobody, ask: nobody, note: nobody, budget: nobody, handoff: nobody };

export interface GatewayOptions {
  readonly url: string;
  readonly desk?: CallDesk;
  readonly key?: Upstream["key"];
  readonly format?: WireFormat;
  readonly openAnswer?: OpenRawAnswer;
}

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
}: GatewayOptions): Promise<TestGateway> {
  const doors = createDoors({
    newSecret: () => `secret-${randomUUID()}`,
    models: { upstreams: [{ name: "up", baseUrl: url, format, key }], openAnswer, proxy: { http: null, https: null, none: null } },
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
