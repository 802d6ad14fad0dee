/** What a report says of windows that cost more than they might. */
import { expect, test } from "vitest";
import { buildReport, type ReportInput, type ReportWindow } from "../../src/core/report.ts";
import { dollar, now } from "./sample-window.ts";

function windowOf(number: number, costMicroUsd: number | null, counted = true): ReportWindow {
  return {
    ...{ number, counted, costMicroUsd, exit: "completed", end: "good", detail: "completed", tasksClosed: [], commits: 0, notes: [] },
    ...{ maxContextTokens: null, toolCalls: null, subagentToolCalls: 0, durationMs: 1, agentVersion: "", logPath: "/w.log" },
  };
}

const input: Omit<ReportInput, "windows"> = {
  ...{
    run: "r",
    worktree: "/w",
    branch: null,
    agent: "a",
    containment: "auto",
    sandbox: null,
    attempts: [],
    guard: "none",
    repositorySettings: null,
  },
  ...{ startedAt: now, endedAt: null, now, phase: "running", stopReason: null, stopDetail: "" },
  ...{ spentMicroUsd: 0, capMicroUsd: 10 * dollar, windowCapMicroUsd: 4 * dollar, unknownCostMicroUsd: dollar, unknownCostWindows: 0 },
  ...{ waitedPersonMs: 0, waitedProviderMs: 0, tasks: [], questions: [], evidence: [], findings: [] },
};

test.each<[string, readonly ReportWindow[], readonly (readonly [window: number, cap: number, over: number])[]]>([
  ["none, where each stays below its cap or just reaches it", [windowOf(1, 3 * dollar), windowOf(2, 4 * dollar)], []],
  ["the one that cost more", [windowOf(1, dollar), windowOf(2, 4.5 * dollar)], [[2, 4, 0.5]]],
  ["one over what was left of the run's money", [windowOf(1, 4 * dollar), windowOf(2, 4 * dollar), windowOf(3, 3 * dollar)], [[3, 2, 1]]],
  [
    "what a window of unknown cost was charged counts against the run",
    [windowOf(1, 4 * dollar), windowOf(2, 4 * dollar), windowOf(3, null), windowOf(4, 2 * dollar)],
    [[4, 1, 1]],
  ],
  [
    "one that was given back and told no cost was charged nothing",
    [windowOf(1, 4 * dollar), windowOf(2, 4 * dollar), windowOf(3, null, false), windowOf(4, 2 * dollar)],
    [],
  ],
])("windows that passed their cap: %s", (_title, windows, expected) => {
  const found = buildReport({ ...input, windows }).overshoots;
  expect(found.map((one) => [one.window, one.capMicroUsd / dollar, one.overMicroUsd / dollar])).toEqual(expected);
});

test("what the ledger holds of the windows stands beside what the agent says of them", () => {
  const spend = { spentMicroUsd: 2 * dollar, heldMicroUsd: dollar, calls: 3, unknown: 1 };
  const first = { ...windowOf(1, 2 * dollar), ledger: spend, reportedMicroUsd: 1.5 * dollar };
  const second = { ...windowOf(2, 2 * dollar), ledger: spend, reportedMicroUsd: null };
  expect(buildReport({ ...input, windows: [windowOf(1, dollar)] }).booked).toBeNull();
  expect(buildReport({ ...input, windows: [first, windowOf(2, dollar)] }).booked).toEqual({
    ...spend,
    windows: 1,
    reportedMicroUsd: 1.5 * dollar,
  });
  expect(buildReport({ ...input, windows: [first, second] }).booked).toEqual({
    ...{ windows: 2, calls: 6, unknown: 2, spentMicroUsd: 4 * dollar, heldMicroUsd: 2 * dollar, reportedMicroUsd: null },
  });
});
