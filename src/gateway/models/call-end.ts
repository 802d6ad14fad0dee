/** How a call ended, told from what the wire showed: the table of docs/spec/ledger.md, "States". */
import type { CallFailure, CallResult } from "../../core/money/call.ts";
import type { ReadAnswer } from "../../ports/wire-format.ts";

export type CallTimes = Pick<CallResult, "firstByteMs" | "durationMs">;

const nothingTold = { status: null, usage: null, answeredModel: null, providerRequestId: null, messageId: null, answer: null } as const;

const endsWithoutAnswer = { unreachable: "failed", lost: "unknown", "cut-by-client": "cut" } as const;

/** No answer began. */
export function endWithoutAnswer(failure: keyof typeof endsWithoutAnswer, durationMs: number): CallResult {
  return { ...nothingTold, end: endsWithoutAnswer[failure], failure, firstByteMs: null, durationMs };
}

export interface SeenAnswer {
  readonly status: number;
  readonly read: ReadAnswer;
  /** We stopped reading because the agent hung up. */
  readonly isCancelled: boolean;
  readonly providerRequestId: string | null;
  readonly answer: CallResult["answer"];
}

export function endOfAnswer(seen: SeenAnswer, times: CallTimes): CallResult {
  const { status, read, providerRequestId } = seen;
  const [end, failure] = endAndFailure(seen);
  return {
    end,
    failure,
    status,
    usage: read.usage,
    answeredModel: read.model,
    providerRequestId,
    messageId: read.messageId,
    ...times,
    answer: end === "done" ? seen.answer : null,
  };
}

function endAndFailure({ status, read, isCancelled }: SeenAnswer): readonly [CallResult["end"], CallFailure | null] {
  if (status < 200 || status > 299) return ["failed", read.failure ?? "refused"];
  if (read.whole) return ["done", read.usage === null ? "unreadable" : null];
  return ["cut", read.failure ?? (isCancelled ? "cut-by-client" : "cut-by-provider")];
}
