/**
 * A call: one request to a model provider, as the ledger keeps it. Written before the request leaves (open), closed once, never taken back.
 * `unknown` and `cut` say that money may have been spent which nobody told us of; they are listed, never counted as nothing.
 */
import type { RunId, TaskKey, WindowId } from "../ids.ts";
import type { ToolResult } from "../tool-results.ts";
import type { Usage } from "./usage.ts";

export const callStates = ["open", "done", "cut", "failed", "unknown"] as const;

/**
 * open: the intent is on disk, the answer is not. done: the whole answer was seen, with its usage. cut: the answer began and did not end, whoever hung up.
 * failed: the provider refused or erred, or was never reached; or a witness settled what was unknown. unknown: we died with the call open, or the connection was lost with no answer begun.
 */
export type CallState = (typeof callStates)[number];

/** A late answer may still close what was given up as unknown: it was paid. So may a witness. Nothing else changes twice. */
export const callMoves: Readonly<Record<CallState, readonly CallState[]>> = {
  open: ["done", "cut", "failed", "unknown"],
  unknown: ["done", "cut", "failed"],
  done: [],
  cut: [],
  failed: [],
};

/**
 * Where a call stands among those of its owner: `key` is `window:<id>` or `batch:job:version`, `seq` the place of the request, from 1, `try` how often this
 * place was asked for, from 1. Unique together.
 */
export interface CallKey {
  readonly key: string;
  readonly seq: number;
  readonly try: number;
}

export type CallOwner =
  | { readonly kind: "window"; readonly run: RunId; readonly window: WindowId; readonly task: TaskKey | null }
  | {
      readonly kind: "job";
      readonly batch: string;
      /** `batch:job:version`. */
      readonly job: string;
      readonly attempt: number;
      /** Null = nobody else can hold this job. */
      readonly fence: number | null;
      /** How often a person has had this job asked anew; only calls of one round are served again. */
      readonly round: number;
    };

/** What the gateway can tell of a request before it leaves. */
export interface CallRequest {
  /** Name of the upstream in the settings: `anthropic`, `openai`. */
  readonly provider: string;
  /** `anthropic-messages`, `openai-chat`. */
  readonly format: string;
  readonly model: string;
  readonly stream: boolean;
  readonly bodyBytes: number;
  /** The most tokens the answer may have; null = the request does not say. */
  readonly maxOutputTokens: number | null;
  /** How many answers are asked for at once (`n`); nearly always 1. */
  readonly answers: number;
  /** Whether it asks for parts of it to be cached, which is dearer than plain input. */
  readonly writesCache: boolean;
  /** SHA-256 of the body, declared volatile fields left out. Hex. */
  readonly hash: string;
  /** Same for requests of one conversation: a hash of its system text and first message; tells a subagent from the main conversation. */
  readonly conversation: string;
  /** The wire says that a subagent asks. Absent = it does not say who does. */
  readonly isSubagent?: true;
  /** Results of tool calls that it carries for the first time and that are no errors; absent = none, or the wire does not tell. */
  readonly toolResults?: readonly ToolResult[];
}

/** Why a call has no whole answer, in one word; free text goes to the log, not here. */
export type CallFailure =
  | "unreachable" // no connection: it never left
  | "refused" // 4xx
  | "limited" // 429
  | "overloaded" // 503, 529
  | "server-error" // other 5xx: may have been charged
  | "lost" // the connection broke before an answer began: may have been charged
  | "cut-by-provider"
  | "cut-by-client"
  | "error-in-stream"
  | "unreadable" // a whole answer in which no usage could be read
  | "died"; // we did

/** How a call ended. */
export interface CallResult {
  readonly end: "done" | "cut" | "failed" | "unknown";
  readonly failure: CallFailure | null;
  /** Null = no answer began. */
  readonly status: number | null;
  /** What the wire told, also of an answer that was cut; null = nothing. */
  readonly usage: Usage | null;
  readonly answeredModel: string | null;
  /** The provider's id of the request (header) and of the answer (body): what an invoice names. */
  readonly providerRequestId: string | null;
  readonly messageId: string | null;
  /** From sending to the first byte of the answer / to its end. */
  readonly firstByteMs: number | null;
  readonly durationMs: number;
  /** Kept of jobs only, for replay. */
  readonly answer: RecordedAnswer | null;
}

/** An answer as it came over the wire, compression included. */
export interface RecordedAnswer {
  readonly status: number;
  /** Names and values in their order, hop-by-hop ones left out. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}

/** Its answer never came, and a witness told afterwards what it cost, or that it was never charged. A death alone leaves a call unknown. */
export function isSettled({ state, failure }: { readonly state: CallState; readonly failure: CallFailure | null }): boolean {
  return state === "failed" && failure === "died";
}

/** Whether money may have been spent that the row does not tell. */
export function mayHaveBeenCharged(state: CallState, failure: CallFailure | null): boolean {
  if (state === "open" || state === "unknown" || state === "cut") return true;
  return failure === "server-error" || failure === "lost" || failure === "unreadable" || failure === "error-in-stream";
}

/** The same of a call as it is listed. */
export function mayCostMore({
  state,
  result,
}: {
  readonly state: CallState;
  readonly result: Pick<CallResult, "failure"> | null;
}): boolean {
  return mayHaveBeenCharged(state, result?.failure ?? null);
}
