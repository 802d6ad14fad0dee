/** Every recording of Claude Code has its row: why it ended, with the exit code that was seen. */
import { describe, expect, test } from "vitest";
import { type ExitReason, exitReason } from "../../src/core/exit-reason.ts";
import type { ProcessEnd } from "../../src/core/process-end.ts";
import { foldEvents, type Transcript } from "../../src/core/transcript.ts";
import { endedByUs, exited, parseAll, parseJson, readRecording, recordingsOf, signalled, splitLines } from "./stream-recordings.ts";

const detail = expect.any(String);
const completed: ExitReason = { kind: "completed", exitCode: 0 };
const denied: ExitReason = { kind: "completed-with-denials", denials: 1 };
const silent: ExitReason = { kind: "completed-no-tools" };

const rows: readonly (readonly [recording: string, end: ProcessEnd, reason: ExitReason])[] = [
  // The provider's faults: all of them say success.
  ["api-429", exited(1), { kind: "limited", until: null }],
  ["usage-limit-oauth-rejected", exited(1), { kind: "limited", until: 1_796_044_088_000 }],
  ["usage-limit-oauth-warning", exited(0), silent],
  ["api-529", exited(1), { kind: "transient", status: 529 }],
  ["api-529-default-10-retries", exited(1), { kind: "transient", status: 529 }],
  ["api-502-html", exited(1), { kind: "transient", status: 502 }],
  ["api-connection-refused", exited(1), { kind: "transient", status: null }],
  ["api-cut-mid-stream", exited(1), { kind: "transient", status: null }],
  ["api-sse-error-mid-stream", exited(1), { kind: "transient", status: null }],
  ["api-timeout-3s", exited(1), { kind: "transient", status: null }],
  ["api-hang-before-headers-360s", endedByUs("idle-clock"), { kind: "transient", status: null }],
  ["api-hang-mid-stream-300s", endedByUs("idle-clock"), { kind: "idle", openTool: "" }],
  ["recover-after-529", exited(0), completed],
  ["fallback-model", exited(0), silent],
  // What only a person mends.
  ["api-401", exited(1), { kind: "auth", detail: "Invalid API key · Fix external API key" }],
  ["api-403", exited(1), { kind: "auth", detail }],
  ["no-credentials", exited(1), { kind: "auth", detail: "Not logged in · Please run /login" }],
  ["api-400-credit", exited(1), { kind: "billing", detail: "Credit balance is too low" }],
  ["api-404-model", exited(1), { kind: "config", detail }],
  ["stop-reason-refusal", exited(1), { kind: "refused", detail }],
  ["prompt-blocked-by-hook", exited(0), { kind: "prompt-blocked", detail }],
  ["hook-defer", exited(0), { kind: "awaiting-human", question: "Allow Bash: rm -rf /opt/runs/victim?" }],
  // It never began.
  ["startup-failure-result", exited(1), { kind: "start-failed", error: "bypass_root", detail }],
  ["resume-unknown-session", exited(1), { kind: "start-failed", error: "error_during_execution", detail }],
  // Caps.
  ["max-budget", exited(1), { kind: "budget" }],
  ["max-budget-first-reply", exited(1), { kind: "budget" }],
  ["budget-foreground-subagent", exited(1), { kind: "budget" }],
  ["budget-stops-background-subagent", exited(1), { kind: "budget" }],
  ["max-turns", exited(1), { kind: "max-turns" }],
  ["stop-hook-max-turns", exited(1), { kind: "max-turns" }],
  ["prompt-too-long-fatal", exited(1), { kind: "context-full" }],
  ["compaction-blocked-by-precompact", exited(1), { kind: "context-full" }],
  ["stop-reason-max-tokens", exited(1), { kind: "output-limit" }],
  // Signals.
  ["sigint", exited(0), { kind: "interrupted" }],
  ["sigint", endedByUs("stopped", 0), { kind: "stopped" }],
  ["sigint", endedByUs("wall-clock", 0), { kind: "wall-clock", openTool: "" }],
  ["sigterm", exited(143), { kind: "crashed", code: 143, detail: "" }],
  ["sigterm", endedByUs("wall-clock", 143), { kind: "wall-clock", openTool: "" }],
  ["sigkill", signalled("SIGKILL"), { kind: "killed", signal: "SIGKILL" }],
  ["sigkill", endedByUs("idle-clock"), { kind: "idle", openTool: expect.stringMatching(/^Bash /) }],
  // Hooks.
  ["hook-continue-false", exited(0), { kind: "stopped-by-hook" }],
  ["stop-hook-continue-false", exited(0), { kind: "stopped-by-hook" }],
  ["stop-hook-block-cap", exited(0), { kind: "stop-hook-overridden" }],
  ["hook-deny-exit2", exited(0), denied],
  ["hook-deny-json", exited(0), denied],
  ["hook-onfailure-block", exited(0), denied],
  ["hook-hang-600s-heartbeats", exited(0), completed],
  ["hook-missing-command", exited(0), completed],
  ["hook-timeout", exited(0), completed],
  ["include-hook-events", exited(0), completed],
  ["hook-defer-resumed", exited(0), silent],
  // Denials.
  ["builtin-rm-rf-root-refused", exited(0), denied],
  ["permission-denied-default-mode", exited(0), denied],
  ["permission-prompts-none", exited(0), denied],
  ["plan-mode-denied", exited(0), denied],
  ["control-protocol.stdout", exited(0), denied],
  // Background work.
  ["background-shell", exited(0), completed],
  ["background-shell-never-ends", exited(0), { kind: "background-abandoned", tasks: 1 }],
  ["long-bash-heartbeats", exited(0), completed],
  ["long-bash-moved-to-background", exited(0), completed],
  ["subagent-background", exited(0), completed],
  ["subagent-background-ceiling-3s", exited(0), { kind: "background-abandoned", tasks: 1 }],
  ["subagent-background-ceiling-600s", exited(0), { kind: "background-abandoned", tasks: 1 }],
  ["subagent-foreground", exited(0), completed],
  ["no-background-subagent", exited(0), completed],
  ["no-background-bash-timeout", exited(0), completed],
  ["v2.1.197-basic-background", exited(0), completed],
  // The rest ended well.
  ["basic", exited(0), completed],
  ["partial-messages", exited(0), completed],
  ["auto-compaction", exited(0), completed],
  ["prompt-too-long-compacts", exited(0), completed],
  ["mcp-server-failed", exited(0), completed],
  ["mcp-server-pending", exited(0), completed],
  ["mcp-toolsearch-call", exited(0), completed],
  ["rm-victim-no-hook", exited(0), completed],
  ["stream-input-clear-compact", exited(0), completed],
  ["structured-output", exited(0), completed],
  ["structured-output-missing", exited(0), silent],
  ["resume", exited(0), silent],
  ["resume-second-process-killed-first", exited(0), silent],
  ["empty-response", exited(0), silent],
  ["zero-tools", exited(0), silent],
  // No stream at all.
  ["interactive-pty-raw", exited(0), completed],
];

