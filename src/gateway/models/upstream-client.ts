/**
 * Sends requests to providers. Node's own client: it writes raw headers as they are and keeps connections. There is no time-out but for connecting, since an
 * answer may take twenty minutes and agents have their own. No request is sent twice, with one exception: a kept connection that had ended before any byte was put on it.
 */
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { ProxySettings } from "../../core/upstream.ts";
import { proxyOptions } from "./proxy.ts";

const connectMs = 10_000;
/** Providers and what stands before them close idle connections after a minute or more. */
const idleMs = 30_000;
export const maxHeadBytes = 128 * 1024;

export interface UpstreamRequest {
  readonly base: URL;
  readonly method: string;
  /** With the query, as it came; begins with a slash, below the base. */
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: Uint8Array | null;
}

export type Sent =
  | { readonly kind: "answer"; readonly answer: IncomingMessage }
  /** It is certain that nothing was sent. */
  | { readonly kind: "unreachable"; readonly detail: string }
  | { readonly kind: "lost"; readonly detail: string };

export interface Sending {
  /** Never rejects. */
  readonly sent: Promise<Sent>;
  /** Ends the connection; may be called at any time. */
  cancel(): void;
}

export interface UpstreamClient {
  send(request: UpstreamRequest): Sending;
  close(): void;
}

export function createUpstreamClient(proxy: ProxySettings): UpstreamClient {
  const options = { keepAlive: true, timeout: idleMs, ...proxyOptions(proxy) };
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };
  const open = ({ base, method, path, headers }: UpstreamRequest): ClientRequest => {
    const isHttps = base.protocol === "https:";
    return (isHttps ? requestHttps : requestHttp)({
      agent: isHttps ? agents.https : agents.http,
      host: base.hostname.replace(/^\[|\]$/g, ""),
      port: base.port === "" ? (isHttps ? 443 : 80) : Number(base.port),
      method,
      path: base.pathname.replace(/\/$/, "") + path,
      headers,
      maxHeaderSize: maxHeadBytes,
    });
  };
  return {
    send: (request) => startSending(request, open),
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function startSending(request: UpstreamRequest, open: (request: UpstreamRequest) => ClientRequest): Sending {
  let outgoing: ClientRequest | null = null;
  let isCancelled = false;
  const attempt = () =>
    tryOnce(() => {
      outgoing = open(request);
      return outgoing;
    }, request.body);
  async function run(): Promise<Sent> {
    const first = await attempt();
    return first.kind === "stale" && !isCancelled ? asSent(await attempt()) : asSent(first);
  }
  return {
    sent: run(),
    cancel() {
      isCancelled = true;
      outgoing?.destroy();
    },
  };
}

/** `stale`: a kept connection had ended before we wrote to it. */
type Attempt = Sent | { readonly kind: "stale" };

function asSent(attempt: Attempt): Sent {
  return attempt.kind === "stale" ? { kind: "unreachable", detail: "the connection had ended" } : attempt;
}

function tryOnce(open: () => ClientRequest, body: Uint8Array | null): Promise<Attempt> {
  return new Promise((resolve) => {
    let outgoing: ClientRequest;
    try {
      outgoing = open();
    } catch (error) {
      return resolve({ kind: "unreachable", detail: textOf(error) }); // a header or path that cannot be sent
    }
    const wire = watchWire(outgoing);
    const fail = (detail: string) =>
      resolve(wire.hasBytes() ? { kind: "lost", detail } : wire.isStale() ? { kind: "stale" } : { kind: "unreachable", detail });
    outgoing.once("response", (answer) => resolve({ kind: "answer", answer }));
    outgoing.on("error", (error) => fail(textOf(error)));
    outgoing.once("close", () => fail("the connection ended"));
    outgoing.end(body ?? undefined);
  });
}

interface Wire {
  /** Something of the request may have left. */
  hasBytes(): boolean;
  /** It was to go over a kept connection. */
  isStale(): boolean;
}

function watchWire(outgoing: ClientRequest): Wire {
  let socket: Socket | null = null;
  let isConnected = false;
  let bytesBefore = 0;
  outgoing.once("socket", (given: Socket) => {
    socket = given;
    // Before the request is put on it: what is asked for and sent are two turns of the loop.
    bytesBefore = given.bytesWritten;
    isConnected = outgoing.reusedSocket || !isConnecting(given);
    if (isConnected) return;
    const tooLate = setTimeout(() => outgoing.destroy(new Error(`no connection within ${connectMs / 1000} s`)), connectMs);
    // Through TLS a request leaves after the handshake.
    given.once(given instanceof TLSSocket ? "secureConnect" : "connect", () => {
      isConnected = true;
      clearTimeout(tooLate);
    });
    outgoing.once("close", () => clearTimeout(tooLate));
  });
  return {
    hasBytes: () => isConnected && !(outgoing.reusedSocket && socket?.bytesWritten === bytesBefore),
    isStale: () => outgoing.reusedSocket,
  };
}

function isConnecting(socket: Socket): boolean {
  return socket.connecting || (socket instanceof TLSSocket && "secureConnecting" in socket && socket.secureConnecting === true);
}

function textOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return code ?? message ?? "unknown";
}
