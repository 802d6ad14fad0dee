/**
 * Why a window's process ended, from what it told and how it died. One table, read from the top, first match wins; nothing else maps these.
 *
 * Exit codes and `success` prove nothing: agents exit with 0 after errors and say success of a refused request. Words prove nothing either: no text, no tool
 * result and no standard error is searched. What counts are recorded fields, and above them what we did ourselves.
 */
import {
  abandoned,
  type Facts,
  fellSilent,
  hasNotice,
  isCapped,
  isConfigError,
  isLimited,
  lastLine,
  limitedUntil,
  madeNoCall,
  neverBegan,
  openTool,
  ranOut,
  readFacts,
  says,
} from "./exit-facts.ts";
import type { CapKind } from "./money/cap.ts";
import type { ProcessEnd } from "./process-end.ts";
import type { Transcript } from "./transcript.ts";

export type ExitReason =
  /** An exit code other than 0 is worth a line, no more (B019); null = it did not leave by itself. */
  | { readonly kind: "completed"; readonly exitCode: number | null }
  | { readonly kind: "completed-with-denials"; readonly denials: number }
  /** The agent would have shown tool calls, and made none (J2). */
  | { readonly kind: "completed-no-tools" }
  /** A question put by the question tool, or a call that waits for approval. */
  | { readonly kind: "awaiting-human"; readonly question: string }
  /** Background work was running, and was stopped or left. */
  | { readonly kind: "background-abandoned"; readonly tasks: number }
  | { readonly kind: "stopped-by-hook" }
  | { readonly kind: "stop-hook-overridden" }
  /** The agent's own caps. */
  | { readonly kind: "budget" }
  | { readonly kind: "max-turns" }
  | { readonly kind: "context-full" }
  /** Milliseconds since 1970; null = the provider did not say. */
  | { readonly kind: "limited"; readonly until: number | null }
  /** Outage of the provider or of the way to it; `status` null = no HTTP answer. */
  | { readonly kind: "transient"; readonly status: number | null }
  | { readonly kind: "auth"; readonly detail: string }
  | { readonly kind: "billing"; readonly detail: string }
  | { readonly kind: "config"; readonly detail: string }
  | { readonly kind: "refused"; readonly detail: string }
  | { readonly kind: "prompt-blocked"; readonly detail: string }
  | { readonly kind: "output-limit" }
  /** It did not run, or ended before it did anything. `error` = the system's code (`ENOENT`) or the agent's own word; empty when there is none. */
  | { readonly kind: "start-failed"; readonly error: string; readonly detail: string }
  /** A tool call was made past our guard. */
  | { readonly kind: "unguarded" }
  /** Our clocks. `openTool` = what was running when it fell silent; empty when nothing was. */
  | { readonly kind: "idle"; readonly openTool: string }
  /** Silent from the start: often a limit that the agent waits out without a word (B044). */
  | { readonly kind: "no-first-turn" }
  | { readonly kind: "wall-clock"; readonly openTool: string }
  /** Our own decisions. */
  | { readonly kind: "stopped" }
  | { readonly kind: "window-limit" }
  /** The gateway refused a call of its: whatever the agent made of that. `unpriced` = no price is known, so that no cap could hold. */
  | { readonly kind: "capped"; readonly by: CapKind | "unpriced"; readonly detail: string }
  | { readonly kind: "interrupted" }
  | { readonly kind: "killed"; readonly signal: string }
  | { readonly kind: "crashed"; readonly code: number | null; readonly detail: string }
  /** The supervisor died first, so nobody saw the end. */
  | { readonly kind: "lost" }
  | { readonly kind: "no-result" }
  | { readonly kind: "agent-error"; readonly error: string; readonly detail: string };

type Match = (facts: Facts & { readonly refused: Refused | null }) => ExitReason | null;

/** A call that the gateway did not let pass. */
export interface Refused {
  readonly by: CapKind | "unpriced";
  readonly detail: string;
}

/** @param seen  the whole transcript of the process; @param end  how it died; @param refused  the first call of its that the gateway refused */
export function exitReason(seen: Transcript, end: ProcessEnd, refused: Refused | null = null): ExitReason {
  const facts = { ...readFacts(seen, end), refused };
  for (const [, match] of exitTable) {
    const reason = match(facts);
    if (reason !== null) return reason;
  }
  return { kind: "completed", exitCode: end.code }; // a plain program that left with 0
}

