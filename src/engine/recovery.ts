/** After a death: whatever the last supervisor left open is ended and judged, so that nothing is lost and nothing is done twice. */
import type { ProcessEnd } from "../core/process-end.ts";
import type { RunState } from "../core/run-state.ts";
import { createTranscript } from "../core/transcript.ts";
import { faultPoint } from "../faults.ts";
import type { RunContext } from "./context.ts";
import { type Judgement, judgeWindow } from "./judge.ts";
import { lostMoney } from "./window-money.ts";

/** The open window of a dead supervisor, ended and judged; null when there is none. */
export async function recoverWindow(context: RunContext, state: RunState): Promise<Judgement | null> {
  const { ports, run } = context;
  const window = await ports.store.openWindowOf(run);
  if (window === null) return null;
  faultPoint("recovery.found");
  const ended = await ports.processes.sweep(window.id, window.process);
  faultPoint("recovery.swept");
  await ports.store.ledger.giveUp({ run }, ports.clock.now()); // nobody will hear their answers any more
  const money = await lostMoney(context, window);
  return judgeWindow(context, { window, transcript: createTranscript().read(), end: supervisorDied(ended), money }, state);
}

function supervisorDied(descendantsEnded: number): ProcessEnd {
  return {
    kind: "lost",
    code: null,
    signal: null,
    durationMs: 0,
    descendantsEnded,
    uncontained: [],
    stdoutBytes: 0,
    linesCut: 0,
    stderrTail: "",
  };
}
