/** The scripted provider in the words of OpenAI: the same script, in the shapes that its callers know. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { ScriptedFault, ScriptedProvider, ScriptStep } from "../../src/ports/provider.ts";
import { withProvider } from "./provider-kit.ts";

const folder = mkdtempSync(join(tmpdir(), "midwatch-openai-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ask = ({ url }: ScriptedProvider, change: object = {}, messages: readonly object[] = [{ role: "user", content: "do it" }]) =>
  fetch(`${url}/v1/chat/completions`, { method: "POST", body: JSON.stringify({ model: "gpt-6", messages, ...change }) });
const streamed = { stream: true, stream_options: { include_usage: true } };

interface Chunk {
  readonly choices: readonly {
    readonly delta: { content?: string | null; tool_calls?: readonly CallDelta[] };
    readonly finish_reason: string | null;
  }[];
  readonly usage?: object | null;
}
interface CallDelta {
  readonly index: number;
  readonly id?: string;
  readonly type?: string;
  readonly function: { readonly name?: string; readonly arguments: string };
}

async function readData(response: Response): Promise<readonly string[]> {
  let text = "";
  try {
    for await (const piece of response.body ?? []) text += Buffer.from(piece).toString("utf8");
  } catch {
    text += "data: broken\n\n"; // the connection ended in the midst of it
  }
  return text
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => event.slice("data: ".length));
}

/** What a stream says, put together as a caller does. */
function assemble(data: readonly string[]): object {
  const chunks = data.filter((each) => each !== "[DONE]").map((each) => JSON.parse(each) as Chunk);
  const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
  const calls: { id?: string; type?: string; function: { name?: string; arguments: string } }[] = [];
  for (const call of deltas.flatMap(({ tool_calls = [] }) => tool_calls)) {
    const known = calls[call.index];
    if (known === undefined)
      calls[call.index] = {
        ...(call.id ? { id: call.id } : {}),
        ...(call.type ? { type: call.type } : {}),
        function: { ...call.function },
      };
    else known.function.arguments += call.function.arguments;
  }
  const texts = deltas.map(({ content }) => content).filter((content) => typeof content === "string");
  const message = { role: "assistant", content: texts.length > 0 ? texts.join("") : null, refusal: null };
  return {
    message: calls.length > 0 ? { ...message, tool_calls: calls } : message,
    finish_reason: chunks.flatMap(({ choices }) => choices.map(({ finish_reason }) => finish_reason)).find((reason) => reason !== null),
    usage: chunks.findLast(({ usage }) => usage)?.usage,
  };
}

describe("an answer", () => {
  const input = { command: "echo 'déjà vu 🌙'" };
  const call = (index: number, name: string, args: object) => ({
    id: expect.stringMatching(new RegExp(`^call_\\w+_${index}$`)) as string,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  });
  const usage = (prompt: number, completion: number, cached = 0) => ({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  });
  const said = (content: string | null, calls?: object) => ({
    role: "assistant",
    content,
    refusal: null,
    ...(calls ? { tool_calls: calls } : {}),
  });
  const rows: readonly (readonly [string, ScriptStep, object])[] = [
    ["words", { text: "Good night." }, { message: said("Good night."), finish_reason: "stop", usage: usage(100, 20) }],
    [
      "calls",
      {
        tools: [
          { name: "Bash", input },
          { name: "Write", input: {} },
        ],
      },
      { message: said(null, [call(0, "Bash", input), call(1, "Write", {})]), finish_reason: "tool_calls", usage: usage(100, 20) },
    ],
    [
      "words and a call",
      { text: "Now.", tools: [{ name: "Bash", input }] },
      { message: said("Now.", [call(0, "Bash", input)]), finish_reason: "tool_calls", usage: usage(100, 20) },
    ],
    ["nothing", {}, { message: said(null), finish_reason: "stop", usage: usage(100, 20) }],
    ["a limit", { text: "and", stopReason: "max_tokens" }, { message: said("and"), finish_reason: "length", usage: usage(100, 20) }],
    ["a refusal", { text: "no", stopReason: "refusal" }, { message: said("no"), finish_reason: "content_filter", usage: usage(100, 20) }],
    ["any other reason", { text: "a", stopReason: "stop" }, { message: said("a"), finish_reason: "stop", usage: usage(100, 20) }],
    [
      "cached tokens as part of the prompt",
      { text: "a", usage: { input: 7, output: 5, cacheRead: 30, cacheWrite: 2 } },
      { message: said("a"), finish_reason: "stop", usage: usage(39, 5, 30) },
    ],
  ];

  test.each(rows)("%s come as one completion", async (_title, step, { usage: bill, ...choice }: { usage?: object }) => {
    const body = await withProvider([step], async (provider) => (await ask(provider)).json());
    expect(body).toEqual({
      id: expect.stringMatching(/^chatcmpl-\w+$/) as string,
      object: "chat.completion",
      created: expect.any(Number) as number,
      model: "gpt-6",
      system_fingerprint: null,
      choices: [{ index: 0, logprobs: null, ...choice }],
      usage: bill,
    });
  });

  test.each(rows)("%s come as a stream that adds up to the same", async (_title, step, expected) => {
    const data = await withProvider([step], async (provider) => readData(await ask(provider, streamed)));
    expect([data.at(-1), assemble(data)]).toEqual(["[DONE]", expected]);
  });

  test("a stream tells its usage to those alone who ask", async () => {
    const data = await withProvider([{ text: "a" }], async (provider) => readData(await ask(provider, { stream: true })));
    expect([data.at(-1), data.join("").includes("usage")]).toEqual(["[DONE]", false]);
  });

  test("it names its request in the header of this API", async () => {
    const { headers } = await withProvider([{ text: "a" }], (provider) => ask(provider));
    expect([headers.get("x-request-id"), headers.get("request-id")]).toEqual([expect.stringMatching(/^req_/), null]);
  });
});