export const exitTable: readonly (readonly [when: string, match: Match])[] = [
  // What we did ourselves comes first. Only after a good closing result did our clocks merely end a process that would not leave: then the result counts.
  ["it could not be started", ({ end }) => (end.kind === "not-started" ? startFailed(end.error ?? "", end.stderrTail) : null)],
  ["we stopped it", ({ end }) => (end.cause === "stopped" ? { kind: "stopped" } : null)],
  [
    "it does not take our guard",
    ({ end }) =>
      end.cause === "no-guard"
        ? { kind: "start-failed", error: "no guard", detail: "it does not let our guard judge its tool calls" }
        : null,
  ],
  ["it made a call past our guard", ({ end }) => (end.cause === "unguarded" ? { kind: "unguarded" } : null)],
  [
    "it has none of our tools",
    ({ end }) =>
      end.cause === "no-tools" ? { kind: "start-failed", error: "no tools", detail: "it is not connected to our tools" } : null,
  ],
  ["a cap of ours was in its way", ({ refused }) => (refused === null ? null : { kind: "capped", ...refused })],
  ["we ended the window", ({ end }) => (end.cause === "window-limit" ? { kind: "window-limit" } : null)],
  ["our wall clock ran out", (facts) => (ranOut(facts, "wall-clock") ? { kind: "wall-clock", openTool: openTool(facts.seen) } : null)],
  ["silent while the provider made it wait", (facts) => (fellSilent(facts) ? waitingReason(facts.seen) : null)],
  [
    "silent from the start",
    (facts) => (fellSilent(facts) && facts.seen.structured && !facts.seen.hasTurn ? { kind: "no-first-turn" } : null),
  ],
  ["silent", (facts) => (fellSilent(facts) ? { kind: "idle", openTool: openTool(facts.seen) } : null)],

  // What the closing result and the last request recorded.
  ["it did not start", ({ result, detail }) => (result?.startupFailure === undefined ? null : startFailed(result.startupFailure, detail))],
  ["its own budget is used up", (facts) => (isCapped(facts, "budget_exhausted", "error_max_budget_usd") ? { kind: "budget" } : null)],
  ["its own turns are used up", (facts) => (isCapped(facts, "max_turns", "error_max_turns") ? { kind: "max-turns" } : null)],
  [
    "a call waits for approval",
    ({ result, terminal, seen }) => (terminal === "tool_deferred" || result?.hasDeferredTool ? askAbout(seen) : null),
  ],
  [
    "it asked a person",
    ({ result, seen }) => (result && seen.question !== null ? { kind: "awaiting-human", question: seen.question } : null),
  ],
  [
    "its context is full",
    ({ terminal }) => (terminal === "prompt_too_long" || terminal === "blocking_limit" ? { kind: "context-full" } : null),
  ],
  ["the provider limits it", (facts) => (isLimited(facts) ? { kind: "limited", until: limitedUntil(facts.seen) } : null)],
  ["the account cannot pay", ({ failure, detail }) => (says(failure, [402], ["billing_error"]) ? { kind: "billing", detail } : null)],
  ["the key is not accepted", ({ failure, detail }) => (says(failure, [401, 403], authWords) ? { kind: "auth", detail } : null)],
  ["the model refused", ({ result, detail }) => (result?.stopReason === "refusal" ? { kind: "refused", detail } : null)],
  ["its answer grew too long", ({ failure }) => (says(failure, [], ["max_output_tokens"]) ? { kind: "output-limit" } : null)],
  ["the request is wrong", ({ failure, detail }) => (isConfigError(failure) ? { kind: "config", detail } : null)],
  ["the provider fails", ({ failure }) => (failure?.ofRequest ? { kind: "transient", status: failure.status } : null)],
  ["somebody interrupted it", ({ terminal }) => (terminal.startsWith("aborted_") ? { kind: "interrupted" } : null)],
  [
    "its prompt was blocked",
    (facts) => (neverBegan(facts) && !facts.result?.isError ? { kind: "prompt-blocked", detail: facts.detail } : null),
  ],
  ["it ended before a first turn", (facts) => (neverBegan(facts) ? startFailed(facts.result?.subtype ?? "", facts.detail) : null)],
  [
    "it ended in error",
    ({ result, detail }) => (result?.isError ? { kind: "agent-error", error: result.terminalReason ?? result.subtype, detail } : null),
  ],
  [
    "a stop hook was overruled",
    ({ result, seen }) => (result && hasNotice(seen, "stop-hook-block-cap") ? { kind: "stop-hook-overridden" } : null),
  ],
  ["background work was left", (facts) => (abandoned(facts) > 0 ? { kind: "background-abandoned", tasks: abandoned(facts) } : null)],
  [
    "a hook stopped it",
    ({ terminal }) => (terminal === "hook_stopped" || terminal === "stop_hook_prevented" ? { kind: "stopped-by-hook" } : null),
  ],
  [
    "it completed, calls were denied",
    ({ result, seen }) => (result && seen.denials > 0 ? { kind: "completed-with-denials", denials: seen.denials } : null),
  ],
  [
    "it completed without a call",
    ({ result, seen }) => (result && seen.showsTurns && madeNoCall(seen) ? { kind: "completed-no-tools" } : null),
  ],
  ["it completed", ({ result, end }) => (result ? { kind: "completed", exitCode: end.kind === "exited" ? end.code : null } : null)],

  // No closing result.
  ["the supervisor died", ({ end }) => (end.kind === "lost" ? { kind: "lost" } : null)],
  ["somebody killed it", ({ end }) => (end.kind === "signalled" ? { kind: "killed", signal: end.signal ?? "" } : null)],
  [
    "it failed before a first turn",
    ({ end, seen }) => (end.code !== 0 && seen.structured && !seen.hasTurn ? startFailed("", end.stderrTail) : null),
  ],
  ["it crashed", ({ end }) => (end.code === 0 ? null : { kind: "crashed", code: end.code, detail: lastLine(end.stderrTail) })],
  ["its stream broke off", ({ seen }) => (seen.structured ? { kind: "no-result" } : null)],
];

