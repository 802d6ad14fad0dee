/** An answer in the words of the Chat Completions API: as one completion, and as the chunks of a stream. */
import type { Tokens } from "../../core/agent-event.ts";
import { isObject } from "../../core/json.ts";
import type { ProviderRequest, ScriptStep } from "../../ports/provider.ts";
import { billedTokens, type Saying } from "../dialect.ts";

export function completionId(name: string): string {
  return `chatcmpl-${name}`;
}

/** This API knows no price for writing to a cache: such tokens are input. */
export function tokensOf(step: ScriptStep): Tokens {
  const { input, output, cacheRead, cacheWrite } = billedTokens(step);
  return { input: input + cacheWrite, output, cacheRead, cacheWrite: 0 };
}

export function wholeCompletion(saying: Saying): object {
  const { step } = saying;
  const calls = callsOf(saying);
  const message = { role: "assistant", content: step.text ?? null, refusal: null, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: finishReason(step) }];
  return { ...head(saying, "chat.completion"), choices, usage: usageFields(tokensOf(step)) };
}

function head({ request, name, now }: Saying, object: string): object {
  return { id: completionId(name), object, created: Math.floor(now / 1000), model: request.model, system_fingerprint: null };
}

function callsOf({ step, name }: Saying) {
  return (step.tools ?? []).map((call, index) => ({
    id: `call_${name}_${index}`,
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.input) },
  }));
}

const finishReasons: Readonly<Record<string, string>> = {
  end_turn: "stop",
  tool_use: "tool_calls",
  max_tokens: "length",
  refusal: "content_filter",
};

function finishReason({ stopReason, tools = [] }: ScriptStep): string {
  const said = stopReason ?? (tools.length > 0 ? "tool_use" : "end_turn");
  return Object.hasOwn(finishReasons, said) ? (finishReasons[said] ?? said) : said;
}

/** The chunks of a stream, each as it is written, with the usage in the last one where the request asks for it. */
export function streamChunks(saying: Saying): readonly string[] {
  const wantsUsage = includesUsage(saying.request);
  const common = { ...head(saying, "chat.completion.chunk"), ...(wantsUsage ? { usage: null } : {}) };
  const chunk = (delta: object, finish: string | null = null) =>
    formatData({ ...common, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
  return [
    chunk({ role: "assistant", content: saying.step.text === undefined ? null : "", refusal: null }),
    ...halves(saying.step.text ?? "").map((content) => chunk({ content })),
    ...callsOf(saying)
      .flatMap(callDeltas)
      .map((call) => chunk({ tool_calls: [call] })),
    chunk({}, finishReason(saying.step)),
    ...(wantsUsage ? [formatData({ ...common, choices: [], usage: usageFields(tokensOf(saying.step)) })] : []),
    "data: [DONE]\n\n",
  ];
}

export function formatData(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function includesUsage({ body }: ProviderRequest): boolean {
  const options = body["stream_options"];
  return isObject(options) && options["include_usage"] === true;
}

/** In two pieces, so that a stream can be cut in the midst of it. */
function halves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  return text === "" ? [] : [text.slice(0, middle), text.slice(middle)];
}

function callDeltas(call: ReturnType<typeof callsOf>[number], index: number): readonly object[] {
  const pieces = halves(call.function.arguments);
  return [
    { index, ...call, function: { ...call.function, arguments: "" } },
    ...pieces.map((piece) => ({ index, function: { arguments: piece } })),
  ];
}

function usageFields({ input, output, cacheRead }: Tokens): object {
  const prompt = input + cacheRead;
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cacheRead, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
}
