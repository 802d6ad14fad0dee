/** An answer in the words of the Messages API: as one message, and as the events of a stream. */
import type { Tokens } from "../../core/agent-event.ts";
import type { ScriptStep } from "../../ports/provider.ts";
import { billedTokens, type Saying } from "../dialect.ts";

type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: object };

export function messageId(name: string): string {
  return `msg_${name}`;
}

export function wholeMessage({ step, request, name }: Saying): object {
  const head = { id: messageId(name), type: "message", role: "assistant", model: request.model };
  return {
    ...head,
    content: blocksOf(step, name),
    stop_reason: stopReason(step),
    stop_sequence: null,
    usage: usageFields(billedTokens(step)),
  };
}

function blocksOf(step: ScriptStep, name: string): readonly Block[] {
  const said: readonly Block[] = step.text === undefined || step.text === "" ? [] : [{ type: "text", text: step.text }];
  const tools = step.tools ?? [];
  const calls = tools.map((call, index): Block => ({ type: "tool_use", id: `toolu_${name}_${index}`, name: call.name, input: call.input }));
  return [...said, ...calls];
}

function stopReason({ stopReason, tools = [] }: ScriptStep): string {
  return stopReason ?? (tools.length > 0 ? "tool_use" : "end_turn");
}

/** The events of a stream, each as it is written. */
export function streamEvents(saying: Saying): readonly string[] {
  const tokens = billedTokens(saying.step);
  // A stream begins with a guess of the output, the final count comes near its end.
  const start = { ...wholeMessage(saying), content: [], stop_reason: null, usage: usageFields({ ...tokens, output: 1 }) };
  return [
    { type: "message_start", message: start },
    ...blocksOf(saying.step, saying.name).flatMap(blockEvents),
    { type: "message_delta", delta: { stop_reason: stopReason(saying.step), stop_sequence: null }, usage: usageFields(tokens) },
    { type: "message_stop" },
  ].map(formatEvent);
}

type StreamEvent = { readonly type: string; readonly [field: string]: unknown };

export function formatEvent(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** The content comes in two pieces, so that a stream can be cut in the midst of it. */
function blockEvents(block: Block, index: number): readonly StreamEvent[] {
  const empty = block.type === "text" ? { type: "text", text: "" } : { ...block, input: {} };
  const content = block.type === "text" ? block.text : JSON.stringify(block.input);
  const middle = Math.ceil(content.length / 2);
  const delta = (piece: string) =>
    block.type === "text" ? { type: "text_delta", text: piece } : { type: "input_json_delta", partial_json: piece };
  return [
    { type: "content_block_start", index, content_block: empty },
    { type: "content_block_delta", index, delta: delta(content.slice(0, middle)) },
    { type: "content_block_delta", index, delta: delta(content.slice(middle)) },
    { type: "content_block_stop", index },
  ];
}

function usageFields({ input, output, cacheRead, cacheWrite }: Tokens): object {
  return { input_tokens: input, output_tokens: output, cache_read_input_tokens: cacheRead, cache_creation_input_tokens: cacheWrite };
}
