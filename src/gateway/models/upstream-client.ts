/**
 * Sends requests to providers. Node's own client: it writes raw headers as they are and keeps connections. There is no time-out but for connecting, since an
 * answer may take twenty minutes and agents have their own. No request is sent twice, with one exception: a kept connection that had ended before any byte was put on it.
 */
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Duplex } from "node:stream";
import type { ProxySettings } from "../../core/upstream.ts";
import { describeTrouble } from "./connection-trouble.ts";
import { proxyCredentials, proxyOptions, type Telling, TellingAgent } from "./proxy.ts";
import { watchWire } from "./wire.ts";

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
  const agents = { http: new HttpAgent(options), https: new TellingAgent(options) };
  const credentials = new Map<string, readonly string[]>();
  const credentialsOf = (where: { readonly host: string; readonly port: number }) => {
    const known = credentials.get(`${where.host}:${where.port}`) ?? proxyCredentials(options, where);
    credentials.set(`${where.host}:${where.port}`, known);
    return known;
  };
  const open: Open = ({ base, method, path, headers }, onOpening) => {
    const isHttps = base.protocol === "https:";
    const where = { host: base.hostname.replace(/^\[|\]$/g, ""), port: base.port === "" ? (isHttps ? 443 : 80) : Number(base.port) };
    const options: RequestOptions & Telling = {
      ...where,
      agent: isHttps ? agents.https : agents.http,
      method,
      path: base.pathname.replace(/\/$/, "") + path,
      headers: isHttps || proxy.http === null ? headers : [...headers, ...credentialsOf(where)],
      maxHeaderSize: maxHeadBytes,
      onOpening,
    };
    return (isHttps ? requestHttps : requestHttp)(options);
  };
  return {
    send: (request) => startSending(request, open),
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** @param onOpening  told of a connection through TLS as soon as it is begun */
type Open = (request: UpstreamRequest, onOpening: (connection: Duplex) => void) => ClientRequest;

function startSending(request: UpstreamRequest, open: Open): Sending {
  // No AbortController: making one and listening to it is felt in each call.
  const cancel: Cancel = { isCancelled: false, giveUp: () => undefined };
  async function run(): Promise<Sent> {
    const first = await tryOnce(request, open, cancel);
    return first.kind === "stale" && !cancel.isCancelled ? asSent(await tryOnce(request, open, cancel)) : asSent(first);
  }
  return {
    sent: run(),
    cancel() {
      cancel.isCancelled = true;
      cancel.giveUp();
    },
  };
}

interface Cancel {
  isCancelled: boolean;
  /** Ends the attempt that is under way. */
  giveUp: () => void;
}

/** `stale`: a kept connection had ended before we wrote to it. */
type Attempt = Sent | { readonly kind: "stale" };

function asSent(attempt: Attempt): Sent {
  return attempt.kind === "stale" ? { kind: "unreachable", detail: "the connection had ended" } : attempt;
}

function tryOnce(request: UpstreamRequest, open: Open, cancel: Cancel): Promise<Attempt> {
  return new Promise((resolve) => {
    let opening: Duplex | null = null;
    let tooLate: NodeJS.Timeout | undefined;
    const waitForConnection = () => {
      tooLate ??= setTimeout(() => giveUp(new Error(`no connection within ${connectMs / 1000} s`)), connectMs);
    };
    let outgoing: ClientRequest;
    try {
      outgoing = open(request, (connection) => {
        opening = connection;
        waitForConnection();
      });
    } catch (error) {
      return resolve({ kind: "unreachable", detail: describeTrouble(error) }); // a header or path that cannot be sent
    }
    const wire = watchWire(outgoing, { connecting: waitForConnection, connected: () => clearTimeout(tooLate) });
    const fail = (trouble: string) => {
      const isProxied = !outgoing.path.startsWith("/") || (opening !== null && !wire.hasSocket());
      const detail = isProxied ? `through the proxy: ${trouble}` : trouble;
      resolve(wire.hasBytes() ? { kind: "lost", detail } : wire.isStale() ? { kind: "stale" } : { kind: "unreachable", detail });
    };
    const giveUp = (error?: Error) => {
      clearTimeout(tooLate);
      outgoing.destroy(error);
      // A request that has no connection yet hears of its end only when it gets one.
      if (wire.hasSocket()) return;
      opening?.destroy();
      fail(error?.message ?? "given up");
    };
    cancel.giveUp = () => giveUp();
    outgoing.once("response", (answer) => resolve({ kind: "answer", answer }));
    outgoing.on("error", (error) => fail(describeTrouble(error)));
    outgoing.once("close", () => {
      clearTimeout(tooLate);
      fail("the connection ended");
    });
    outgoing.end(request.body ?? undefined);
  });
}
