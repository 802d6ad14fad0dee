/**
 * One HTTP request with an agent of its own. Node's fetch and its global agents go through a proxy where the environment names one
 * (NODE_USE_ENV_PROXY), and cannot be told otherwise for loopback without a package more; these never do.
 */
import { type ClientRequest, type IncomingMessage, Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import { createServer } from "node:net";
import type { HttpAnswer } from "../../core/criteria/criterion.ts";
import type { Web, WebEnd, WebRequest } from "../../ports/web.ts";

export function createWeb(): Web {
  return { freePort, ask };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

function ask(wish: WebRequest): Promise<WebEnd> {
  return new Promise((resolve) => {
    let request: ClientRequest;
    const end = (value: WebEnd) => {
      resolve(value);
      request?.destroy();
    };
    try {
      request = open(wish);
    } catch (error) {
      return resolve({ kind: "failed", detail: describe(error) }); // no address that a request can be made of
    }
    request.once("response", (message) => void takeAnswer(message, wish.maxBytes).then(end));
    request.once("error", (error) => end(wish.signal.aborted ? { kind: "aborted" } : endOf(error)));
    request.end();
  });
}

function open({ method, url, signal }: WebRequest): ClientRequest {
  const common = { method, signal, headers: { accept: "*/*", "accept-encoding": "identity", "user-agent": "midwatch" } };
  return url.toLowerCase().startsWith("https:")
    ? secureRequest(url, { ...common, agent: new SecureAgent({ keepAlive: false }) })
    : plainRequest(url, { ...common, agent: new PlainAgent({ keepAlive: false }) });
}

async function takeAnswer(message: IncomingMessage, maxBytes: number): Promise<WebEnd> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxBytes) break;
    }
  } catch (error) {
    return endOf(error);
  }
  const headers = Object.entries(message.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]);
  const answer: HttpAnswer = {
    status: message.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).subarray(0, maxBytes).toString("utf8"),
    isCut: size > maxBytes,
  };
  return { kind: "answer", answer };
}

const passing = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ECONNABORTED"]);

function endOf(error: unknown): WebEnd {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ABORT_ERR") return { kind: "aborted" };
  return { kind: passing.has(code) ? "not-yet" : "failed", detail: describe(error) };
}

function describe(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 300);
}
