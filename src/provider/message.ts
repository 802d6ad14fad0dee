/** An answer in the words of the Messages API: as one message, and as the events of a stream. */
import type { Tokens } from "../core/agent-event.ts";
import type { ScriptStep } from "../ports/provider.ts";

export interface Message {
  readonly id: string;
  readonly model: string;
  readonly blocks: readonly Block[];
  readonly stopReason: string;
  readonly usage: Tokens;
}

type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: object };

/** @param name  unique: ids of message and tool calls are made of it */
export function makeMessage(step: ScriptStep, model: string, name: string): Message {
  const tools = step.tools ?? [];
  const said: readonly Block[] = step.text === undefined || step.text === "" ? [] : [{ type: "text", text: step.text }];
  const calls = tools.map((call, index): Block => ({ type: "tool_use", id: `toolu_${name}_${index}`, name: call.name, input: call.input }));
  return {
    id: `msg_${name}`,
    model,
    blocks: [...said, ...calls],
    stopReason: step.stopReason ?? (tools.length > 0 ? "tool_use" : "end_turn"),
    usage: { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, ...step.usage },
  };
}

export function wholeMessage({ id, model, blocks, stopReason, usage }: Message): object {
  const head = { id, type: "message", role: "assistant", model };
  return { ...head, content: blocks, stop_reason: stopReason, stop_sequence: null, usage: usageFields(usage) };
}

/** The events of a stream, each as it is written. */
export function streamEvents(message: Message): readonly string[] {
  // A stream begins with a guess of the output, the final count comes near its end.
  const start = { ...wholeMessage(message), content: [], stop_reason: null, usage: usageFields({ ...message.usage, output: 1 }) };
  return [
    { type: "message_start", message: start },
    ...message.blocks.flatMap(blockEvents),
    { type: "message_delta", delta: { stop_reason: message.stopReason, stop_sequence: null }, usage: usageFields(message.usage) },
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

export function usageFields({ input, output, cacheRead, cacheWrite }: Tokens): object {
  return { input_tokens: input, output_tokens: output, cache_read_input_tokens: cacheRead, cache_creation_input_tokens: cacheWrite };
}
