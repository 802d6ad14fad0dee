/** Judges one tool call for a person, as a window's guard would at this moment, with what was understood of it. Nothing is recorded and nothing is run. */
import type { Verdict } from "../core/guard/action.ts";
import type { GuardPolicy } from "../core/guard/policy.ts";
import type { Trace } from "../core/guard/scene.ts";
import type { ToolCall } from "../ports/agent.ts";
import { createExaminer, type ExaminerPorts } from "./guard.ts";

export interface JudgedByHand {
  readonly verdict: Verdict;
  readonly trace: Trace;
  readonly ms: number;
}

/** As if a run began now: a push may go where it would go now. */
export async function judgeByHand(
  ports: ExaminerPorts,
  policy: GuardPolicy,
  call: Pick<ToolCall, "name" | "input" | "cwd">,
): Promise<JudgedByHand> {
  const { top } = ports.workspace.location;
  const startRoutes = (await ports.workspace.gitSettings(top, ports.agentEnv))?.routes ?? [];
  const examine = createExaminer(ports, { top, startRoutes, looksUp: true });
  const trace: Trace = { commands: [], variables: new Map() };
  const startedAt = ports.clock.monotonicMs();
  const verdict = await examine({ ...call, toolId: "by-hand", subagent: false }, policy, trace);
  return { verdict, trace, ms: Math.round((ports.clock.monotonicMs() - startedAt) * 10) / 10 };
}
