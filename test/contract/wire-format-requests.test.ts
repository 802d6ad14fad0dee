/** What is read of a request before it leaves, which paths are calls, and what an agent is told in the provider's place. */
import { describe, expect, test } from "vitest";
import { dice } from "./stream-mutations.ts";
import { formats } from "./wire-format-kit.ts";

const { anthropic, openai } = formats;
const bytes = (value: unknown) => Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
const user = (content: unknown) => ({ role: "user", content });
const bare = { stream: false, maxOutputTokens: null, answers: 1, writesCache: false };

describe("a request", () => {
  const ask = { model: "m", messages: [user("hello")] };
  test.each<[string, object, object]>([
    ["its model", ask, {}],
    ["whether it is a stream", { ...ask, stream: true }, { stream: true }],
    ["only true is true", { ...ask, stream: "yes" }, {}],
    ["the most tokens of its answer", { ...ask, max_tokens: 64_000 }, { maxOutputTokens: 64_000 }],
    ["a most that cannot be is none", { ...ask, max_tokens: -1 }, {}],
    ["a most that is no integer is none", { ...ask, max_tokens: 1e300 }, {}],
    [
      "a cache in the system prompt",
      { ...ask, system: [{ type: "text", text: "", cache_control: { type: "ephemeral" } }] },
      { writesCache: true },
    ],
    [
      "a cache in a message",
      { ...ask, messages: [user([{ type: "text", text: "hello", cache_control: { type: "ephemeral", ttl: "1h" } }])] },
      { writesCache: true },
    ],
    [
      "a cache in a tool",
      { ...ask, tools: [{ name: "Bash", input_schema: {}, cache_control: { type: "ephemeral" } }] },
      { writesCache: true },
    ],
    ["a cache for the whole", { ...ask, cache_control: { type: "ephemeral" } }, { writesCache: true }],
    ["no cache where it is null", { ...ask, cache_control: null }, {}],
    ["no cache where only words speak of it", { ...ask, messages: [user("hello")], metadata: { user_id: '"cache_control":{}' } }, {}],
  ])("both formats read %s", (_title, body, expected) => {
    for (const format of [anthropic, openai])
      expect(format.readRequest(bytes(body))).toEqual({ ...bare, model: "m", conversation: "\n\nhello", ...expected });
  });

  test.each<[string, object, object]>([
    ["the newer name of the most tokens", { max_completion_tokens: 900 }, { maxOutputTokens: 900 }],
    ["the larger of both", { max_completion_tokens: 900, max_tokens: 1000 }, { maxOutputTokens: 1000 }],
    ["how many answers are asked for", { n: 4 }, { answers: 4 }],
    ["one answer where that is none", { n: 0 }, { answers: 1 }],
  ])("OpenAI: %s", (_title, change, expected) => {
    expect(openai.readRequest(bytes({ ...ask, ...change }))).toEqual({ ...bare, model: "m", conversation: "\n\nhello", ...expected });
  });

  test.each<[string, string | Buffer]>([
    ["nothing", ""],
    ["no JSON", "{nope"],
    ["a list", "[1]"],
    ["null", "null"],
    ["no model", '{"messages":[]}'],
    ["an empty model", '{"model":""}'],
    ["a model that is no text", '{"model":{"name":"m"}}'],
    ["numbers that JSON does not have", '{"model":"m","temperature":NaN}'],
    ["another encoding", Buffer.from('{"model":"m"}', "utf16le")],
    ["a compressed body", Buffer.from("1f8b0800", "hex")],
  ])("%s is none", (_title, body) => {
    expect([anthropic.readRequest(bytes(body as string)), openai.readRequest(Buffer.from(body as string))]).toEqual([null, null]);
  });

  test("a byte order mark and odd bytes do no harm", () => {
    const body = Buffer.concat([
      Buffer.from('\ufeff{"model":"m","messages":[{"role":"user","content":"a'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('"}]}'),
    ]);
    expect(anthropic.readRequest(body)?.conversation).toBe("\n\na\ufffd\ufffd");
  });

  test("no nest is too deep", () => {
    const deep = `{"model":"m","messages":${"[".repeat(300_000)}${"]".repeat(300_000)}}`;
    for (const format of [anthropic, openai]) expect(() => format.readRequest(Buffer.from(deep))).not.toThrow();
  });

  test("1000 requests gone wrong are read or not, and nothing is thrown", () => {
    const whole = bytes({
      model: "m",
      stream: true,
      max_tokens: 5,
      system: [{ text: "s", cache_control: {} }, 5, null],
      messages: [null, 7, user(null), user([null, { text: 4 }])],
    });
    for (let seed = 1; seed <= 1000; seed += 1) {
      const roll = dice(seed);
      const body = Buffer.from(whole);
      for (let times = roll.below(4); times >= 0; times -= 1) body[roll.below(body.length)] = roll.below(256);
      for (const format of [anthropic, openai]) expect(["string", "undefined"]).toContain(typeof format.readRequest(body)?.conversation);
    }
  });
});

describe("a conversation", () => {
  const of = (body: object) => anthropic.readRequest(bytes({ model: "m", ...body }))?.conversation;
  const spoken = [user("do it"), { role: "assistant", content: "done" }, user("more")];

  test("it is the same in its later requests", () => {
    const system = (nonce: string) => [
      { type: "text", text: `x-anthropic-billing-header: cc_version=2; cch=${nonce};` },
      { type: "text", text: "You are." },
    ];
    const requests = [
      { system: system("36ee5"), messages: [user("do it")] },
      {
        system: system("0aaa9"),
        messages: [user([{ type: "text", text: "do it", cache_control: { type: "ephemeral" } }]), ...spoken.slice(1)],
      },
    ];
    expect(requests.map(of)).toEqual(["You are.\n\ndo it", "You are.\n\ndo it"]);
  });

  test("a subagent's is another one, by its task or its system prompt", () => {
    const texts = [
      of({ system: "a", messages: spoken }),
      of({ system: "a", messages: [user("count")] }),
      of({ system: "b", messages: spoken }),
    ];
    expect(new Set(texts).size).toBe(3);
  });

  test("it is bounded, and long ones differ by their ends and their length", () => {
    const long = (end: string) => of({ system: `${"s".repeat(1_000_000)}${end}`, messages: [user("u".repeat(1_000_000))] });
    expect(long("a")?.length).toBeLessThan(40_000);
    expect(new Set([long("a"), long("b"), long("aa")]).size).toBe(3);
  });

  test("OpenAI's system prompt is what comes before the user", () => {
    const messages = [
      { role: "developer", content: "one" },
      { role: "system", content: [{ type: "text", text: "two" }] },
      ...spoken,
      { role: "system", content: "late" },
    ];
    expect(openai.readRequest(bytes({ model: "m", messages }))?.conversation).toBe("one\ntwo\n\ndo it");
  });
});

describe("a path", () => {
  const strange = ["/v1/../v1", "/v1//", "//v1", "/v1/./", "/v1%2f", "/v1/%2e%2e/v1/", "/v1\\", "/V1/", "/v1/x/../"];
  test.each<[string, boolean, boolean]>([
    ["/v1/messages", true, false],
    ["/messages", true, false],
    ["/v1/messages?beta=true", true, false],
    ["/v1/messages?x=/chat/completions", true, false],
    ["/v1/chat/completions", false, true],
    ["/chat/completions", false, true],
    ["/chat/completions?a=1", false, true],
    ["/v1/messages/", false, false],
    ["/v1/messages/batches", false, false],
    ["/v1/messages/count_tokens", false, false],
    ["/v1/complete", false, false],
    ["/v1/v1/messages", false, false],
    ["/Messages", false, false],
    ["/v1/messages#x", false, false],
    ["messages", false, false],
    ["", false, false],
    ...strange.flatMap((front): [string, boolean, boolean][] => [
      [`${front}messages`, false, false],
      [`${front}chat/completions`, false, false],
    ]),
  ])("%s: a call for Anthropic %s, for OpenAI %s", (path, isAnthropic, isOpenAi) => {
    expect([anthropic.isCall(path), openai.isCall(path)]).toEqual([isAnthropic, isOpenAi]);
  });

  test.each<[string, string, boolean, boolean]>([
    ["GET", "/v1/models", true, true],
    ["GET", "/models?limit=9", true, true],
    ["GET", "/models/gpt-6", true, true],
    ["HEAD", "/", true, true],
    ["HEAD", "/api/hello", true, true],
    ["GET", "/api/hello", true, true],
    ["POST", "/v1/messages/count_tokens?beta=true", true, false],
    ["GET", "/v1/messages/count_tokens", false, false],
    ["POST", "/v1/models", false, false],
    ["POST", "/v1/messages", false, false],
    ["GET", "/v1/realtime", false, false],
    ["DELETE", "/v1/models/x", false, false],
    ["GET", "/v1/models/../messages", false, false],
    ["GET", "/v1/models/..", false, false],
    ["GET", "/v1/models/%2e%2e", false, false],
    ["GET", "/v1//models", false, false],
    ["HEAD", "//", false, false],
    ["get", "/v1/models", false, false],
  ])("%s %s: free for Anthropic %s, for OpenAI %s", (method, path, isAnthropic, isOpenAi) => {
    expect([anthropic.isFree(method, path), openai.isFree(method, path)]).toEqual([isAnthropic, isOpenAi]);
  });
});

describe("an answer of ours", () => {
  const sentence = 'the cap of the window is reached: "hand off"\n🌙';
  test("a refusal has the provider's shape, and says that trying again is no use", () => {
    const headers = [
      ["content-type", "application/json"],
      ["x-should-retry", "false"],
    ];
    const [one, other] = [anthropic.refusal(sentence), openai.refusal(sentence)];
    expect([one.status, one.headers, JSON.parse(one.body)]).toEqual([
      400,
      headers,
      { type: "error", error: { type: "billing_error", message: sentence } },
    ]);
    expect([other.status, other.headers, JSON.parse(other.body)]).toEqual([
      400,
      headers,
      { error: { message: sentence, type: "invalid_request_error", param: null, code: null } },
    ]);
  });

  test.each([
    [502, "api_error", "server_error"],
    [529, "overloaded_error", "server_error"],
    [413, "request_too_large", "invalid_request_error"],
    [404, "not_found_error", "invalid_request_error"],
    [429, "rate_limit_error", "rate_limit_exceeded"],
    [422, "invalid_request_error", "invalid_request_error"],
  ])("a failure with %i may be tried again where its status says so", (status, type, openAiType) => {
    const [one, other] = [anthropic.failure(status, "no"), openai.failure(status, "no")];
    expect([one, other].map(({ status, headers }) => [status, headers])).toEqual(
      Array(2).fill([status, [["content-type", "application/json"]]]),
    );
    expect([JSON.parse(one.body), JSON.parse(other.body)]).toEqual([
      { type: "error", error: { type, message: "no" } },
      { error: { message: "no", type: openAiType, param: null, code: null } },
    ]);
  });

  test("what we say is read as what it is", () => {
    for (const format of Object.values(formats)) {
      const { status, body } = format.refusal("no");
      const reader = format.openAnswer(status, "application/json");
      reader.feed(Buffer.from(body));
      expect([reader.isComplete, reader.end(true).failure]).toEqual([true, "refused"]);
    }
  });
});
