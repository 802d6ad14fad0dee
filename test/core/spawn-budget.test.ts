/** How many agents a window's agent may start (D8). */
import { describe, expect, test } from "vitest";
import { grantSpawn, isSpawn, meetAgent, noSpawns } from "../../src/core/spawn-budget.ts";

const limits = { agents: 12, agentsEach: 5 };

/** Who asks, one after another; which of them are granted. */
function play(parents: readonly string[], change: Partial<typeof limits> = {}): readonly boolean[] {
  let state = noSpawns;
  return parents.map((parent) => {
    const verdict = grantSpawn(state, parent, { ...limits, ...change });
    state = verdict.state;
    return verdict.kind === "granted";
  });
}

const times = (count: number, parent: string) => Array.from({ length: count }, () => parent);

describe("the budget", () => {
  test("an agent starts five others and no sixth", () => {
    expect(play(times(7, ""))).toEqual([true, true, true, true, true, false, false]);
  });

  test("twelve in all, whatever the shape of the tree: five at each level", () => {
    const granted = play([...times(5, ""), ...times(5, "a"), ...times(5, "b"), ...times(5, "c")]);
    expect(granted.filter(Boolean)).toHaveLength(12);
    expect(granted.slice(0, 12)).toEqual(times(12, "").map(() => true));
  });

  test("a chain may be as deep as the budget lasts", () => {
    const granted = play(Array.from({ length: 50 }, (_, depth) => (depth === 0 ? "" : `agent-${depth}`)));
    expect(granted.lastIndexOf(true)).toBe(11);
  });

  test("a refusal uses nothing up", () => {
    expect(play([...times(6, ""), ...times(6, "a")]).filter(Boolean)).toHaveLength(10);
  });

  test("a budget of one is one", () => {
    expect(play(["", "", "a"], { agents: 1 })).toEqual([true, false, false]);
  });
});

test("a refusal says what is used up and what to do", () => {
  const full = grantSpawn({ ...noSpawns, started: 12 }, "", limits);
  expect(full).toMatchObject({ kind: "refused", reason: expect.stringMatching(/12 agents in all.*Do the rest yourself/) });
});

describe("an agent that nobody was seen to start", () => {
  const meets = (ids: readonly string[], started = 0) => {
    let state = { ...noSpawns, started };
    const verdicts = ids.map((id) => {
      const verdict = meetAgent(state, id, limits);
      state = verdict.state;
      return verdict.kind;
    });
    return { verdicts, started: state.started };
  };

  test("is one of those that were, as long as there are as many", () => {
    expect(meets(["a", "b", "a", "b"], 2)).toEqual({ verdicts: times(4, "granted"), started: 2 });
  });

  test("counts when it makes itself known", () => {
    expect(meets(["a", "b", "c"], 1).started).toBe(3);
  });

  test("may do nothing past the budget, however often it asks, and those before it go on", () => {
    const ids = Array.from({ length: 14 }, (_, at) => `agent-${at}`);
    const { verdicts, started } = meets([...ids, "agent-13", "agent-0"]);
    expect([verdicts.filter((kind) => kind === "granted").length, verdicts.slice(12), started]).toEqual([
      13,
      ["refused", "refused", "refused", "granted"],
      12,
    ]);
  });
});

test.each([
  ["Agent", true],
  ["Task", true],
  ["Bash", false],
  ["TaskOutput", false],
  ["mcp__other__Agent", true],
  ["mcp__codex__codex", true],
  ["mcp__codex__codex-reply", true],
  ["mcp__crew__spawn_agent", true],
  ["mcp__crew__launch-background-agents", true],
  ["mcp__crew__list_agents", false],
  ["mcp__tracker__create_task", false],
  ["mcp__midwatch__agent", false],
  ["codex", false],
])("%s starts an agent: %s", (tool, expected) => {
  expect(isSpawn(tool)).toBe(expected);
});
