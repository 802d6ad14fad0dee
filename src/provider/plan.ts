/** What will be sent for one step, decided before anything is: which bytes, how fast, and how it ends. */
import type { ProviderRequest, ScriptedFault, ScriptStep } from "../ports/provider.ts";
import { answerFault, errorBody, type HttpAnswer, httpAnswer } from "./http-faults.ts";
import { formatEvent, makeMessage, streamEvents, wholeMessage } from "./message.ts";

export type Plan =
  /** No answer at all. */
  | { readonly kind: "reset" | "hang" }
  | {
      readonly kind: "send";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly chunks: readonly string[];
      readonly firstByteMs: number;
      readonly betweenMs: number;
      /** `cut`: the connection ends; `stall`: it stays and nothing more comes. */
      readonly ending: "end" | "cut" | "stall";
    };

/** @param name  unique, for the ids in the answer; @param now  milliseconds since 1970 */
export function planAnswer(
  step: ScriptStep,
  request: ProviderRequest,
  { name, now }: { readonly name: string; readonly now: number },
): Plan {
  const { fault } = step;
  if (fault === undefined)
    return paced(step, request.stream ? stream(step, request, name) : single(httpAnswer(200, whole(step, request, name))));
  switch (fault.kind) {
    case "reset":
    case "hang":
      return { kind: fault.kind };
    case "stream-error":
    case "cut":
    case "stall": {
      const spoken = step.text === undefined && step.tools === undefined ? { ...step, text: "This sentence breaks off." } : step;
      return paced(step, request.stream ? brokenStream(fault, spoken, request, name) : brokenBody(fault, whole(spoken, request, name)));
    }
    default:
      return paced(step, single(answerFault(fault, request.model, now)));
  }
}

type Content = Plan & { readonly kind: "send" };

function paced(step: ScriptStep, content: Content): Plan {
  const headers = { ...content.headers, ...step.headers };
  return { ...content, headers, firstByteMs: step.firstByteMs ?? 0, betweenMs: step.betweenMs ?? 0 };
}

/** One body, at once. */
export function single({ status, headers, body }: HttpAnswer): Content {
  return {
    kind: "send",
    status,
    headers: { ...headers, "content-length": String(Buffer.byteLength(body)) },
    chunks: [body],
    firstByteMs: 0,
    betweenMs: 0,
    ending: "end",
  };
}

function whole(step: ScriptStep, request: ProviderRequest, name: string): object {
  return wholeMessage(makeMessage(step, request.model, name));
}

function stream(step: ScriptStep, request: ProviderRequest, name: string): Content {
  const headers = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
  const chunks = streamEvents(makeMessage(step, request.model, name));
  return { kind: "send", status: 200, headers, chunks, firstByteMs: 0, betweenMs: 0, ending: "end" };
}

type BreakingFault = Extract<ScriptedFault, { readonly kind: "stream-error" | "cut" | "stall" }>;

const errorEvent = ({ error = "api_error" }: { readonly error?: string }) => ({
  ...errorBody(error, "Internal server error"),
  type: "error",
});

/** As many events as the fault lets through: where it does not say, the start of the message, of its first block and half of that block's content. */
function brokenStream(fault: BreakingFault, step: ScriptStep, request: ProviderRequest, name: string): Content {
  const content = stream(step, request, name);
  const chunks = content.chunks.slice(0, fault.afterEvents ?? 3);
  return fault.kind === "stream-error"
    ? { ...content, chunks: [...chunks, formatEvent(errorEvent(fault))] }
    : { ...content, chunks, ending: fault.kind };
}

/** The same for an answer in one piece: half of it, or the error alone. */
function brokenBody(fault: BreakingFault, body: object): Content {
  if (fault.kind === "stream-error") return single(httpAnswer(500, errorEvent(fault)));
  const content = single(httpAnswer(200, body));
  return { ...content, chunks: content.chunks.map((chunk) => chunk.slice(0, chunk.length / 2)), ending: fault.kind };
}