const authWords = ["authentication_failed", "authentication_error", "permission_error"];

function waitingReason({ waitingFor }: Transcript): ExitReason | null {
  if (waitingFor === null) return null;
  if (waitingFor.kind === "limit") return { kind: "limited", until: waitingFor.resetsAt ?? null };
  return waitingFor.status === 429 ? { kind: "limited", until: null } : { kind: "transient", status: waitingFor.status ?? null };
}

function askAbout({ lastTool }: Transcript): ExitReason {
  return {
    kind: "awaiting-human",
    question: lastTool === null ? "A tool call waits for approval." : `Allow ${lastTool.name}: ${lastTool.summary}?`,
  };
}

function startFailed(error: string, said: string): ExitReason {
  return { kind: "start-failed", error, detail: lastLine(said) };
}

/** What a run needs to know of a reason (A6). */
export type ExitClass =
  /** Ended as it should, or at a cap; what it achieved is judged from outside. */
  | "good"
  /** Like good, but the agent called no tool (J2). */
  | "silent"
  /** Wait, then the same window again; not counted. `limited` may know until when. */
  | "limited"
  | "outage"
  /** Nothing but a person helps: starting again costs and changes nothing. */
  | "needs-person"
  | "failed"
  | "stopped";

const classes: Readonly<Record<ExitReason["kind"], ExitClass>> = {
  completed: "good",
  "completed-with-denials": "good",
  "background-abandoned": "good",
  "stopped-by-hook": "good",
  "stop-hook-overridden": "good",
  budget: "good",
  "max-turns": "good",
  "context-full": "good",
  "window-limit": "good",
  capped: "good",
  "completed-no-tools": "silent",
  limited: "limited",
  transient: "outage",
  auth: "needs-person",
  billing: "needs-person",
  config: "needs-person",
  refused: "needs-person",
  "prompt-blocked": "needs-person",
  "awaiting-human": "needs-person",
  "start-failed": "failed",
  unguarded: "failed",
  idle: "failed",
  "no-first-turn": "failed",
  "wall-clock": "failed",
  interrupted: "failed",
  killed: "failed",
  crashed: "failed",
  lost: "failed",
  "no-result": "failed",
  "output-limit": "failed",
  "agent-error": "failed",
  stopped: "stopped",
};

export function exitClass(reason: ExitReason): ExitClass {
  if (reason.kind === "capped" && reason.by === "unpriced") return "needs-person";
  return classes[reason.kind];
}
