/** The budget of agents (D8), with the real Claude Code: a window's agent starts as many as it may, and is told when it may not. */
import { describe, expect, test } from "vitest";
import { claude } from "./claude-kit.ts";
import { delegate, makeClaudeNight, subagentTask } from "./night-kit.ts";

describe.skipIf(claude === null)("in a window", () => {
  test("the agents over the budget are not started, and the agent reads why", async () => {
    const night = await makeClaudeNight({
      personal: { limits: { windows: 1, agents: 3, agentsEach: 2 } },
      windows: () => ({ 1: [{ tools: [delegate, delegate, delegate] }, { tools: [delegate] }, { text: "Done by myself." }] }),
      subagent: () => [{ text: "Done." }],
    });
    const { events } = await night.play();
    const spawns = events.filter(({ kind }) => kind === "agent.spawned").map(({ data }) => data["granted"]);
    expect(spawns).toEqual([true, true, false, false]);
    const started = night.calls.filter(({ request }) => request?.prompt.includes(subagentTask));
    expect(started).toHaveLength(2);
    expect(JSON.stringify(night.calls.at(-1)?.request?.body["messages"])).toContain("the budget of agents is used up");
  });
});
