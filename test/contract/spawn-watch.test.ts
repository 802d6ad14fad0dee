/** The budget of agents where calls come at once, where the supervisor dies in between, and where an agent was not seen to be started. */
import { expect, test } from "vitest";
import { deny } from "../../src/core/guard/action.ts";
import { runId, windowId } from "../../src/core/ids.ts";
import { createSpawnWatch } from "../../src/engine/spawn-watch.ts";
import type { ToolCall } from "../../src/ports/agent.ts";
import type { NewEvent, StoredEvent, WindowRecord } from "../../src/ports/store.ts";

const run = runId("r1");
const call = (name: string, agentId?: string): ToolCall => ({
  ...{ toolId: "1", name, input: {}, cwd: "/tree", subagent: agentId !== undefined },
  ...(agentId === undefined ? {} : { agentId }),
});

/** Windows one after another over one log; `lost` are those whose supervisor died. */
function scene(lost: readonly number[] = [], limits = { agents: 12, agentsEach: 12 }) {
  const events: NewEvent[] = [];
  const windows: WindowRecord[] = [];
  const open = (number: number) => {
    const id = windowId(`w${number}`);
    const exit = { kind: lost.includes(number) ? "lost" : "completed" };
    windows.push({ id, run, number, result: { exit } } as unknown as WindowRecord);
    const store = {
      windows: () => Promise.resolve(windows),
      recentEvents: (_run: unknown, kind: string) => Promise.resolve(events.filter((event) => event.kind === kind) as StoredEvent[]),
      appendEvents: (_run: unknown, added: readonly NewEvent[]) => Promise.resolve(void events.push(...added)),
    };
    return createSpawnWatch({ ports: { store, clock: { now: () => 1 } }, settings: { limits } }, { id, run, number });
  };
  return { open, events };
}

const granted = (answers: readonly ({ readonly kind: string } | null)[]) => answers.filter((answer) => answer?.kind === "allow").length;
const start = (watch: ReturnType<ReturnType<typeof scene>["open"]>, count: number) =>
  Promise.all(Array.from({ length: count }, () => watch.judge(call("Agent"))));

test("of twenty at once twelve are granted and no more", async () => {
  const { open, events } = scene();
  expect(granted(await start(open(1), 20))).toBe(12);
  expect(events.map(({ data }) => data?.["granted"]).filter(Boolean)).toHaveLength(12);
});

test("a window after one whose supervisor died goes on with its count, however often it dies, and a later one begins anew", async () => {
  const { open } = scene([1, 2]);
  const counts = [];
  for (const number of [1, 2, 3, 4]) counts.push(granted(await start(open(number), number === 1 ? 5 : 20)));
  expect(counts).toEqual([5, 7, 0, 12]);
});

test("twenty at once after a death are no more either", async () => {
  const { open } = scene([1]);
  await start(open(1), 9);
  expect(granted(await start(open(2), 20))).toBe(3);
});

test("agents that were not seen to be started count when they ask for a call, and past the budget may make none", async () => {
  const { open, events } = scene([], { agents: 2, agentsEach: 5 });
  const watch = open(1);
  expect(granted(await start(watch, 1))).toBe(1);
  const asked = [];
  for (const id of ["a", "b", "c", "a", "c"]) asked.push((await watch.judge(call("Bash", id)))?.kind ?? "nothing");
  expect(asked).toEqual(["nothing", "nothing", "deny", "nothing", "deny"]);
  expect(granted(await start(watch, 1))).toBe(0);
  expect(events.map(({ data }) => [data?.["how"], data?.["granted"]])).toEqual([
    ["Agent", true],
    ["unseen", true],
    ["unseen", false],
    ["Agent", false],
  ]);
});

test("an agent that a command would have started is in the log, and counts for nothing", async () => {
  const { open, events } = scene();
  const watch = open(1);
  await watch.denied(call("Bash"), deny("guard-and-contract/agent", "an agent", "do it yourself"));
  await watch.denied(call("Bash"), deny("delete-trees/rm", "rm", "do not"));
  expect(events.map(({ data }) => data)).toEqual([{ by: "main", how: "command", started: 0, granted: false }]);
});
