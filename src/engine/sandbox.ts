/** Whether a run was sandboxed: refused where it is insisted on, recorded each time a process takes the run up, and read again for people. */
import { MidwatchError } from "../core/error.ts";
import type { RunId } from "../core/ids.ts";
import type { RunSettings } from "../core/run-settings.ts";
import { type RunSandbox, worstOf } from "../core/sandbox/run-sandbox.ts";
import type { Store } from "../ports/store.ts";
import type { RunContext, RunPorts } from "./context.ts";

/** Throws MidwatchError kind refused where the person insists on one and none can be made. */
export function insistOnSandbox({ processes }: Pick<RunPorts, "processes">, { agent }: Pick<RunSettings, "agent">): void {
  if (agent.sandbox !== "on" || processes.sandbox.kind === "on") return;
  throw new MidwatchError("refused", "E_SANDBOX", `agent.sandbox is on, and there can be none: ${processes.sandbox.why}`, {
    hint: 'see what is missing with: midwatch doctor; or set "agent": { "sandbox": "auto" }',
  });
}

export async function recordSandbox({ ports, run }: Pick<RunContext, "ports" | "run">): Promise<void> {
  const { sandbox } = ports.processes;
  const event = sandbox.kind === "on" ? { kind: "sandbox.on", data: {} } : { kind: "sandbox.off", data: { why: sandbox.why } };
  await ports.store.appendEvents(run, [event], ports.clock.now());
}

/** Null = nothing is recorded of it, or not any more. */
export async function sandboxOf(store: Store, run: RunId): Promise<RunSandbox | null> {
  const [[on], [off]] = await Promise.all([store.recentEvents(run, "sandbox.on", 1), store.recentEvents(run, "sandbox.off", 1)]);
  return worstOf(on !== undefined, off === undefined ? null : String(off.data["why"]));
}
