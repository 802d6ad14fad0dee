/** What the scripted provider says: which step, in which shape, and how fast. */
import { describe, expect, test } from "vitest";
import type { ProviderScript, ScriptStep } from "../../src/ports/provider.ts";
import { ask, assemble, conversation, readEvents, withProvider } from "./provider-kit.ts";

const textOf = async (response: Response) =>
  ((await response.json()) as { content: { text: string }[] }).content.map(({ text }) => text).join();
const says = (text: string): ScriptStep => ({ text });

describe("which step answers", () => {
  const script: ProviderScript = {
    conversations: [
      { when: { prompt: "count the files" }, steps: [says("three files")] },
      { when: { system: "you summarise" }, steps: [says("in short")] },
      { when: { last: "result 1" }, steps: [says("seen result 1")] },
      { when: { prompt: "do it" }, steps: [says("first"), says("second"), says("third")] },
    ],
  };
  const subagent = { messages: [{ role: "user", content: [{ type: "text", text: "Please count the files." }] }] };
  const stranger = { messages: [{ role: "user", content: "something else" }] };
  test.each<[string, object, string]>([
    ["the first request meets the first step", conversation(0), "first"],
    ["one message of the assistant later it is the second", conversation(1), "second"],
    ["a conversation is known by the result of its last call", conversation(2), "seen result 1"],
    ["the last step repeats when it calls nothing", conversation(7), "third"],
    ["a subagent has a script of its own, by its task", subagent, "three files"],
    [
      "a subagent has a script of its own, by its system prompt",
      conversation(0, { system: [{ type: "text", text: "you summarise" }] }),
      "in short",
    ],
    ["a system prompt may be plain text", conversation(0, { system: "you summarise" }), "in short"],
    ["a conversation that no script fits is told so", stranger, "No conversation of the script fits this request."],
    [
      "messages of an unknown role do not count",
      conversation(0, {
        messages: [
          { role: "user", content: "do it" },
          { role: "system", content: "by the way" },
        ],
      }),
      "first",
    ],
  ])("%s", async (_title, body, text) => {
    expect(await withProvider({ script }, async (provider) => textOf(await ask(provider, body)))).toBe(text);
  });

  test("a retry meets the same step", async () => {
    const texts = await withProvider({ script }, async (provider) => [
      await textOf(await ask(provider, conversation(1))),
      await textOf(await ask(provider, conversation(1))),
    ]);
    expect(texts).toEqual(["second", "second"]);
  });

  test("a script that ends in a call does not call for ever", async () => {
    const steps = [{ tools: [{ name: "Bash", input: { command: "true" } }] }];
    expect(await withProvider(steps, async (provider) => textOf(await ask(provider, conversation(1))))).toBe("The script is over.");
  });

  test("a function may choose the step, and its mistake is an answer", async () => {
    const steps = ({ step, model }: { step: number; model: string }): ScriptStep => {
      if (step > 0) throw new Error("no such step");
      return says(model);
    };
    await withProvider({ script: { conversations: [{ steps }] } }, async (provider) => {
      expect(await textOf(await ask(provider, conversation(0)))).toBe("claude-opus-5-5");
      const mistake = await ask(provider, conversation(1));
      expect([mistake.status, await mistake.json()]).toEqual([
        500,
        { type: "error", error: { type: "api_error", message: "no such step" } },
      ]);
      expect(await textOf(await ask(provider, conversation(0)))).toBe("claude-opus-5-5");
    });
  });
});