const read = (recording: string) => parseAll(readRecording("claude", `${recording}.jsonl`));

describe("why it ended", () => {
  test.each(rows)("the recording %s ends for the reason that was seen", (recording, end, reason) => {
    expect(exitReason(foldEvents(read(recording)), end)).toEqual(reason);
  });

  test("a window spoken in both directions is read from what came out", () => {
    const lines = splitLines(readRecording("claude", "recommended-window-both-directions.jsonl")).map(
      (line) => JSON.parse(line.toString()) as { dir: string; msg: unknown },
    );
    const seen = foldEvents(lines.filter(({ dir }) => dir === "out").flatMap(({ msg }) => [...parseJson(msg)]));
    expect(exitReason(seen, exited(0))).toEqual(denied);
    expect(seen).toMatchObject({ toolCalls: 3, costMicroUsd: 3200, settled: true });
  });

  test("no recording is left out", () => {
    const named = new Set(rows.map(([recording]) => `${recording}.jsonl`));
    expect(recordingsOf("claude").filter((name) => !named.has(name))).toEqual(["recommended-window-both-directions.jsonl"]);
  });

  test("no line of a recording is a shape we do not know", () => {
    expect(rows.flatMap(([recording]) => [...foldEvents(read(recording)).unknown.keys()])).toEqual([]);
  });
});

