import { describe, expect, test } from "vitest";
import { type AgentEvent, type AgentResult, isWork } from "../../src/core/agent-event.ts";
import { createTranscript, foldEvents, type Transcript } from "../../src/core/transcript.ts";

const session: AgentEvent = { kind: "session", sessionId: "s1", model: "opus", version: "2.1.332", tools: [] };
const said = (text: string, subagent = false): AgentEvent => ({ kind: "text", text, subagent });
const plain = (text: string): AgentEvent => ({ kind: "text", text, subagent: false, plain: true });
const call = (toolId: string, subagent = false): AgentEvent => ({ kind: "tool-start", toolId, name: "Bash", summary: "ls", subagent });
const answered = (toolId: string, ok = true): AgentEvent => ({ kind: "tool-end", toolId, ok });
const task = (taskId: string, change: "started" | "completed" | "stopped" | "failed"): AgentEvent => ({
  kind: "background",
  taskId,
  change,
});
const retry: AgentEvent = { kind: "retry", attempt: 1, max: 10, delayMs: 500, status: 529 };

const plainResult: AgentResult = {
  subtype: "success",
  isError: false,
  text: "",
  turns: 1,
  permissionDenials: 0,
  subagentsKilledBySystem: 0,
  hasDeferredTool: false,
};
const result = (change: Partial<AgentResult> = {}): AgentEvent => ({ kind: "result", result: { ...plainResult, ...change } });

function usage(
  key: string,
  counts: readonly [input: number, output: number, cacheRead?: number, cacheWrite?: number],
  options: { final?: boolean; subagent?: boolean } = {},
): AgentEvent {
  const [input, output, cacheRead = 0, cacheWrite = 0] = counts;
  return {
    kind: "usage",
    key,
    tokens: { input, output, cacheRead, cacheWrite },
    final: options.final ?? false,
    subagent: options.subagent ?? false,
  };
}

describe("what a transcript keeps", () => {
  test.each<[string, readonly AgentEvent[], Partial<Transcript>]>([
    [
      "nothing seen is no structured stream",
      [],
      { structured: false, showsTurns: false, hasTurn: false, costMicroUsd: null, lastText: "" },
    ],
    [
      "plain lines are one text and no structured stream",
      [plain("one"), plain("two")],
      { structured: false, hasTurn: false, lastText: "one\ntwo" },
    ],
    [
      "shapes we do not know do not make a stream structured",
      [{ kind: "unknown", type: "turn.started" }],
      { structured: false, unknown: new Map([["turn.started", 1]]) },
    ],
    [
      "a stray plain line does not replace the agent's last words",
      [said("done"), plain("warning: x")],
      { structured: true, lastText: "done" },
    ],
    ["a subagent's words are not the last words", [said("mine"), said("its", true)], { lastText: "mine" }],
    [
      "the session, its model and version are known",
      [session],
      { sessionIds: ["s1"], model: "opus", version: "2.1.332", showsTurns: true },
    ],
    ["each session id is kept once", [session, session, { ...session, sessionId: "s2" }], { sessionIds: ["s1", "s2"] }],
    ["a tool id is counted once", [call("t1"), call("t1"), answered("t1")], { toolCalls: 1, openTools: [] }],
    ["calls of subagents are counted apart", [call("t1"), call("t2", true)], { toolCalls: 1, subagentToolCalls: 1 }],
    [
      "a call without a result is open",
      [call("t1"), call("t2"), answered("t1")],
      { openTools: [{ name: "Bash", summary: "ls", subagent: false }] },
    ],
    ["a failed call is counted", [call("t1"), answered("t1", false)], { toolErrors: 1 }],
    ["a new message closes calls whose result was lost", [usage("m1", [1, 1]), call("t1"), usage("m2", [1, 1])], { openTools: [] }],
    [
      "the blocks of one message close nothing",
      [usage("m1", [1, 1]), call("t1"), usage("m1", [1, 1]), call("t2")],
      { toolCalls: 2, openTools: [call("t1"), call("t2")].map(() => ({ name: "Bash", summary: "ls", subagent: false })) },
    ],
    [
      "the first question stands",
      [
        { kind: "question", text: "ship?" },
        { kind: "question", text: "now?" },
      ],
      { question: "ship?" },
    ],
    [
      "a limit that was only told is no obstacle",
      [{ kind: "limit", status: "warning", resetsAt: 5 }],
      { limit: { kind: "limit", status: "warning", resetsAt: 5 }, waitingFor: null },
    ],
    ["a retry stands in the way until the model is heard", [retry], { retries: 1, waitingFor: retry }],
    ["a retry that was followed by words is over", [retry, said("hello")], { retries: 1, waitingFor: null }],
    ["a failed request that the model follows is over", [{ kind: "api-error", error: "server_error" }, said("hello")], { apiError: null }],
    ["compactions are counted", [{ kind: "compaction", trigger: "auto", beforeTokens: 9, afterTokens: 1 }], { compactions: 1 }],
    [
      "background work that ended is not open (B059)",
      [task("a", "started"), task("b", "started"), task("a", "completed"), task("a", "completed")],
      { backgroundOpen: 1, backgroundStopped: 0 },
    ],
    [
      "work that was stopped after the last words is remembered (B059)",
      [said("bye"), task("a", "started"), task("a", "stopped")],
      { backgroundOpen: 0, backgroundStopped: 1 },
    ],
    [
      "work that was stopped before the model went on is its own affair",
      [task("a", "started"), task("a", "stopped"), said("next")],
      { backgroundStopped: 0 },
    ],
    [
      "the end of a task that never started in the background changes nothing",
      [task("a", "stopped")],
      { backgroundOpen: 0, backgroundStopped: 0 },
    ],
    [
      "denials are the larger of what was seen and what the result says (B077)",
      [{ kind: "tool-denied", toolId: "t1", by: "mode" }, result({ permissionDenials: 3 })],
      { denials: 3 },
    ],
    ["a result settles it", [said("done"), result()], { settled: true, results: 1 }],
    ["a turn after a result opens it again", [result(), said("more")], { settled: false, results: 1 }],
    ["background news after a result does not", [result(), task("a", "completed")], { settled: true }],
    [
      "of several results the last one counts, with its running total (B046)",
      [result({ costMicroUsd: 100 }), result({ costMicroUsd: 250 }), result({ costMicroUsd: 400, text: "c" })],
      { results: 3, costMicroUsd: 400, lastResult: { ...plainResult, costMicroUsd: 400, text: "c" } },
    ],
    ["a smaller later total never lowers it (B048)", [result({ costMicroUsd: 400 }), result({ costMicroUsd: 0 })], { costMicroUsd: 400 }],
    ["a result without an amount is not an amount of 0 (B050)", [result()], { costMicroUsd: null }],
    ["an amount of 0 is an amount", [result({ costMicroUsd: 0 })], { costMicroUsd: 0 }],
  ])("%s", (_name, events, expected) => {
    expect(foldEvents(events)).toMatchObject(expected);
  });
});

