/** A child that never was: the same face, nothing behind it, and an end that says why. */
import type { ProcessEnd } from "../../core/process-end.ts";
import type { ChildProcess } from "../../ports/processes.ts";

export function createUnstartedChild(error: string | Promise<string>): ChildProcess {
  return {
    identity: null,
    end: Promise.resolve(error).then(describe),
    stop() {},
    expectExitWithin() {},
    setIdleLimit() {},
    write() {},
    closeInput() {},
  };
}

function describe(error: string): ProcessEnd {
  const nothing = { durationMs: 0, descendantsEnded: 0, uncontained: [], stdoutBytes: 0, linesCut: 0, stderrTail: "" };
  return { kind: "not-started", code: null, signal: null, error, ...nothing };
}
