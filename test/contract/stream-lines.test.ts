/** One line of a stream in, events out: the shapes that recordings do not show, and everything that is no such stream. */
import { describe, expect, test } from "vitest";
import { parseStreamLine } from "../../src/adapters/agents/stream-json/parse.ts";
import type { AgentEvent, AgentResult } from "../../src/core/agent-event.ts";
import { parseJson } from "./stream-recordings.ts";

const parseText = (text: string) => parseStreamLine(Buffer.from(text));
const plain = (text: string): AgentEvent => ({ kind: "text", text, subagent: false, plain: true });
const assistant = (block: unknown, change: object = {}) =>
  parseJson({ type: "assistant", message: { id: "m", model: "opus", content: [block] }, parent_tool_use_id: null, ...change });
const toolUse = (name: string, input: unknown) => assistant({ type: "tool_use", id: "t1", name, input });
const summary = (name: string, input: unknown) =>
  toolUse(name, input).flatMap((event) => (event.kind === "tool-start" ? [event.summary] : []))[0];

function resultOf(fields: object): AgentResult | undefined {
  const [event] = parseJson({ type: "result", subtype: "success", is_error: false, num_turns: 1, ...fields });
  return event?.kind === "result" ? event.result : undefined;
}

describe("what is no known event is plain output", () => {
  test.each<[string, string, readonly AgentEvent[]]>([
    ["words are text", "Working on T-1 ...", [plain("Working on T-1 ...")]],
    ["nothing is nothing", "", []],
    ["white space is nothing", " \t\r", []],
    ["control characters alone are nothing", "\u001b[2J\u0007\u0000", []],
    ["half an object is text", '{"type":"resu', [plain('{"type":"resu')]],
    ["an object without a type is text", '{"level":30,"msg":"hi"}', [plain('{"level":30,"msg":"hi"}')]],
    ["a type that is no word is text", '{"type":7}', [plain('{"type":7}')]],
    ["an array is text", '[{"type":"result"}]', [plain('[{"type":"result"}]')]],
    ["garbage before an object makes it text", 'x{"type":"result","subtype":"success"}', [plain('x{"type":"result","subtype":"success"}')]],
    [
      "two objects on one line are text",
      '{"type":"keep_alive"}{"type":"keep_alive"}',
      [plain('{"type":"keep_alive"}{"type":"keep_alive"}')],
    ],
    ["another type is unknown", '{"type":"turn.started"}', [{ kind: "unknown", type: "turn.started" }]],
    ["another program's result is unknown", '{"type":"result","status":"success","stats":{}}', [{ kind: "unknown", type: "result" }]],
    ["another subtype is unknown", '{"type":"system","subtype":"new_thing"}', [{ kind: "unknown", type: "system/new_thing" }]],
    ["a known type without its parts is unknown", '{"type":"assistant","message":"x"}', [{ kind: "unknown", type: "assistant" }]],
    ["a carriage return at the end is harmless", '{"type":"keep_alive"}\r', [{ kind: "heartbeat" }]],
    ["a byte order mark before an object is harmless", '\ufeff{"type":"keep_alive"}', [{ kind: "heartbeat" }]],
    ["of a doubled key the last one counts", '{"type":"result","type":"keep_alive"}', [{ kind: "heartbeat" }]],
    [
      "an object's own prototype key is a key like any other",
      '{"__proto__":{"type":"result"},"type":"keep_alive"}',
      [{ kind: "heartbeat" }],
    ],
    ["a type that names a method is unknown", '{"type":"constructor"}', [{ kind: "unknown", type: "constructor" }]],
  ])("%s", (_name, line, events) => {
    expect(parseText(line)).toEqual(events);
  });

  test("a long plain line keeps its beginning", () => {
    const [event] = parseText(`start ${"x".repeat(100_000)}`);
    expect(event).toMatchObject({ kind: "text", plain: true });
    expect(event?.kind === "text" && event.text.startsWith("start x") && event.text.length <= 8192).toBe(true);
  });

  test("bytes that are no UTF-8 become replacement characters", () => {
    expect(parseStreamLine(Uint8Array.of(0x61, 0xff, 0x62))).toEqual([plain("a\ufffdb")]);
  });
});

