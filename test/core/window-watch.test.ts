/** The context watch (A12) and the money lines (A3, D4): which figures lead to what the agent is told, to what is denied, and to the end. */
import { describe, expect, test } from "vitest";
import { advise, freshWatch, isMoneyOpen, isOwnTool, markTold, observe, type WatchLimits } from "../../src/core/window-watch.ts";
import { dollar } from "./sample-window.ts";

const limits: WatchLimits = { contextTellTokens: 150_000, contextTokens: 200_000, capMicroUsd: 20 * dollar, reserveMicroUsd: dollar };

interface Step {
  readonly context?: number;
  readonly spend?: number;
  readonly call?: number;
}

/** Feeds one figure after another, tells what there is to tell each time, and says in short what came of each. */
function play(steps: readonly Step[], change: Partial<WatchLimits> = {}): readonly string[] {
  const set = { ...limits, ...change };
  let state = freshWatch;
  return steps.map(({ context, spend, call }) => {
    if (context !== undefined) state = observe(state, set, { kind: "context", tokens: context });
    if (spend !== undefined) state = observe(state, set, { kind: "spend", microUsd: Math.round(spend * dollar) });
    if (call !== undefined) state = observe(state, set, { kind: "call", upperMicroUsd: Math.round(call * dollar) });
    const { tell, deny, mustEnd } = advise(state, set);
    if (tell !== null) state = markTold(state, set);
    const told = [tell?.includes("tokens") ? "context" : "", tell?.includes("US$") ? "money" : ""].filter(Boolean);
    return [told.length > 0 ? `tell ${told.join("+")}` : "", deny === null ? "" : "deny", mustEnd ? "end" : ""].filter(Boolean).join(" ");
  });
}

const context = (...tokens: readonly number[]) => tokens.map((size) => ({ context: size }));
const spend = (...dollars: readonly number[]) => dollars.map((amount) => ({ spend: amount }));

describe("the context", () => {
  test.each<[string, readonly Step[], readonly string[]]>([
    ["below the line nothing is told", context(0, 80_000, 149_999), ["", "", ""]],
    ["at the line it is told, once", context(150_000, 151_000, 159_999), ["tell context", "", ""]],
    [
      "each further 10,000 it is told again, once",
      context(150_000, 160_000, 160_001, 170_000),
      ["tell context", "tell context", "", "tell context"],
    ],
    ["lines that are jumped over are told as one", context(10_000, 185_000, 186_000, 190_000), ["", "tell context", "", "tell context"]],
    ["a few tokens less and more tell nothing twice", context(151_000, 149_000, 152_000), ["tell context", "", ""]],
    ["after a compaction the lines count anew", context(165_000, 30_000, 151_000), ["tell context", "", "tell context"]],
    ["at the end line the window ends", context(199_999, 200_000), ["tell context", "tell context end"]],
    ["a compaction does not undo the end", context(200_000, 30_000), ["tell context end", "end"]],
  ])("%s", (_title, steps, expected) => {
    expect(play(steps)).toEqual(expected);
  });

  test("an end line below the tell line ends without a word", () => {
    expect(play(context(60_000), { contextTokens: 50_000 })).toEqual(["end"]);
  });

  test("what is told names both sizes and the tool", () => {
    const { tell } = advise(observe(freshWatch, limits, { kind: "context", tokens: 153_210 }), limits);
    expect(tell).toMatch(/hand off now.* 153210 tokens.* 200000 .*mcp__midwatch__handoff/);
    expect(tell).not.toContain("\n");
  });
});

describe("the money", () => {
  test.each<[string, readonly Step[], readonly string[], Partial<WatchLimits>]>([
    ["below the reserve nothing is told", spend(0, 10, 18.99), ["", "", ""], {}],
    ["in the reserve it is told once, and other tools are denied", spend(19, 19.5), ["tell money deny", "deny"], {}],
    ["at the cap and over it the watch ends nothing: the program or the gateway refuses", spend(20, 21.5), ["tell money deny", "deny"], {}],
    ["what was only held lets go again, and is not told twice", spend(19.2, 12, 19.3), ["tell money deny", "", "deny"], {}],
    ["a small cap keeps half of it at most", spend(0.5, 0.74, 0.75), ["", "", "tell money deny"], { capMicroUsd: 1.5 * dollar }],
    ["a reserve as large as the cap leaves half of it", spend(9.99, 10), ["", "tell money deny"], { reserveMicroUsd: 50 * dollar }],
  ])("%s", (_title, steps, expected, change) => {
    expect(play(steps, change)).toEqual(expected);
  });

  test("what is told and why it is denied name the money and the tool", () => {
    const { tell, deny } = advise(observe(freshWatch, limits, { kind: "spend", microUsd: 19_123_456 }), limits);
    for (const text of [tell, deny]) expect(text).toMatch(/hand off now.*US\$ 19\.12 of the 20\.00 .*mcp__midwatch__handoff/);
  });

  test.each([
    ["mcp__midwatch__handoff", true],
    ["mcp__midwatch__note", true],
    ["Bash", false],
    ["Write", false],
    ["handoff", false],
    ["mcp__other__handoff", false],
    ["mcp__midwatch2__handoff", false],
    ["MCP__MIDWATCH__HANDOFF", false],
  ])("%s is a tool of ours: %s", (name, isOurs) => {
    expect(isOwnTool(name)).toBe(isOurs);
  });
});

describe("with calls that still run, whether the money line may be passed by them", () => {
  test.each([
    ["nothing runs", 18, 0, false],
    ["what runs cannot reach the line", 18, 0.99, false],
    ["what runs may reach it", 18, 1, true],
    ["it is passed whatever they cost", 19, 5, false],
  ])("%s", (_title, spent, running, isOpen) => {
    const state = observe(freshWatch, limits, { kind: "spend", microUsd: spent * dollar });
    const after = observe(state, limits, { kind: "running", microUsd: Math.round(running * dollar) });
    expect(isMoneyOpen(after, limits)).toBe(isOpen);
    expect(advise(after, limits).deny === null).toBe(spent < 19); // what is only held denies nothing
  });
});

test("both at once are told in one go", () => {
  expect(
    play([
      { context: 151_000, spend: 19 },
      { context: 151_500, spend: 19.1 },
    ]),
  ).toEqual(["tell context+money deny", "deny"]);
});
