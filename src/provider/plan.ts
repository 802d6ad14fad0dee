/** What will be sent for one step, decided before anything is: which bytes, how fast, and how it ends. */
import type { ScriptedFault } from "../ports/provider.ts";
import type { Dialect, Saying } from "./dialect.ts";
import { type HttpAnswer, httpAnswer } from "./http-answer.ts";
import type { Encoding } from "./packing.ts";

export type Plan =
  /** No answer at all. */
  | { readonly kind: "reset" | "hang" }
  | {
      readonly kind: "send";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly chunks: readonly string[];
      readonly encoding: Encoding | null;
      readonly firstByteMs: number;
      readonly betweenMs: number;
      /** `cut`: the connection ends; `stall`: it stays and nothing more comes. */
      readonly ending: "end" | "cut" | "stall";
    };

type Content = Plan & { readonly kind: "send" };

export function planAnswer(saying: Saying, dialect: Dialect): Plan {
  const { fault } = saying.step;
  if (fault === undefined)
    return paced(saying, saying.request.stream ? stream(saying, dialect) : single(httpAnswer(200, dialect.whole(saying))));
  switch (fault.kind) {
    case "reset":
    case "hang":
      return { kind: fault.kind };
    case "stream-error":
    case "cut":
    case "stall": {
      const spoken = withWords(saying);
      return paced(saying, saying.request.stream ? brokenStream(fault, spoken, dialect) : brokenBody(fault, spoken, dialect));
    }
    default:
      return paced(saying, single(answerFault(fault, saying, dialect)));
  }
}

function withWords(saying: Saying): Saying {
  const { step } = saying;
  return step.text === undefined && step.tools === undefined ? { ...saying, step: { ...step, text: "This sentence breaks off." } } : saying;
}

function paced({ step }: Saying, content: Content): Plan {
  const headers = { ...content.headers, ...step.headers };
  const pace = { firstByteMs: step.firstByteMs ?? 0, betweenMs: step.betweenMs ?? 0 };
  if (step.encoding === undefined) return { ...content, headers, ...pace };
  const { "content-length": _plainLength, ...others } = headers;
  return { ...content, headers: { ...others, "content-encoding": step.encoding }, encoding: step.encoding, ...pace };
}

/** One body, at once. */
export function single({ status, headers, body }: HttpAnswer): Content {
  return {
    kind: "send",
    status,
    headers: { ...headers, "content-length": String(Buffer.byteLength(body)) },
    chunks: [body],
    encoding: null,
    firstByteMs: 0,
    betweenMs: 0,
    ending: "end",
  };
}

function stream(saying: Saying, dialect: Dialect): Content {
  const headers = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
  const chunks = dialect.events(saying);
  return { kind: "send", status: 200, headers, chunks, encoding: null, firstByteMs: 0, betweenMs: 0, ending: "end" };
}

type BreakingFault = Extract<ScriptedFault, { readonly kind: "stream-error" | "cut" | "stall" }>;

/** As many events as the fault lets through: where it does not say, up to half of the first words. */
function brokenStream(fault: BreakingFault, saying: Saying, dialect: Dialect): Content {
  const content = stream(saying, dialect);
  const chunks = content.chunks.slice(0, fault.afterEvents ?? dialect.untilHalf(saying.step));
  return fault.kind === "stream-error"
    ? { ...content, chunks: [...chunks, dialect.errorEvent(fault.error ?? null)] }
    : { ...content, chunks, ending: fault.kind };
}

/** The same for an answer in one piece: half of it, or the error alone. */
function brokenBody(fault: BreakingFault, saying: Saying, dialect: Dialect): Content {
  if (fault.kind === "stream-error") return single(httpAnswer(500, dialect.error(fault.error ?? "api_error", "Internal server error")));
  const content = single(httpAnswer(200, dialect.whole(saying)));
  return { ...content, chunks: content.chunks.map((chunk) => chunk.slice(0, chunk.length / 2)), ending: fault.kind };
}

type HttpFault = Exclude<ScriptedFault, BreakingFault | { readonly kind: "reset" | "hang" }>;

/** An error that a provider answers with. */
function answerFault(fault: HttpFault, { request, now }: Saying, dialect: Dialect): HttpAnswer {
  switch (fault.kind) {
    case "http":
      return httpAnswer(fault.status, fault.body ?? dialect.error("api_error", "scripted"), fault.headers);
    case "rate-limited":
      return dialect.rateLimited(fault.retryAfterMs ?? 1000);
    case "usage-limit":
      return dialect.usageLimit(Math.ceil((now + (fault.resetsInMs ?? 3_600_000)) / 1000));
    default:
      return dialect.faults[fault.kind](request.model);
  }
}
