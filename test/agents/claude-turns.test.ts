/** The scripted provider leads the real Claude Code: what it says is what the program does, and its numbers are what the program reports. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { claude, playWindow } from "./claude-kit.ts";

const write = (path: string) => ({ name: "Write", input: { file_path: path, content: "hello\n" } });
const mayWork = ["--permission-mode", "dontAsk", "--allowedTools", "Write,Bash"];

describe.skipIf(claude === null)("a window of the real program", () => {
  test("it writes, it runs, and it counts what it was told", async () => {
    let made = "";
    const usage = { input: 1000, output: 30, cacheRead: 6000, cacheWrite: 200 };
    const { calls, transcript, reason, end, lines } = await playWindow({
      provider: [
        { text: "On it.", tools: [write("hello.txt")], usage },
        { tools: [{ name: "Bash", input: { command: "cat hello.txt > copy.txt", description: "copy" } }], usage },
        { text: "All done.", usage },
      ],
      args: mayWork,
      after: ({ tree }) => {
        made = readFileSync(join(tree, "copy.txt"), "utf8");
      },
    });
    expect(made).toBe("hello\n");
    expect([reason, end.code, end.stderrTail]).toEqual([{ kind: "completed", exitCode: 0 }, 0, ""]);
    // One request a turn and nothing beside: no count of tokens, no title, no quota.
    expect(calls.map(({ method, path, step, status }) => [method, path, step, status])).toEqual(
      [0, 1, 2].map((step) => ["POST", "/v1/messages", step, 200]),
    );
    expect(transcript).toMatchObject({
      version: "2.1.332",
      toolCalls: 2,
      toolErrors: 0,
      lastText: "All done.",
      maxContextTokens: 7200,
      tokens: { input: 3000, output: 90, cacheRead: 18_000, cacheWrite: 600 },
      costMicroUsd: 20_400,
    });
    expect([...transcript.unknown.keys()]).toEqual([]);
    expect(lines[0]).toMatchObject({ type: "system", subtype: "init" });
  });

  test("a subagent follows a script of its own", async () => {
    let made = false;
    const { calls, transcript, reason } = await playWindow({
      provider: {
        conversations: [
          { when: { prompt: "Make the file." }, steps: [{ tools: [write("by-subagent.txt")] }, { text: "It is made." }] },
          { steps: [{ tools: [{ name: "Agent", input: { description: "make it", prompt: "Make the file." } }] }, { text: "All done." }] },
        ],
      },
      args: mayWork,
      after: ({ tree }) => {
        made = existsSync(join(tree, "by-subagent.txt"));
      },
    });
    expect([made, reason.kind]).toEqual([true, "completed"]);
    expect(calls.map(({ conversation, step }) => [conversation, step])).toEqual([
      [1, 0],
      [0, 0],
      [0, 1],
      [1, 1],
    ]);
    expect(transcript).toMatchObject({ toolCalls: 1, subagentToolCalls: 1, backgroundOpen: 0, tokens: { input: 400, output: 80 } });
  });
});
