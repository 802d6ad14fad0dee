/** One question to one model, for the jobs of a prompt batch. It goes through the gateway, which books it; nothing here retries. */
import * as z from "zod";
import { headerValue, type UpstreamPlan } from "../../core/upstream.ts";
import type { ModelAnswer, ModelQuestion } from "../../ports/models.ts";

/** Never rejects. */
export async function askModel(question: ModelQuestion, { baseUrl, key }: UpstreamPlan): Promise<ModelAnswer> {
  try {
    const { path, headers, body } = question.provider === "anthropic" ? anthropic(question) : openai(question);
    const signed = key === null ? headers : { ...headers, [key.header]: headerValue(key) };
    const response = await fetch(`${baseUrl}${path}`, { method: "POST", headers: signed, body: JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) return { kind: "failed", detail: `${response.status}: ${errorIn(text)}` };
    const said = question.provider === "anthropic" ? anthropicText(JSON.parse(text)) : openaiText(JSON.parse(text));
    return said === null ? { kind: "failed", detail: "the model gave no answer" } : checked(said, question.schema);
  } catch (error) {
    return { kind: "failed", detail: error instanceof Error ? `${error.message}${causeOf(error)}` : String(error) };
  }
}

const toolName = "answer";

function anthropic({ model, prompt, schema, maxOutputTokens }: ModelQuestion) {
  const tools = [{ name: toolName, description: "Gives the answer.", input_schema: schema }];
  return {
    path: "/v1/messages",
    headers: { "content-type": "application/json", "anthropic-version": "2023-06-01" },
    body: {
      ...{ model, max_tokens: maxOutputTokens, messages: [{ role: "user", content: prompt }] },
      ...(schema === null ? {} : { tools, tool_choice: { type: "tool", name: toolName } }),
    },
  };
}

function openai({ model, prompt, schema, maxOutputTokens }: ModelQuestion) {
  return {
    path: "/chat/completions",
    headers: { "content-type": "application/json" },
    body: {
      ...{ model, max_completion_tokens: maxOutputTokens, messages: [{ role: "user", content: prompt }] },
      ...(schema === null ? {} : { response_format: { type: "json_schema", json_schema: { name: toolName, schema } } }),
    },
  };
}

const anthropicMessage = z.object({
  content: z.array(
    z.union([
      z.object({ type: z.literal("text"), text: z.string() }),
      z.object({ type: z.literal("tool_use"), name: z.string(), input: z.unknown() }),
      z.object({ type: z.string() }),
    ]),
  ),
});

function anthropicText(body: unknown): string | null {
  const { content } = anthropicMessage.parse(body);
  for (const block of content) if ("input" in block && block.name === toolName) return JSON.stringify(block.input);
  const text = content.flatMap((block) => ("text" in block ? [block.text] : [])).join("");
  return text === "" ? null : text;
}

const openaiCompletion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).min(1) });

function openaiText(body: unknown): string | null {
  return openaiCompletion.parse(body).choices[0]?.message.content || null;
}

function checked(text: string, schema: ModelQuestion["schema"]): ModelAnswer {
  if (schema === null) return { kind: "answer", text };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "refused", text, detail: "the answer is no JSON" };
  }
  const result = z.fromJSONSchema(schema).safeParse(value);
  if (result.success) return { kind: "answer", text: JSON.stringify(value) };
  const [issue] = result.error.issues;
  return {
    kind: "refused",
    text,
    detail: `the answer does not satisfy the schema: ${issue?.path.join(".") || "the whole"}: ${issue?.message}`,
  };
}

/** For people. */
function errorIn(text: string): string {
  try {
    const body = z.object({ error: z.object({ message: z.string() }) }).parse(JSON.parse(text));
    return body.error.message;
  } catch {
    return text.slice(0, 200);
  }
}

function causeOf({ cause }: Error): string {
  return cause instanceof Error ? `: ${cause.message}` : "";
}