describe("tokens", () => {
  const total = (input: number, output: number, cacheRead = 0, cacheWrite = 0) => ({ input, output, cacheRead, cacheWrite });
  test.each<[string, readonly AgentEvent[], Partial<Transcript>]>([
    [
      "a message's usage replaces what it said before",
      [usage("m", [100, 1]), usage("m", [100, 1]), usage("m", [100, 30], { final: true })],
      { tokens: total(100, 30) },
    ],
    [
      "a final usage is not undone by a later line of the same message",
      [usage("m", [100, 30], { final: true }), usage("m", [100, 1])],
      { tokens: total(100, 30) },
    ],
    ["messages add up, subagents' too", [usage("m", [100, 1]), usage("n", [50, 2], { subagent: true })], { tokens: total(150, 3) }],
    [
      "the result's counts win where they are larger",
      [usage("m", [100, 1]), result({ tokens: total(90, 70) })],
      { tokens: total(100, 70) },
    ],
    [
      "context is the largest input of the main conversation, cache included",
      [usage("m", [10, 1, 5000, 200]), usage("n", [10, 1, 100]), usage("s", [90000, 1], { subagent: true })],
      { maxContextTokens: 5210 },
    ],
  ])("%s", (_name, events, expected) => {
    expect(foldEvents(events)).toMatchObject(expected);
  });
});

test("a transcript that was read does not change any more", () => {
  const recorder = createTranscript();
  recorder.add(call("t1"));
  const before = recorder.read();
  const copy = structuredClone(before);
  for (const event of [
    said("x"),
    answered("t1"),
    { kind: "unknown", type: "y" },
    { kind: "notice", tag: "a", text: "b" },
    session,
    result(),
  ] as const)
    recorder.add(event);
  expect(before).toEqual(copy);
});

test("a million events leave a bounded transcript", () => {
  const recorder = createTranscript();
  for (let n = 0; n < 100_000; n += 1) {
    recorder.add(usage(`m${n}`, [1, 1], { subagent: true }));
    recorder.add(call(`t${n}`, true));
    recorder.add(task(`b${n}`, "started"));
    recorder.add({ kind: "unknown", type: `u${n}` });
    recorder.add({ kind: "notice", tag: `n${n}`, text: "x" });
    recorder.add({ ...session, sessionId: `s${n}` });
    recorder.add({ kind: "tool-denied", toolId: `d${n}`, by: "mode" });
    recorder.add(plain("y".repeat(100)));
    recorder.add({ kind: "heartbeat" });
    recorder.add(n % 2 === 0 ? said("z".repeat(5000)) : retry);
  }
  const seen = recorder.read();
  expect(JSON.stringify({ ...seen, unknown: [...seen.unknown] }).length).toBeLessThan(30_000);
  expect(seen).toMatchObject({ subagentToolCalls: 100_000, tokens: { input: 100_000, output: 100_000 } });
  expect(seen.lastText.length).toBe(4096);
  expect([...seen.unknown.values()].reduce((a, b) => a + b)).toBe(100_000);
});

describe("signs of work", () => {
  test.each<[string, AgentEvent, boolean]>([
    ["a heartbeat is none (B139)", { kind: "heartbeat" }, false],
    ["a retry is none", retry, false],
    ["a limit is none", { kind: "limit", status: "allowed" }, false],
    ["a count of tokens is none", usage("m", [1, 1]), false],
    ["a notice is none", { kind: "notice", tag: "a", text: "b" }, false],
    ["words are one", said("x"), true],
    ["plain output is one", plain("x"), true],
    ["a tool's result is one", answered("t"), true],
    ["activity is one", { kind: "activity" }, true],
    ["a shape we do not know is one: another agent's stream must not look dead", { kind: "unknown", type: "item.completed" }, true],
  ])("%s", (_name, event, expected) => {
    expect(isWork(event)).toBe(expected);
  });
});
