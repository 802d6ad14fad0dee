/** What we watch in a window of the real Claude Code: the size of its main conversation (A12), its money (A3), and a limit that says until when. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { boxes } from "../scenario/kit.ts";
import { claude } from "./claude-kit.ts";
import { bash, delegate, inTurn, makeClaudeNight, ours, windowsOf, write } from "./night-kit.ts";

const full = { usage: { input: 60_000 } };

describe.skipIf(claude === null)("in a window", () => {
  test("a full main conversation ends it after the running tool, as a good end; a subagent's does not", async () => {
    const night = await makeClaudeNight({
      plan: boxes("T-1", "T-2"),
      personal: { limits: { contextTokens: 50_000, windows: 2, idleWindows: 9 } },
      windows: ({ folder }) => ({
        1: [
          { tools: [bash(`echo one; sleep 0.5; touch ${folder}/first`)], ...full },
          { tools: [bash(`touch ${folder}/second`)], ...full },
        ],
        2: inTurn(delegate, bash(`touch ${folder}/third`)),
      }),
      subagent: ({ folder }) => inTurn(bash(`touch ${folder}/fourth`), bash(`touch ${folder}/fifth`)).map((step) => ({ ...step, ...full })),
    });
    const { code, report, events } = await night.play();
    const made = ["first", "second", "third", "fourth", "fifth"].filter((name) => existsSync(join(night.folder, name)));
    expect([code, made]).toEqual([8, ["first", "third", "fourth", "fifth"]]);
    expect(report?.windows).toMatchObject([
      { exit: "window-limit", end: "good", maxContextTokens: 60_000, costMicroUsd: expect.any(Number) as number },
      { exit: "completed", end: "good", maxContextTokens: 100 },
    ]);
    expect(events.filter(({ kind }) => kind === "window.ended")).toHaveLength(2);
  });

  test("without the gateway its cap of money ends it as a good end, over by one response at most, and the run's money counts it", async () => {
    const dear = { tools: [bash("ls")], usage: { output: 100_000 } };
    const night = await makeClaudeNight({
      personal: { limits: { window: 3, run: 5 }, gateway: { mode: "off" } },
      windows: () => ({ 1: [dear, dear, dear, dear], 2: [dear, dear] }),
    });
    const { code, report } = await night.play();
    expect([code, report?.stopReason]).toEqual([4, "money"]);
    expect(report?.windows.map(({ exit, end }) => [exit, end])).toEqual([
      ["budget", "good"],
      ["budget", "good"],
    ]);
    // A response costs two dollars: the second one is over three, and one more is over the one that is left of five.
    expect(report?.windows.map(({ costMicroUsd }) => Math.round((costMicroUsd ?? 0) / 1_000_000))).toEqual([4, 2]);
    expect(report?.overshoots.map(({ window, overMicroUsd }) => [window, Math.round(overMicroUsd / 1_000_000)])).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect((await night.run(["report"])).stdout).toMatch(
      /^window cap {2}\$3\.00; may be passed by one response; passed: w1 by \$1\.\d\d, w2 by \$1\.\d\d$/m,
    );
  });

  test("a subscription's limit is waited out until the time that it names, behind a proxy that cannot reach this machine", async () => {
    const night = await makeClaudeNight({
      env: {
        ...{ ANTHROPIC_API_KEY: undefined, CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-dummy" },
        ...{ HTTP_PROXY: "http://127.0.0.1:9", HTTPS_PROXY: "http://127.0.0.1:9" },
      },
      windows: ({ repo }) => ({
        1: [{ fault: { kind: "usage-limit", resetsInMs: 4000 } }],
        2: inTurn(
          write(`${repo.path}/T-1.txt`),
          bash("git add T-1.txt && git commit -q -m 'feat: T-1'"),
          ours("task_done", { task: "T-1" }),
        ),
      }),
    });
    const { code, report, events } = await night.play();
    expect([code, windowsOf(report)]).toMatchObject([
      0,
      [
        { exit: "limited", counted: false },
        { exit: "completed", tasksClosed: ["T-1"] },
      ],
    ]);
    const wait = events.find(({ kind }) => kind === "provider.wait-started");
    const next = events.filter(({ kind }) => kind === "window.opened")[1];
    expect(wait?.data).toMatchObject({ why: "limit" });
    expect(next?.at).toBeGreaterThanOrEqual(Number(wait?.data["untilAt"]));
  });
});