describe("text reaches nobody's terminal as a command", () => {
  test.each([
    ["colours go", "\u001b[31mred\u001b[0m", "red"],
    ["window titles go, with what they say", "\u001b]0;owned\u0007ok", "ok"],
    ["links keep their words", "\u001b]8;;http://x\u001b\\word\u001b]8;;\u001b\\", "word"],
    ["an unfinished command goes with its text", "ok\u001b]52;c;aGk", "ok"],
    ["eight-bit commands go", "\u009b2Jok\u0090payload\u009c", "ok"],
    ["control characters go, tabs stay", "a\u0000b\u0008c\td", "abc\td"],
    ["a carriage return cannot overwrite the line", "all good\rFAILED", "all goodFAILED"],
    ["text cannot be turned around", "a\u202eb\u2066c", "abc"],
    ["whole pairs stay", "done 🎉", "done 🎉"],
  ])("%s", (_name, text, cleaned) => {
    expect(parseText(text)).toEqual([plain(cleaned)]);
    expect(assistant({ type: "text", text })).toEqual([{ kind: "text", text: cleaned, subagent: false }]);
  });

  test("half a surrogate pair is replaced", () => {
    expect(parseText('{"type":"assistant","message":{"content":[{"type":"text","text":"a\\ud800b"}]}}')).toEqual([
      { kind: "text", text: "a\ufffdb", subagent: false },
    ]);
  });
});

describe("the summary of a tool call", () => {
  test.each<[string, string, unknown, string]>([
    ["a command is told by itself", "Bash", { command: "npm test", description: "run the tests" }, "npm test"],
    ["a file is told by its path", "Write", { file_path: "/repo/a.ts", content: "x" }, "/repo/a.ts"],
    [
      "a subagent is told by its kind and its task",
      "Agent",
      { subagent_type: "reviewer", description: "look at T-4", prompt: "long" },
      "reviewer: look at T-4",
    ],
    ["a search is told by its pattern", "Grep", { path: "/repo", pattern: "TODO" }, "TODO"],
    ["a page is told by its address", "WebFetch", { url: "https://example.org/a", prompt: "read" }, "https://example.org/a"],
    ["another tool is told by its first text", "mcp__plan__done", { count: 3, task: "T-4", note: "x" }, "T-4"],
    ["a call without text has none", "TodoWrite", { todos: [{ content: "x" }] }, ""],
    ["an input that is no object has none", "Bash", "ls", ""],
    ["a field of another type is passed over", "Bash", { command: ["rm"], description: "list" }, "list"],
    ["lines become one", "Bash", { command: "cat <<E\n a\n\tb\nE" }, "cat <<E a b E"],
    ["control characters go", "Bash", { command: "ls \u001b[31m-l\u0000a" }, "ls -la"],
  ])("%s", (_name, name, input, expected) => {
    expect(summary(name, input)).toBe(expected);
  });

  test("it has at most 200 characters and no half pair at its end", () => {
    for (const text of ["x".repeat(5000), "🎉".repeat(300), `${"x".repeat(198)}🎉🎉`, " ".repeat(10_000)]) {
      const line = summary("Bash", { command: text }) ?? "none";
      expect(line.length).toBeLessThanOrEqual(200);
      expect(line).toBe(line.toWellFormed());
    }
  });
});

