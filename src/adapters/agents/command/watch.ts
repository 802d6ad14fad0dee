/**
 * Sets a process's clocks by what its stream says.
 *
 *   working            the idle limit; while a tool is open or background work runs, the tool's own
 *     | a result, no background work
 *     v
 *   leaving            it has said its last word and may take `lingerMs` to leave
 *     | a new session line, message or tool call: another turn has begun -> working
 *
 *   waiting            a result came while background work runs: the idle clock ends it when nothing is heard for as long as a tool may take
 *     | the work ends -> leaving        | another turn -> working
 */
import { type AgentEvent, isWork } from "../../../core/agent-event.ts";
import { createTranscript } from "../../../core/transcript.ts";
import type { WindowSpec } from "../../../ports/agent.ts";
import type { ChildProcess } from "../../../ports/processes.ts";

type Clocks = Pick<ChildProcess, "setIdleLimit" | "expectExitWithin">;

export interface Watch {
  /** Takes in the events of one line, and says whether they are a sign of work. */
  see(events: readonly AgentEvent[], clocks: Clocks): "work" | "heartbeat";
}

export function createWatch(limits: WindowSpec["limits"]): Watch {
  const transcript = createTranscript();
  let isLeaving = false;
  let isPatient = false;

  function setClocks(clocks: Clocks): void {
    const mayLeave = transcript.settled && transcript.backgroundOpen === 0;
    // There is no way to take the word back but to give it as much time as the whole window has.
    if (mayLeave !== isLeaving) clocks.expectExitWithin(mayLeave ? limits.lingerMs : limits.wallMs);
    isLeaving = mayLeave;
    const mayBeSilent = transcript.openTools + transcript.backgroundOpen > 0;
    if (mayBeSilent !== isPatient && limits.idleMs !== null) clocks.setIdleLimit(mayBeSilent ? limits.toolMs : limits.idleMs);
    isPatient = mayBeSilent;
  }

  return {
    see(events, clocks) {
      for (const event of events) transcript.add(event);
      setClocks(clocks);
      return events.some(isWork) ? "work" : "heartbeat";
    },
  };
}
