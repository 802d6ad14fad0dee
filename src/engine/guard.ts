/**
 * Judges each tool call of one window before it is made. The verdict is core's; here is what it needs to know, gathered from what the agent cannot write.
 * What a call puts into files is remembered for the calls after it, so that "write it, then run it" is one thing.
 */
import type { GuardContext, Memory } from "../core/guard/context.ts";
import { examineAction } from "../core/guard/judge.ts";
import { readToolCall } from "../core/guard/tool-call.ts";
import type { WindowId } from "../core/ids.ts";
import type { GuardAnswer, ToolCall } from "../ports/agent.ts";
import { type RunContext, treePath } from "./context.ts";

/**
 * @param window  denials are recorded under it; null = they are not recorded (a trial)
 * @param top  the working tree, or the scratch folder of a trial
 */
export function createGuard(context: RunContext, window: WindowId | null, top: string): (call: ToolCall) => Promise<GuardAnswer> {
  const { ports, run } = context;
  let memory: Memory = new Map();
  const facts: Omit<GuardContext, "memory"> = {
    top,
    home: ports.agentEnv["HOME"] ?? "/",
    state: ports.stateFolder,
    // The plan and the note are the agent's to write: what it does to them is judged afterwards. The config is not.
    protectedPaths: [treePath(context, "midwatch.jsonc")],
    supervisorPids: [ports.processes.self().pid],
    knownRemotes: null,
    gitAliases: null,
    parseShell: ports.shell.parse,
  };
  return async (call) => {
    const { verdict, memory: after } = examineAction(readToolCall(call.name, call.input, call.cwd), { ...facts, memory });
    memory = after;
    if (verdict.kind === "allow") return verdict;
    if (window !== null) await recordDenial({ tool: call.name, family: verdict.family, reason: verdict.reason });
    return { kind: "deny", reason: verdict.reason };
  };

  /** A denial that cannot be recorded is a denial all the same. */
  async function recordDenial(data: Readonly<Record<string, string>>): Promise<void> {
    await ports.store
      .appendEvents(run, [{ kind: "guard.denied", ...(window === null ? {} : { window }), data }], ports.clock.now())
      .catch(() => undefined);
  }
}