describe("money", () => {
  test.each<[string, unknown, number | undefined]>([
    ["dollars become integer millionths", 0.03432, 34_320],
    ["fractions of a millionth are rounded", 0.0024000000000000002, 2400],
    ["nothing spent is 0", 0, 0],
    ["minus zero is 0", -0, 0],
    ["no amount is absent", null, undefined],
    ["a negative amount is absent", -0.5, undefined],
    ["words are absent", "0.5", undefined],
    ["an amount beyond exact integers is absent", 1e300, undefined],
  ])("%s", (_name, usd, expected) => {
    expect(resultOf({ total_cost_usd: usd })?.costMicroUsd).toBe(expected);
  });

  test("an amount that overflows is absent", () => {
    const [event] = parseText('{"type":"result","subtype":"success","total_cost_usd":1e999}');
    expect(event?.kind === "result" && "costMicroUsd" in event.result).toBe(false);
  });

  test("one model of unknown price makes the basis unknown", () => {
    expect(resultOf({ modelUsage: { a: { costBasis: "list" }, b: { costBasis: "unknown" } } })?.costBasis).toBe("unknown");
    expect(resultOf({ modelUsage: { a: { costBasis: "list" } } })?.costBasis).toBe("list");
    expect(resultOf({})?.costBasis).toBeUndefined();
  });
});

