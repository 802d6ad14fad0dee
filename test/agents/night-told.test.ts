/** What the real Claude Code is told in a window, and what is denied to it: the context watch (A12) and the second line of its money (A3, D4). */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ProviderCall } from "../../src/ports/provider.ts";
import { claude } from "./claude-kit.ts";
import { bash, delegate, inTurn, makeClaudeNight, ours, subagentTask, wrapper } from "./night-kit.ts";

const once = { failedWindows: 90, idleWindows: 90, windows: 1 };

/** What each request of the main conversation holds that the one before it did not: how often it is told to hand off, and by which figure. */
function toldIn(calls: readonly ProviderCall[]): readonly (readonly string[])[] {
  const main = calls.filter(({ request }) => request !== null && !request.prompt.includes(subagentTask));
  const all = main.map(({ request }) => [...JSON.stringify(request?.body["messages"]).matchAll(/Midwatch: hand off now\. (.*?\d) /g)]);
  return all.map((found, index) => found.slice(index === 0 ? 0 : all[index - 1]?.length).map((match) => match[1] ?? ""));
}

const sized = (size: number, command = "ls") => ({ tools: [bash(command)], usage: { input: size - 40_000, cacheRead: 40_000 } });

describe.skipIf(claude === null)("in a window", () => {
  test("the main conversation is told at 150,000 tokens and again at 160,000, and the window ends at 200,000", async () => {
    const night = await makeClaudeNight({
      personal: { limits: once },
      windows: () => ({
        // The one that crosses a line may fail or be one of several: the next request bears it all the same.
        1: [
          sized(149_999),
          { ...sized(150_000), tools: [bash("ls"), bash("pwd")] },
          sized(155_000),
          sized(160_000, "exit 3"),
          sized(169_999),
          sized(200_000),
          sized(200_000, "touch never"),
        ],
      }),
    });
    const { report, events } = await night.play();
    expect(toldIn(night.calls)).toEqual([[], [], ["This conversation has 150000"], [], ["This conversation has 160000"], []]);
    expect(report?.windows).toMatchObject([{ exit: "window-limit", end: "good", maxContextTokens: 200_000 }]);
    expect(existsSync(join(night.repo.path, "never"))).toBe(false);
    const shown = events.filter(({ kind, data }) => kind === "agent.acted" && data["what"] === "told");
    expect(shown.map(({ data }) => data["text"])).toEqual([
      expect.stringContaining("150000 tokens"),
      expect.stringContaining("160000 tokens"),
      expect.stringContaining("200000 tokens"),
    ]);
  });

  test("a subagent's size tells nothing, and its calls do not take what the main conversation is to be told", async () => {
    const night = await makeClaudeNight({
      personal: { limits: once },
      windows: () => ({
        1: [{ tools: [delegate], usage: { input: 151_000 } }, { tools: [bash("ls")], usage: { input: 152_000 } }, { text: "Done." }],
      }),
      subagent: () => inTurn(bash("ls"), bash("pwd")).map((step) => ({ ...step, usage: { input: 190_000 } })),
    });
    await night.play();
    const subagent = night.calls.filter(({ request }) => request?.prompt.includes(subagentTask));
    expect(subagent.map(({ request }) => JSON.stringify(request?.body).includes("hand off now"))).toEqual([false, false, false]);
    expect(toldIn(night.calls)).toEqual([[], ["This conversation has 151000"], []]);
  });

  test("in its reserve it is told to hand off, nothing but our own tools runs, and the note is written", async () => {
    const night = await makeClaudeNight({
      personal: { limits: { ...once, window: 6, reserve: 2 }, gateway: { mode: "off" } },
      windows: ({ folder }) => ({
        // A response of 100,000 tokens costs two dollars.
        1: [
          { tools: [bash(`sleep 0.3; touch ${folder}/first`)], usage: { output: 100_000 } },
          { tools: [bash(`sleep 0.3; touch ${folder}/second`)], usage: { output: 100_000 } },
          { tools: [bash(`touch ${folder}/third`), ours("handoff", { status: "CHECKPOINT", next: "T-1", body: "half of it" })] },
          { text: "Handed off." },
        ],
      }),
    });
    const { report, events } = await night.play();
    expect(["first", "second", "third"].filter((name) => existsSync(join(night.folder, name)))).toEqual(["first", "second"]);
    expect(toldIn(night.calls).slice(0, 3)).toEqual([[], [], ["US$ 4.00"]]);
    const last = JSON.stringify(night.calls.at(-1)?.request?.body["messages"]);
    expect(last).toMatch(/hand off now: US\$ 4\.00 of the 6\.00 of this window are spent.*mcp__midwatch__handoff/);
    expect(night.read(".midwatch/handoff.md")).toContain("half of it");
    expect(report?.windows).toMatchObject([{ exit: "completed-with-denials", end: "good" }]);
    expect(events.filter(({ kind, data }) => kind === "agent.acted" && data["what"] === "told")).toHaveLength(1);
  });

  test("a subagent that gets into the reserve is stopped at its next call", async () => {
    const night = await makeClaudeNight({
      personal: { limits: { ...once, window: 6, reserve: 2 }, gateway: { mode: "off" } },
      windows: () => ({ 1: inTurn(delegate) }),
      subagent: ({ folder }) => [
        { tools: [bash(`sleep 0.3; touch ${folder}/first`)], usage: { output: 200_000 } },
        { tools: [bash(`touch ${folder}/second`)] },
        { text: "As far as I got." },
      ],
    });
    await night.play();
    expect(["first", "second"].filter((name) => existsSync(join(night.folder, name)))).toEqual(["first"]);
    expect(toldIn(night.calls)).toEqual([[], ["US$ 4.00"]]);
  });

  test.each([
    ["never comes", "return;"],
    ["is an error", 'm.response.subtype = "error"; m.response.error = "crashed";'],
    ["is garbage", 'm.response.response = ["told"];'],
  ])("where our answer after a call %s and nobody tells the cost, nothing is told, and the guard stands", async (_title, tamper) => {
    const night = await makeClaudeNight({
      personal: { limits: once, gateway: { mode: "off" } },
      // What comes before a call passes; what comes after it, and the question about the money, do not.
      program: wrapper(`
        const after = new Set();
        fromUs = (m) => {
          if (isInitialize(m)) for (const event of ["PostToolUse", "PostToolUseFailure"]) m.request.hooks[event][0].timeout = 0.3;
          if (m.request?.subtype === "get_usage") m.request.subtype = "get_no_such_thing";
          if (isAnswer(m) && after.has(m.response.request_id)) { ${tamper} }
          toClaude(m);
        };
        fromClaude = (m) => {
          if (isQuestion(m) && m.request.input.hook_event_name !== "PreToolUse") after.add(m.request_id);
          toUs(m);
        };`),
      windows: ({ folder }) => ({
        1: [sized(151_000, `touch ${folder}/ran`), sized(165_000, `rm -rf ${folder}`), { text: "All done." }],
      }),
    });
    const { report } = await night.play();
    expect([toldIn(night.calls), existsSync(join(night.folder, "ran"))]).toEqual([[[], [], []], true]);
    expect(report?.windows).toMatchObject([{ exit: "completed-with-denials", toolCalls: 2 }]);
  });
});
