/** What came of one attempt of a job, from its process, its answer and its calls. One table; words that a program printed decide nothing. */
import { hideKeys } from "../guard/key-shapes.ts";
import type { CapKind } from "../money/cap.ts";
import type { ProcessEnd } from "../process-end.ts";

/** What the process left as its answer. */
export type LeftAnswer =
  | { readonly kind: "answer"; readonly bytes: Uint8Array }
  | { readonly kind: "none" }
  /** `head`: its beginning, where it is known. */
  | { readonly kind: "too-large"; readonly mostBytes: number; readonly head?: Uint8Array }
  /** A file that cannot be read, or is no regular file. */
  | { readonly kind: "unreadable"; readonly detail: string };

export interface AttemptFacts {
  readonly end: ProcessEnd;
  readonly answer: LeftAnswer;
  /** The first request that we refused. */
  readonly refused: { readonly by: CapKind | "unpriced" | "diverged"; readonly detail: string } | null;
  /** How its last call ended, where that was the provider's trouble; null = it was not. */
  readonly providerTrouble: string | null;
  /** We ended it because a person said stop, or because its lease was lost. */
  readonly wasStopped: boolean;
}

export type AttemptVerdict =
  | { readonly kind: "done"; readonly answer: Uint8Array }
  | { readonly kind: "failed"; readonly reason: string; readonly forGood?: true }
  | { readonly kind: "released"; readonly reason: string }
  /** E10: no attempt of the job, and the slots wait. */
  | { readonly kind: "provider"; readonly reason: string }
  /** The batch cannot go on: a cap that holds for all jobs, a model without a price. */
  | { readonly kind: "halt"; readonly why: "money"; readonly cap: CapKind; readonly reason: string }
  | { readonly kind: "halt"; readonly why: "unpriced"; readonly reason: string };

export function judgeAttempt({ end, answer, refused, providerTrouble, wasStopped }: AttemptFacts): AttemptVerdict {
  const isGood = end.kind === "exited" && end.code === 0;
  // A whole answer is kept whatever else is said: it was paid for.
  if (isGood && answer.kind === "answer") return { kind: "done", answer: answer.bytes };
  if (wasStopped) return { kind: "released", reason: "it was stopped" };
  if (refused !== null) return ofRefusal(refused);
  if (providerTrouble !== null) return { kind: "provider", reason: providerTrouble };
  return { kind: "failed", reason: isGood ? describeAnswer(answer) : describeEnd(end) };
}

function ofRefusal({ by, detail }: NonNullable<AttemptFacts["refused"]>): AttemptVerdict {
  if (by === "unpriced") return { kind: "halt", why: "unpriced", reason: detail };
  if (by === "batch" || by === "day" || by === "month") return { kind: "halt", why: "money", cap: by, reason: detail };
  return { kind: "failed", reason: detail, forGood: true };
}

function describeAnswer(answer: LeftAnswer): string {
  switch (answer.kind) {
    case "too-large":
      return `its answer has more than ${answer.mostBytes} bytes`;
    case "unreadable":
      return `its answer cannot be read: ${answer.detail}`;
    default:
      return "it ended with exit code 0 and gave no answer";
  }
}

function describeEnd(end: ProcessEnd): string {
  const last = lastLine(end.stderrTail);
  const said = last === "" ? "" : `: ${last}`;
  switch (end.kind) {
    case "exited":
      return `exit code ${end.code}${said}`;
    case "not-started":
      return `it could not be started (${end.error ?? "no reason given"})`;
    case "signalled":
      return `it was killed by ${end.signal}${said}`;
    case "ended-by-us":
      return end.cause === "wall-clock" ? `its time ran out after ${Math.round(end.durationMs / 1000)} s` : `it was ended (${end.cause})`;
    case "lost":
      return "its supervisor died";
  }
}

function lastLine(text: string): string {
  return hideKeys((text.trim().split("\n").at(-1) ?? "").trim()).slice(0, 300);
}