describe("the shape of an answer", () => {
  const id = expect.stringMatching(/^msg_\w+$/) as string;
  const toolId = expect.stringMatching(/^toolu_\w+$/) as string;
  const usage = { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const head = { id, type: "message", role: "assistant", model: "claude-opus-5-5", stop_sequence: null };
  const input = { command: "echo 'déjà vu 🌙'", description: "a\nb" };
  const rows: readonly [string, ScriptStep, object][] = [
    ["words", says("Good night."), { content: [{ type: "text", text: "Good night." }], stop_reason: "end_turn", usage }],
    [
      "calls of tools",
      {
        tools: [
          { name: "Bash", input },
          { name: "Write", input: {} },
        ],
      },
      {
        content: [
          { type: "tool_use", id: toolId, name: "Bash", input },
          { type: "tool_use", id: toolId, name: "Write", input: {} },
        ],
        stop_reason: "tool_use",
        usage,
      },
    ],
    [
      "words and a call",
      { text: "Now.", tools: [{ name: "Bash", input }] },
      {
        content: [
          { type: "text", text: "Now." },
          { type: "tool_use", id: toolId, name: "Bash", input },
        ],
        stop_reason: "tool_use",
        usage,
      },
    ],
    ["nothing", {}, { content: [], stop_reason: "end_turn", usage }],
    [
      "a refusal",
      { text: "I cannot", stopReason: "refusal" },
      { content: [{ type: "text", text: "I cannot" }], stop_reason: "refusal", usage },
    ],
    [
      "a pause",
      { text: "wait", stopReason: "pause_turn" },
      { content: [{ type: "text", text: "wait" }], stop_reason: "pause_turn", usage },
    ],
    [
      "any usage",
      { text: "a", usage: { input: 7, output: 5, cacheRead: 12_000, cacheWrite: 9 } },
      {
        content: [{ type: "text", text: "a" }],
        stop_reason: "end_turn",
        usage: { input_tokens: 7, output_tokens: 5, cache_read_input_tokens: 12_000, cache_creation_input_tokens: 9 },
      },
    ],
  ];

  test.each(rows)("%s come as one message", async (_title, step, expected) => {
    const body = await withProvider([step], async (provider) => (await ask(provider, conversation(0))).json());
    expect(body).toEqual({ ...head, ...expected });
  });

  test.each(rows)("%s come as a stream that adds up to the same", async (_title, step, expected) => {
    const { events } = await withProvider([step], async (provider) => readEvents(await ask(provider, conversation(0, { stream: true }))));
    expect(assemble(events)).toEqual({ ...head, ...expected });
    expect(events.at(-1)).toEqual({ type: "message_stop" });
  });

  test("ids differ from answer to answer", async () => {
    const ids = await withProvider([says("a")], async (provider) => {
      const answers = [await ask(provider, conversation(0)), await ask(provider, conversation(0))];
      return [
        ...(await Promise.all(answers.map(async (answer) => ((await answer.json()) as { id: string }).id))),
        ...answers.map(({ headers }) => headers.get("request-id")),
      ];
    });
    expect(new Set(ids).size).toBe(4);
  });

  test("headers of a step come with its answer", async () => {
    const headers = { "anthropic-ratelimit-unified-status": "allowed_warning" };
    const answer = await withProvider([{ text: "a", headers }], (provider) => ask(provider, conversation(0)));
    expect(answer.headers.get("anthropic-ratelimit-unified-status")).toBe("allowed_warning");
  });

  test("a stream is as slow as its step says", async () => {
    const startedAt = performance.now();
    const step = { text: "slow", firstByteMs: 60, betweenMs: 20 };
    const { events } = await withProvider([step], async (provider) => readEvents(await ask(provider, conversation(0, { stream: true }))));
    expect(events.length).toBe(7);
    expect(performance.now() - startedAt).toBeGreaterThan(60 + 6 * 20 - 7);
  });
});

describe("what is not for the model", () => {
  test.each([
    ["HEAD", "/api/hello", 200],
    ["GET", "/", 200],
    ["GET", "/v1/models", 200],
    ["POST", "/v1/complete", 404],
    ["DELETE", "/v1/messages", 404],
    ["OPTIONS", "/v1/messages", 404],
  ])("%s %s is answered with %i", async (method, path, status) => {
    const answer = await withProvider([], ({ url }) => fetch(`${url}${path}`, { method }));
    expect(answer.status).toBe(status);
  });

  test("tokens are counted, roughly, and no step is played", async () => {
    await withProvider([says("a")], async (provider) => {
      expect(await (await ask(provider, conversation(0), "/v1/messages/count_tokens")).json()).toEqual({ input_tokens: 19 });
      expect(provider.calls.map(({ step, status }) => [step, status])).toEqual([[null, 200]]);
    });
  });
});
