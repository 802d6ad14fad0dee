/**
 * The scripted provider as a server on 127.0.0.1: it listens, and in the end hangs up on everyone. It outlives any request: what is malformed,
 * oversized or cut short is refused as a provider would refuse it, or forgotten.
 */
import { createServer, type Server } from "node:http";
import { MidwatchError } from "../core/error.ts";
import type { ProviderOptions, ScriptedProvider } from "../ports/provider.ts";
import { createAnswerer } from "./answerer.ts";
import { CallLog } from "./call-log.ts";
import { openInvoice } from "./invoice.ts";

/** Throws MidwatchError kind environment when the port or the invoice cannot be had. */
export async function startProvider(options: ProviderOptions): Promise<ScriptedProvider> {
  const log = new CallLog();
  const answer = createAnswerer(options.script, openInvoice(options.invoicePath ?? null), (call) => {
    log.add(call);
    options.onCall?.(call);
  });
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 60_000 }, (request, response) => void answer(request, response));
  server.on("clientError", (_error, socket) => socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n"));
  const port = await listen(server, options.port ?? 0);
  return { url: `http://127.0.0.1:${port}`, port, calls: log.calls, close: () => close(server) };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => reject(portError(port, cause)));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function portError(port: number, cause: Error): MidwatchError {
  const hint = "leave --port away: any free one is taken";
  return new MidwatchError("environment", "E_PORT", `port ${port} on 127.0.0.1 cannot be opened: ${cause.message}`, { hint, cause });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
