/**
 * Judges the calls of an agent that shows them and asks nobody. Nothing is stopped by it: the report names what a guard would have denied. What is shown of a call is
 * its first words; one that was cut is not judged.
 */
import type { AgentEvent } from "../core/agent-event.ts";
import type { WindowId } from "../core/ids.ts";
import type { RunContext } from "./context.ts";
import { createGuard } from "./guard.ts";

/** As long as a shown call may be. */
const cutLength = 200;

const inputs: Readonly<Record<string, (shown: string) => object>> = {
  Bash: (command) => ({ command }),
  Write: (path) => ({ file_path: path, content: "" }),
  Edit: (path) => ({ file_path: path, new_string: "" }),
  NotebookEdit: (path) => ({ notebook_path: path }),
};

export function createShownCalls(context: RunContext, window: WindowId, cwd: string): (event: AgentEvent) => void {
  const { ports, run } = context;
  if (ports.agent.capabilities.guard !== "none") return () => undefined;
  const guard = createGuard(context, null, cwd);
  const judge = async ({ name, summary, ...call }: Extract<AgentEvent, { kind: "tool-start" }>, input: object) => {
    const answer = await guard.judge({ ...call, name, input, cwd });
    if (answer.kind === "allow") return;
    const data = { tool: name, what: summary, reason: answer.reason };
    await ports.store.appendEvents(run, [{ kind: "guard.missed", window, data }], ports.clock.now());
  };
  return (event) => {
    const input = event.kind === "tool-start" && event.summary.length < cutLength ? inputs[event.name]?.(event.summary) : undefined;
    if (event.kind === "tool-start" && input !== undefined) void judge(event, input).catch(() => undefined); // a record for people, no more
  };
}
