/** What the formats have in common in a request: a JSON object, and words in it. */
import { isObject } from "../../core/json.ts";

type JsonObject = Readonly<Record<string, unknown>>;

const maxText = 16_384;
const decoder = new TextDecoder();

/** Null = no JSON object. */
export function parseObject(body: Uint8Array): JsonObject | null {
  try {
    const value = JSON.parse(decoder.decode(body)) as unknown;
    return isObject(value) ? value : null;
  } catch {
    return null; // no JSON, or larger than a text can be
  }
}

/** Messages in their order; what is none is left out. */
export function messagesOf(body: JsonObject): readonly JsonObject[] {
  const messages = body["messages"];
  return Array.isArray(messages) ? messages.filter(isObject) : [];
}

/** The words of a system prompt or a message, be it a text or a list of blocks. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return steady(content);
  if (!Array.isArray(content)) return "";
  const texts = content.filter(isObject).map(({ text }) => (typeof text === "string" ? steady(text) : ""));
  return texts.filter((text) => text !== "").join("\n");
}

/** Claude Code begins its system prompt with a line that is another one in each request. */
function steady(text: string): string {
  return text.replace(/^x-anthropic-billing-header:.*(?:\n|$)/, "");
}

/** A long text by its ends and its length: enough to tell it from others. */
export function gist(text: string): string {
  if (text.length <= maxText) return text;
  return `${text.slice(0, maxText / 2)}\n${text.length}\n${text.slice(-maxText / 2)}`;
}

/** Null = it does not say, or nothing that can be meant. */
export function positiveInteger(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : null;
}

/** Whether parts of the request are to be cached. Goes through all of it, and takes no depth for too deep. */
export function asksForCache(body: JsonObject): boolean {
  const waiting: unknown[] = [body];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (Array.isArray(value)) for (const item of value) waiting.push(item);
    else if (isObject(value)) {
      if (isObject(value["cache_control"])) return true;
      for (const key of Object.keys(value)) if (typeof value[key] === "object") waiting.push(value[key]);
    }
  }
  return false;
}