test("steps and conversations are found in these messages too", async () => {
  const script = {
    conversations: [
      { when: { system: "you summarise" }, steps: [{ text: "in short" }] },
      { when: { last: "result 2" }, steps: [{ text: "seen both" }] },
      { steps: [{ text: "first" }, { text: "second" }] },
    ],
  };
  const spoken = [
    { role: "user", content: [{ type: "text", text: "do it" }] },
    { role: "assistant", content: null, tool_calls: [] },
  ];
  const results = ["result 1", "result 2"].map((content) => ({ role: "tool", tool_call_id: "c", content }));
  const texts = await withProvider({ script }, async (provider) => {
    const say = async (messages: readonly object[]) =>
      ((await (await ask(provider, {}, messages)).json()) as { choices: { message: { content: string } }[] }).choices[0]?.message.content;
    return [
      await say(spoken.slice(0, 1)),
      await say([...spoken, { role: "tool", tool_call_id: "c", content: "fine" }]),
      await say([...spoken, ...results, { role: "developer", content: "go on" }]),
      await say([{ role: "developer", content: "you summarise" }, ...spoken]),
    ];
  });
  expect(texts).toEqual(["first", "second", "seen both", "in short"]);
});

const error = (type: string, code: string | null) => ({ error: { message: expect.any(String) as string, type, param: null, code } });

describe("a fault", () => {
  const wrong = "invalid_request_error";
  test.each<[ScriptedFault, number, unknown]>([
    [{ kind: "rate-limited" }, 429, error("requests", "rate_limit_exceeded")],
    [{ kind: "overloaded" }, 503, error("server_error", null)],
    [{ kind: "server-error" }, 500, error("server_error", null)],
    [{ kind: "bad-key" }, 401, error(wrong, "invalid_api_key")],
    [{ kind: "forbidden" }, 403, error(wrong, "insufficient_permissions")],
    [{ kind: "no-credit" }, 429, error("insufficient_quota", "insufficient_quota")],
    [{ kind: "no-model" }, 404, error(wrong, "model_not_found")],
    [{ kind: "bad-request" }, 400, error(wrong, null)],
    [{ kind: "prompt-too-long" }, 400, error(wrong, "context_length_exceeded")],
    [{ kind: "http", status: 418 }, 418, error("api_error", null)],
    [{ kind: "usage-limit" }, 429, { error: { ...error("usage_limit_reached", null).error, resets_at: expect.any(Number) as number } }],
  ])("%j is answered as OpenAI would", async (fault, status, body) => {
    const answer = await withProvider([{ fault }], async (provider) => {
      const response = await ask(provider, streamed);
      return [response.status, await response.json()];
    });
    expect(answer).toEqual([status, body]);
  });

  test.each<[string, ScriptStep, number, string]>([
    ["an error in mid-stream is an event", { fault: { kind: "stream-error" } }, 3, '"type":"server_error"'],
    ["its type may be said", { fault: { kind: "stream-error", error: "odd" } }, 3, '"type":"odd"'],
    ["a stream can be cut after half of its words", { text: "half and half", fault: { kind: "cut" } }, 3, "broken"],
    ["a stream can be cut within a call", { tools: [{ name: "Bash", input: { command: "ls" } }], fault: { kind: "cut" } }, 4, "broken"],
    ["a stream can be cut at once", { text: "a", fault: { kind: "cut", afterEvents: 1 } }, 2, "broken"],
  ])("%s", async (_title, step, count, last) => {
    const data = await withProvider([step], async (provider) => readData(await ask(provider, streamed)));
    expect([data.length, data.at(-1)]).toEqual([count, expect.stringContaining(last)]);
  });

  test("what is malformed or too large is refused in these words", async () => {
    await withProvider([], async (provider) => {
      const malformed = await fetch(`${provider.url}/v1/chat/completions`, { method: "POST", body: "{nope" });
      expect([malformed.status, await malformed.json()]).toEqual([400, error(wrong, null)]);
      const large = await ask(provider, { user: "x".repeat(32 * 1024 * 1024) });
      expect([large.status, await large.json()]).toEqual([413, error("request_too_large", null)]);
    });
  });
});

test("a charge has the same names as any other, before the first byte of its answer", async () => {
  const invoicePath = join(folder, "invoice.jsonl");
  const step = { text: "late", firstByteMs: 3_600_000, usage: { input: 7, output: 5, cacheRead: 30, cacheWrite: 2 } };
  const lines = () =>
    readFileSync(invoicePath, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  await withProvider({ script: { conversations: [{ steps: [step] }] }, invoicePath }, async (provider) => {
    void ask(provider, { user: "job-215" }).catch(() => undefined); // it ends with the provider
    await expect.poll(() => lines().length).toBe(1);
  });
  expect(lines().map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      at: expect.any(String) as string,
      request: expect.stringMatching(/^req_/) as string,
      message: expect.stringMatching(/^chatcmpl-/) as string,
      model: "gpt-6",
      input_tokens: 9,
      output_tokens: 5,
      cache_read_input_tokens: 30,
      cache_creation_input_tokens: 0,
      micro_usd: null,
      user: "job-215",
      body_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    },
  ]);
});
