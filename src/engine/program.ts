/** The agent program may be replaced while a run goes on (its own updater does that): a missing one is looked for again for some minutes. */
import type { AgentProbe } from "../ports/agent.ts";
import type { RunContext } from "./context.ts";
import { isStop } from "./waiting.ts";

/** B069: five minutes in all. */
const pausesMs = [250, 1000, 4000, 15_000, 40_000, 60_000, 60_000, 60_000, 60_000];

export async function findProgram(context: RunContext): Promise<AgentProbe> {
  const { agent, agentEnv } = context.ports;
  let probe = await agent.probe(agentEnv);
  for (const ms of pausesMs) {
    if (probe.kind === "found" || isStop(context)) return probe;
    await context.control.nextChange(ms);
    probe = await agent.probe(agentEnv);
  }
  return probe;
}