describe("single lines", () => {
  test.each<[string, unknown, readonly AgentEvent[]]>([
    [
      "the result's text is its errors where it has none",
      { type: "result", subtype: "error_during_execution", is_error: true, errors: ["no", "way"] },
      [
        {
          kind: "result",
          result: {
            subtype: "error_during_execution",
            isError: true,
            text: "no\nway",
            turns: 0,
            permissionDenials: 0,
            subagentsKilledBySystem: 0,
            hasDeferredTool: false,
          },
        },
      ],
    ],
    [
      "thinking is a heartbeat (B139)",
      { type: "stream_event", event: { type: "content_block_delta", delta: { type: "thinking_delta", thinking: "hm" } } },
      [{ kind: "heartbeat" }],
    ],
    [
      "writing is a sign of work",
      { type: "stream_event", event: { type: "content_block_delta", delta: { type: "text_delta", text: "a" } } },
      [{ kind: "activity" }],
    ],
    ["a ping is a heartbeat", { type: "stream_event", event: { type: "ping" } }, [{ kind: "heartbeat" }]],
    [
      "the progress of a tool is a heartbeat",
      { type: "tool_progress", tool_use_id: "t-heartbeat-0", parent_tool_use_id: "t" },
      [{ kind: "heartbeat" }],
    ],
    [
      "a limit's reset time is milliseconds",
      { type: "rate_limit_event", rate_limit_info: { status: "rejected", resetsAt: 1_796_044_088 } },
      [{ kind: "limit", status: "rejected", resetsAt: 1_796_044_088_000 }],
    ],
    [
      "a rejected limit that is served as overage stops nothing",
      { type: "rate_limit_event", rate_limit_info: { status: "rejected", isUsingOverage: true } },
      [{ kind: "limit", status: "warning" }],
    ],
    [
      "a reset time that is none is absent (B040)",
      { type: "rate_limit_event", rate_limit_info: { status: "rejected", resetsAt: "Jan 3 at 5am" } },
      [{ kind: "limit", status: "rejected" }],
    ],
    [
      "a failed request is told with the recorded words",
      {
        type: "assistant",
        error: "server_error",
        api_error_type: "overloaded_error",
        api_error_status: null,
        message: { model: "<synthetic>", content: [{ type: "text", text: "Overloaded" }] },
      },
      [{ kind: "api-error", error: "server_error", type: "overloaded_error", text: "Overloaded" }],
    ],
    [
      "a subagent's failed request is its parent's affair",
      { type: "assistant", error: "rate_limit", parent_tool_use_id: "t", message: { model: "<synthetic>", content: [] } },
      [{ kind: "notice", tag: "subagent-api-error", text: "" }],
    ],
    [
      "the result of a tool ends it, and its words are not read",
      {
        type: "user",
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t", is_error: true, content: "rate limit" }] },
      },
      [{ kind: "tool-end", toolId: "t", ok: false }],
    ],
    [
      "is_error with the value false is no error (B134)",
      { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t", is_error: false }] } },
      [{ kind: "tool-end", toolId: "t", ok: true }],
    ],
    [
      "words that the agent put in are only a sign of work",
      { type: "user", message: { role: "user", content: [{ type: "text", text: "Stop hook feedback" }] } },
      [{ kind: "activity" }],
    ],
    [
      "a foreground task is no background work",
      { type: "system", subtype: "task_started", task_id: "a", is_backgrounded: false },
      [{ kind: "activity" }],
    ],
    [
      "an older version does not say where a task runs: it may be the background",
      { type: "system", subtype: "task_started", task_id: "a" },
      [{ kind: "background", taskId: "a", change: "started" }],
    ],
    [
      "a command that takes long is moved to the background",
      { type: "system", subtype: "task_updated", task_id: "a", patch: { is_backgrounded: true } },
      [{ kind: "background", taskId: "a", change: "started" }],
    ],
    [
      "a killed task is stopped",
      { type: "system", subtype: "task_updated", task_id: "a", patch: { status: "killed" } },
      [{ kind: "background", taskId: "a", change: "stopped" }],
    ],
    [
      "a failed compaction is noticed",
      { type: "system", subtype: "status", status: null, compact_result: "failed", compact_error: "exhausted" },
      [{ kind: "notice", tag: "compaction-failed", text: "exhausted" }],
    ],
  ])("%s", (_name, line, events) => {
    expect(parseJson(line)).toEqual(events);
  });

  test("the agent's own question tool is a call and a question (B075)", () => {
    expect(toolUse("AskUserQuestion", { questions: [{ question: "Ship it?", options: [] }, { question: "Today?" }] })).toEqual([
      { kind: "tool-start", toolId: "t1", name: "AskUserQuestion", summary: "", subagent: false },
      { kind: "question", text: "Ship it? / Today?" },
    ]);
  });

  test("tools that the provider runs are calls too", () => {
    expect(assistant({ type: "server_tool_use", id: "s", name: "web_search", input: { query: "q" } })).toEqual([
      { kind: "tool-start", toolId: "s", name: "web_search", summary: "q", subagent: false },
    ]);
    expect(assistant({ type: "web_search_tool_result", tool_use_id: "s", content: [] })).toEqual([
      { kind: "tool-end", toolId: "s", ok: true },
    ]);
  });
});

describe("monstrous lines take no time", () => {
  const quickly = (line: Buffer) => {
    const start = performance.now();
    const events = parseStreamLine(line);
    expect(performance.now() - start).toBeLessThan(1000);
    return events;
  };
  const mebibytes = (count: number) => count * 1024 * 1024;

  test.each<[string, () => string, string]>([
    ["10,000 nested arrays", () => `{"type":"user","message":{"content":[]},"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`, "activity"],
    ["10,000 nested objects without an end", () => '{"type":'.repeat(10_000), "text"],
    [
      "a tool result of 16 MiB",
      () =>
        JSON.stringify({
          type: "user",
          message: { content: [{ type: "tool_result", tool_use_id: "t", content: "line\n".repeat(mebibytes(3)) }] },
        }),
      "tool-end",
    ],
    ["half an object of 16 MiB", () => `{"type":"user","x":"${"a".repeat(mebibytes(16))}`, "text"],
    ["16 MiB of unfinished terminal commands", () => "\u001b]".repeat(mebibytes(8)), "none"],
    [
      "a text of 16 MiB of terminal commands",
      () => JSON.stringify({ type: "assistant", message: { content: [{ type: "text", text: `${"\u001b[1m".repeat(mebibytes(2))}!` }] } }),
      "text",
    ],
    [
      "a command of 16 MiB of white space",
      () =>
        JSON.stringify({
          type: "assistant",
          message: { content: [{ type: "tool_use", id: "t", name: "Bash", input: { command: " \n".repeat(mebibytes(5)) } }] },
        }),
      "tool-start",
    ],
    ["300,000 keys", () => `{${Array.from({ length: 300_000 }, (_, n) => `"k${n}":0`).join(",")},"type":"keep_alive"}`, "heartbeat"],
  ])("%s: under a second", (_name, make, kind) => {
    expect(quickly(Buffer.from(make()))[0]?.kind ?? "none").toBe(kind);
  });
});
