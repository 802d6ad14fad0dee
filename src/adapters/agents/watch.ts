/**
 * Sets a process's clocks by what its stream says.
 *
 *   working   the idle limit
 *   patient   a tool is open, or background work runs (also after a result): silence may last as long as a tool may
 *   leaving   a result was the last word and nothing runs in the background: it may take `lingerMs` to leave
 *
 * Any line may lead from any phase to any other: after a result another turn can begin, when background work ends or a message was queued.
 */
import { type AgentEvent, isWork } from "../../core/agent-event.ts";
import { createTranscript, type TranscriptRecorder } from "../../core/transcript.ts";
import type { WindowSpec } from "../../ports/agent.ts";
import type { ChildProcess } from "../../ports/processes.ts";

type Phase = "working" | "patient" | "leaving";
type Clocks = Pick<ChildProcess, "setIdleLimit" | "expectExitWithin">;

export interface Watch {
  /** Takes in the events of one line, and says whether they are a sign of work. */
  see(events: readonly AgentEvent[], clocks: Clocks): "work" | "heartbeat";
  /** A result was the last word. */
  isLeaving(): boolean;
}

export function createWatch(limits: WindowSpec["limits"]): Watch {
  const transcript = createTranscript();
  let phase: Phase = "working";

  function enter(next: Phase, clocks: Clocks): void {
    if (next === "leaving") {
      clocks.expectExitWithin(limits.lingerMs);
    } else {
      // There is no way to take the word back but to give it as much time as the whole window has.
      if (phase === "leaving") clocks.expectExitWithin(limits.wallMs);
      if (limits.idleMs !== null) clocks.setIdleLimit(next === "patient" ? limits.toolMs : limits.idleMs);
    }
    phase = next;
  }

  return {
    see(events, clocks) {
      for (const event of events) transcript.add(event);
      const next = phaseOf(transcript);
      if (next !== phase) enter(next, clocks);
      return events.some(isWork) ? "work" : "heartbeat";
    },
    isLeaving: () => phase === "leaving",
  };
}

function phaseOf({ settled, openTools, backgroundOpen }: TranscriptRecorder): Phase {
  if (settled && backgroundOpen === 0) return "leaving";
  return openTools + backgroundOpen > 0 ? "patient" : "working";
}
