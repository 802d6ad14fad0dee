/**
 * The models behind a door: `/w/<secret>/<upstream>/…` goes to the upstream's base URL. Plain request and response objects, no web streams: what it adds to a call
 * is felt in each. Every refusal and failure is in the words of the upstream's format.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallDesk, OpenCall } from "../../ports/calls.ts";
import type { Upstream } from "../../ports/door.ts";
import type { OpenRawAnswer } from "../../ports/wire-format.ts";
import { endWithoutAnswer } from "./call-end.ts";
import { readCallRequest } from "./call-request.ts";
import { type Caller, createCaller } from "./caller.ts";
import { headerOf } from "./raw-headers.ts";
import { relay } from "./relay.ts";
import { replayAnswer } from "./replay.ts";
import { maxBodyBytes, readBody } from "./request-body.ts";
import { upstreamHead } from "./request-head.ts";
import type { UpstreamClient } from "./upstream-client.ts";

export interface OpenUpstream extends Upstream {
  readonly base: URL;
}

export interface ModelsFace {
  /** @param path  below the upstream, with the query; begins with a slash. Never throws. */
  serve(upstream: OpenUpstream, path: string, request: IncomingMessage, response: ServerResponse): void;
  /** Ends what is on its way as if the agent had hung up; resolves when all of it is booked. */
  close(): Promise<void>;
}

export interface ModelsFaceOptions {
  readonly desk: CallDesk;
  readonly token: string;
  readonly client: UpstreamClient;
  readonly openAnswer: OpenRawAnswer;
  /** See `Relay`. */
  readonly onTheWay: Set<() => void>;
}

interface Exchange {
  readonly upstream: OpenUpstream;
  readonly path: string;
  readonly request: IncomingMessage;
  readonly caller: Caller;
}

export function createModelsFace(options: ModelsFaceOptions): ModelsFace {
  const open = new Map<Caller, Promise<void>>();
  return {
    serve(upstream, path, request, response) {
      const caller = createCaller(request, response);
      const work = exchange(options, { upstream, path, request, caller })
        // What went wrong on our side is reported by the run itself; the agent only learns that it did.
        .catch(() => caller.fail(upstream.format.failure(500, "the harness could not do it")))
        .finally(() => open.delete(caller));
      open.set(caller, work);
    },
    async close() {
      for (const caller of open.keys()) caller.hangUp();
      await Promise.all(open.values());
    },
  };
}

async function exchange(options: ModelsFaceOptions, { upstream, path, request, caller }: Exchange): Promise<void> {
  const { format } = upstream;
  const method = request.method ?? "";
  const [plainPath = ""] = path.split("?", 1);
  const isCall = method === "POST" && format.isCall(plainPath);
  const body = await readBody(request);
  if (body.kind === "half") return caller.cut();
  if (body.kind === "too-large") return caller.answer(format.failure(413, `a request has at most ${maxBodyBytes} bytes`));
  if (!isCall && !format.isFree(method, plainPath)) return caller.answer(format.refusal(unknownPath(upstream, method, plainPath)));
  const pass = (call: OpenCall | null) => forward(options, { upstream, path, request, caller }, { body: body.bytes, call });
  return isCall ? admit(options, { upstream, path, request, caller }, body.bytes, pass) : pass(null);
}

function unknownPath({ name, format }: Upstream, method: string, path: string): string {
  return `${method} ${path.slice(0, 200)} is not known of ${name} (${format.name}): it might be paid, and does not pass`;
}

async function admit(
  { desk }: ModelsFaceOptions,
  { upstream, request, caller }: Exchange,
  body: Buffer,
  pass: (call: OpenCall) => Promise<void>,
): Promise<void> {
  const { format } = upstream;
  const call = await readCallRequest(upstream, {
    ...{ body, encoding: headerOf(request.rawHeaders, "content-encoding"), volatileFields: desk.volatileFields },
    agent: format.agentHeader === null ? null : headerOf(request.rawHeaders, format.agentHeader),
  });
  if (call === null) return caller.answer(format.refusal("the body cannot be read: it must be JSON and name a model"));
  const admission = await desk.begin(call).catch(() => null);
  if (admission === null) return caller.answer(format.failure(503, "the ledger could not be written: the call was not made"));
  switch (admission.kind) {
    case "refuse":
      return caller.answer(format.refusal(admission.message));
    case "replay":
      if (!(await replayAnswer(caller, admission.answer))) admission.undelivered();
      return;
    case "forward":
      // Nobody waits for it any more, and nothing has left.
      return caller.isGone ? admission.call.finish(endWithoutAnswer("unreachable", 0)) : pass(admission.call);
  }
}

/** Any other method is taken to have a body, if an empty one. */
const bodiless: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "OPTIONS"]);

function forward(
  { client, desk, token, openAnswer, onTheWay }: ModelsFaceOptions,
  { upstream, path, request, caller }: Exchange,
  { body, call }: { readonly body: Buffer; readonly call: OpenCall | null },
): Promise<void> {
  const { base } = upstream;
  const hasBody = body.length > 0 || headerOf(request.rawHeaders, "content-length") !== null || !bodiless.has(request.method ?? "");
  const headers = upstreamHead(request.rawHeaders, {
    host: base.host,
    bodyBytes: hasBody ? body.length : null,
    key: upstream.key,
    token,
  });
  return relay({
    client,
    caller,
    request: { base, method: request.method ?? "", path, headers, body: hasBody ? body : null },
    format: upstream.format,
    openAnswer,
    call,
    readsToTheEnd: call !== null && desk.readsToTheEnd,
    onTheWay,
  });
}
