/** How many agents a window's agent may start (D8). */
import { describe, expect, test } from "vitest";
import { grantSpawn, isSpawn, noSpawns } from "../../src/core/spawn-budget.ts";

const limits = { agents: 12, agentsEach: 5 };

/** Who asks, one after another; which of them are granted. */
function play(parents: readonly string[], change: Partial<typeof limits> = {}): readonly boolean[] {
  let state = noSpawns;
  return parents.map((parent) => {
    const verdict = grantSpawn(state, parent, { ...limits, ...change });
    if (verdict.kind === "granted") state = verdict.state;
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
  const full = grantSpawn({ started: 12, children: new Map() }, "", limits);
  expect(full).toEqual({ kind: "refused", reason: expect.stringMatching(/12 agents in all.*Do the rest yourself/) });
});

test.each([
  ["Agent", true],
  ["Task", true],
  ["Bash", false],
  ["TaskOutput", false],
  ["mcp__other__Agent", false],
])("%s starts an agent: %s", (tool, expected) => {
  expect(isSpawn(tool)).toBe(expected);
});
