/** The provider's limits, outages and refusals: the same window again, at no cost, or a person. */
import { expect, test } from "vitest";
import { agent, makeNight } from "./kit.ts";

test("a usage limit is waited out to its stated end, and its window does not count", async () => {
  const night = makeNight({ agent: agent("by-turns.sh", "limit.sh 2", "finish.sh") });
  const end = await night.run(["run", "--json", "--windows", "1"]);
  expect(end).toMatchObject({ code: 0, report: { stopReason: "finished", spentMicroUsd: 100_000 } });
  expect(end.report?.windows.map(({ counted, exit }) => [counted, exit])).toEqual([
    [false, "limited"],
    [true, "completed"],
  ]);
  const wait = end.events.find((event) => event.kind === "provider.wait-started");
  const [, second] = end.events.filter((event) => event.kind === "window.opened");
  const lateMs = (second?.at ?? 0) - Number(wait?.data["untilAt"]);
  expect(lateMs).toBeGreaterThanOrEqual(0);
  expect(lateMs).toBeLessThan(1000);
  expect(end.report?.waitedProviderMs).toBeGreaterThan(0);
});

test("the window after a limit works on the same tasks, and the limit was no attempt", async () => {
  const night = makeNight({ agent: agent("by-turns.sh", "limit.sh 1", "finish.sh") });
  const end = await night.run(["run", "--json"]);
  const opened = end.events.filter((event) => event.kind === "window.opened").map((event) => event.data["tasks"]);
  expect(opened).toEqual([["T-1"], ["T-1"]]);
  expect(end.report?.tasks.list).toMatchObject([{ key: "T-1", attempts: 0 }]);
});

test("outages are met with growing waits, their windows do not count, and no task fails by them", async () => {
  const night = makeNight({
    agent: agent("by-turns.sh", "outage.sh", "outage.sh", "outage.sh", "finish.sh"),
    config: { limits: { outageWait: "100ms", failedWindows: 2, attemptsPerTask: 1 } },
  });
  const end = await night.run(["run", "--json", "--windows", "1"]);
  expect(end).toMatchObject({ code: 0, report: { stopReason: "finished" } });
  expect(end.report?.windows.map(({ counted, exit }) => [counted, exit])).toEqual([
    [false, "transient"],
    [false, "transient"],
    [false, "transient"],
    [true, "completed"],
  ]);
  const waits = end.events.filter((event) => event.kind === "provider.wait-started").map((event) => Number(event.data["untilAt"]));
  const ends = end.events.filter((event) => event.kind === "window.ended").map((event) => event.at);
  // From the outcome on, which is some milliseconds older than its row; a back-off is spread by up to a fifth.
  for (const [place, until] of waits.entries()) {
    expect(until - (ends[place] ?? 0)).toBeGreaterThan(0);
    expect(until - (ends[place] ?? 0)).toBeLessThanOrEqual(120 * 2 ** place);
  }
  expect(waits.length).toBe(3);
});

test.for([
  ["limit.sh 3600", "limit"],
  ["outage.sh", "limit"],
] as const)("with --no-wait a run ends with 75 at once: %s", async ([turn, reason]) => {
  const end = await makeNight({ agent: agent("by-turns.sh", turn) }).run(["run", "--json", "--no-wait"]);
  expect(end).toMatchObject({ code: 75, report: { stopReason: reason } });
  expect(end.report?.windows).toMatchObject([{ counted: false }]);
});