describe("what they told", () => {
  const tokens = (input: number, output: number, cacheRead = 0, cacheWrite = 0) => ({ input, output, cacheRead, cacheWrite });
  test.each<[string, Partial<Transcript>]>([
    [
      "basic",
      {
        model: "claude-opus-5-5",
        version: "2.1.332",
        toolCalls: 2,
        costMicroUsd: 34_320,
        lastText: "All done.",
        tokens: tokens(1020, 90, 12_200, 5200),
        maxContextTokens: 6210,
        openTools: [],
      },
    ],
    [
      "partial-messages",
      {
        toolCalls: 2,
        costMicroUsd: 34_320,
        tokens: tokens(1020, 90, 12_200, 5200),
        lastTool: { name: "Bash", summary: "cat hello.txt && ls" },
      },
    ],
    ["subagent-foreground", { toolCalls: 1, subagentToolCalls: 1, costMicroUsd: 37_000, backgroundOpen: 0, lastText: "main text step 1" }],
    [
      "subagent-background",
      {
        toolCalls: 1,
        subagentToolCalls: 1,
        costMicroUsd: 44_000,
        results: 2,
        lastText: "main text step 2",
        backgroundOpen: 0,
        backgroundStopped: 0,
      },
    ],
    ["v2.1.197-basic-background", { version: "2.1.197", results: 2, costMicroUsd: 55_000, backgroundOpen: 0 }],
    ["background-shell-never-ends", { results: 1, backgroundOpen: 0, backgroundStopped: 1 }],
    ["sigkill", { costMicroUsd: null, results: 0, openTools: [{ name: "Bash", summary: expect.any(String) as string, subagent: false }] }],
    ["auto-compaction", { compactions: 1, maxContextTokens: 185_000 }],
    ["api-529-default-10-retries", { retries: 10, toolCalls: 0, costMicroUsd: 0 }],
    ["recover-after-529", { retries: 1, waitingFor: null }],
    ["usage-limit-oauth-warning", { limit: { kind: "limit", status: "allowed", resetsAt: 1_796_040_489_000 }, waitingFor: null }],
    ["mcp-server-failed", { mcpServers: [{ name: "harness", status: "failed" }], toolErrors: 1 }],
    ["hook-timeout", { notices: [{ kind: "notice", tag: "hook_no_verdict", text: expect.any(String) as string }] }],
    [
      "stream-input-clear-compact",
      { results: 5, compactions: 1, costMicroUsd: 37_280, sessionIds: [expect.any(String) as string, expect.any(String) as string] },
    ],
    ["plan-mode-denied", { denials: 1, toolErrors: 2 }],
  ])("the recording %s tells what was seen", (recording, expected) => {
    expect(foldEvents(read(recording))).toMatchObject(expected);
  });
});

describe("other agents' streams", () => {
  test.each(["codex", "gemini", "opencode", "pi"])("%s is survived, and nothing in it is taken for a stream that we know", (agent) => {
    for (const name of recordingsOf(agent)) {
      const seen = foldEvents(parseAll(readRecording(agent, name)));
      expect([name, seen.structured, seen.results]).toEqual([name, false, 0]);
      expect(exitReason(seen, exited(0))).toEqual(completed);
      expect(exitReason(seen, exited(1)).kind).toBe("crashed");
    }
  });
});
