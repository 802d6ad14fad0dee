/**
 * The ways in which a turn of the real Claude Code can end: how often it asks, how it leaves, and the reason that we read from its stream. `success` and
 * exit codes prove nothing here.
 */
import { watch } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ExitReason } from "../../src/core/exit-reason.ts";
import type { ScriptStep } from "../../src/ports/provider.ts";
import { callsOnce, claude, type EndRow, expectEnd, type Session, userSays, type WindowScript } from "./claude-kit.ts";

const detail = expect.any(String) as string;
const completed: ExitReason = { kind: "completed", exitCode: 0 };
const silent: ExitReason = { kind: "completed-no-tools" };
const says = (step: ScriptStep): WindowScript => ({ provider: [step] });
const mayWrite = ["--permission-mode", "dontAsk", "--allowedTools", "Bash"];

describe.skipIf(claude === null)("how a turn ends", () => {
  const hook = (event: string, command: string) => JSON.stringify({ hooks: { [event]: [{ hooks: [{ type: "command", command }] }] } });
  const touches = callsOnce("Bash", { command: "touch made", description: "make a file" });
  const sleeps = callsOnce("Bash", { command: "touch begun; sleep 20", description: "wait" });
  const leavesSubagent: WindowScript = {
    provider: {
      conversations: [
        { when: { prompt: "Look around" }, steps: [{ text: "late", firstByteMs: 20_000 }] },
        {
          steps: [
            { tools: [{ name: "Agent", input: { description: "look", prompt: "Look around", run_in_background: true } }] },
            { text: "It looks." },
          ],
        },
      ],
    },
    env: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: undefined, CLAUDE_CODE_PRINT_BG_WAIT_CEILING_MS: "500" },
  };

  test.each<EndRow>([
    ["words alone", says({ text: "I will." }), 1, 0, silent],
    ["an empty answer is asked for once more", says({}), 2, 0, silent],
    ["a pause", says({ text: "a moment", stopReason: "pause_turn" }), 1, 0, silent],
    ["a refusal is asked for once more", says({ text: "I cannot", stopReason: "refusal" }), 2, 1, { kind: "refused", detail }],
    ["an answer that is too long is asked for again", says({ text: "and", stopReason: "max_tokens" }), 4, 1, { kind: "output-limit" }],
    ["a call that is allowed", { provider: touches, args: mayWrite }, 2, 0, completed],
    [
      "a call that nobody allowed",
      { provider: touches, args: ["--permission-mode", "dontAsk"] },
      2,
      0,
      { kind: "completed-with-denials", denials: 1 },
    ],
    ["its own turns are used up", { provider: touches, args: [...mayWrite, "--max-turns", "1"] }, 1, 1, { kind: "max-turns" }],
    [
      "its own budget is used up",
      {
        provider: [{ tools: [{ name: "Bash", input: { command: "touch made" } }], usage: { input: 1_000_000 } }],
        args: [...mayWrite, "--max-budget-usd", "0.5"],
      },
      1,
      1,
      { kind: "budget" },
    ],
    [
      "a question to a person",
      { provider: touches, args: ["--settings", hook("PreToolUse", decides("defer"))] },
      1,
      0,
      { kind: "awaiting-human", question: "Allow Bash: touch made?" },
    ],
    [
      "a prompt that a hook blocks",
      { ...says({ text: "never" }), args: ["--settings", hook("UserPromptSubmit", "exit 2")] },
      0,
      0,
      { kind: "prompt-blocked", detail },
    ],
    [
      "a hook that ends the turn",
      { provider: touches, args: [...mayWrite, "--settings", hook("PostToolUse", `echo '{"continue":false}'`)] },
      1,
      0,
      { kind: "stopped-by-hook" },
    ],
    [
      "a stop hook that is overruled",
      {
        provider: [touches[0] ?? {}, { text: "done" }],
        args: [...mayWrite, "--settings", hook("Stop", "echo more >&2; exit 2")],
        env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "2" },
      },
      4,
      0,
      { kind: "stop-hook-overridden" },
    ],
    [
      "a session id that is none",
      { ...says({ text: "never" }), args: ["--session-id", "one"] },
      0,
      1,
      { kind: "crashed", code: 1, detail },
    ],
    ["a subagent left in the background", leavesSubagent, 3, 0, { kind: "background-abandoned", tasks: 1 }],
  ])("%s", async (_title, script, requests, exitCode, reason) => {
    await expectEnd(script, requests, exitCode, reason);
  });

  test.each<[NodeJS.Signals, number | null, ExitReason]>([
    ["SIGINT", 0, { kind: "interrupted" }],
    ["SIGTERM", 143, { kind: "crashed", code: 143, detail }],
    ["SIGKILL", null, { kind: "killed", signal: "SIGKILL" }],
  ])("%s during a command", async (signal, exitCode, reason) => {
    const talk = (session: Session) => {
      userSays(session, "do it");
      const watcher = watch(session.tree, () => session.child.kill(signal));
      session.child.once("exit", () => watcher.close());
    };
    const { leftBehind } = await expectEnd({ provider: sleeps, args: mayWrite, talk }, 1, exitCode, reason);
    if (signal === "SIGKILL") expect(leftBehind).toBeGreaterThan(0); // trap: its command lives on, in a session of its own
  });
});

function decides(permissionDecision: string): string {
  return `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision } })}'`;
}
