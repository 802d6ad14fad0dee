/** What an exit reason means for the run, with the sentence that people read. One place that maps. */
import { assertNever } from "./error.ts";
import { type ExitReason, exitClass } from "./exit-reason.ts";
import type { WindowEnd } from "./outcome.ts";

export function windowEnd(exit: ExitReason): WindowEnd {
  const detail = describeExit(exit);
  const kind = exitClass(exit);
  switch (kind) {
    case "good":
    case "silent":
      return { kind: "good", detail };
    case "limited":
      return { kind: "limited", detail, untilAt: exit.kind === "limited" ? exit.until : null };
    case "outage":
      return { kind: "outage", detail };
    case "needs-person":
      return { kind: "needs-person", detail };
    case "failed":
    case "stopped":
      return { kind: "failed", detail };
    default:
      return assertNever(kind);
  }
}

/** One line. */
export function describeExit(exit: ExitReason): string {
  switch (exit.kind) {
    case "completed":
      return exit.exitCode === null || exit.exitCode === 0 ? "completed" : `completed, with exit code ${exit.exitCode}`;
    case "completed-with-denials":
      return `completed; ${exit.denials} of its actions were denied`;
    case "completed-no-tools":
      return "it talked and called no tool";
    case "awaiting-human":
      return exit.question;
    case "background-abandoned":
      return `it ended with ${exit.tasks} background tasks still at work`;
    case "stopped-by-hook":
      return "a hook ended it";
    case "stop-hook-overridden":
      return "its stop hook was overruled";
    case "budget":
      return "its spending cap is reached";
    case "capped":
      return exit.detail;
    case "max-turns":
      return "its cap on turns is reached";
    case "context-full":
      return "its context is full";
    case "window-limit":
      return "we ended it: its context was full";
    case "limited":
      return "the provider's limit is reached";
    case "transient":
      return `the provider fails${exit.status === null ? "" : ` (${exit.status})`}`;
    case "auth":
      return withDetail("The provider does not accept the sign-in or key. Sign in again, then go on", exit.detail);
    case "billing":
      return withDetail("The provider's account cannot pay. Top it up, then go on", exit.detail);
    case "config":
      return withDetail("The provider calls the request wrong: model, plan or settings. Mend it, then go on", exit.detail);
    case "refused":
      return withDetail("The model refused the work. Look at the task, then go on", exit.detail);
    case "prompt-blocked":
      return withDetail("A hook blocked the prompt. Look at the hook, then go on", exit.detail);
    case "output-limit":
      return "its answer grew too long and was cut";
    case "start-failed":
      return withDetail(`it did not start${exit.error === "" ? "" : ` (${exit.error})`}`, exit.detail);
    case "unguarded":
      return "it made a tool call past our guard, and was ended";
    case "idle":
      return exit.openTool === "" ? "it fell silent and was ended" : `it fell silent in ${exit.openTool} and was ended`;
    case "no-first-turn":
      return "it stayed silent from the start and was ended";
    case "wall-clock":
      return exit.openTool === "" ? "its time ran out" : `its time ran out in ${exit.openTool}`;
    case "stopped":
      return "a person stopped it";
    case "interrupted":
      return "it was interrupted";
    case "killed":
      return `it was killed by ${exit.signal}`;
    case "crashed":
      return withDetail(`it crashed${exit.code === null ? "" : ` with exit code ${exit.code}`}`, exit.detail);
    case "no-result":
      return "its stream broke off without a result";
    case "agent-error":
      return withDetail(`it ended in error${exit.error === "" ? "" : ` (${exit.error})`}`, exit.detail);
    case "lost":
      return "its supervisor died";
    default:
      return assertNever(exit);
  }
}

function withDetail(text: string, detail: string): string {
  return detail === "" ? text : `${text}: ${detail}`;
}
