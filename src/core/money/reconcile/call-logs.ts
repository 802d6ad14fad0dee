/** Per-call logs: the scripted provider's invoice, LiteLLM's spend logs, Helicone's export. One record is one request that a gateway or provider saw. */
import type { CallFormat, Charge, ReadCharge, TokenSums } from "./charge.ts";
import { type Fields, labelledIds, listOf, microUsdOf, numberOf, objectOf, textOf } from "./fields.ts";
import { readInstant } from "./instant.ts";

/** @returns null = a record of none of them */
export function callFormatOf(fields: Fields): CallFormat | null {
  const has = (...names: readonly string[]) => names.every((name) => name in fields);
  if (has("request", "message") && (has("body_sha256") || has("micro_usd"))) return "invoice";
  if (has("request_id", "spend")) return "litellm";
  if ((has("request_id") || has("response_id")) && has("request_created_at")) return "helicone";
  return null;
}

const readers: Readonly<Record<CallFormat, (fields: Fields, line: number) => ReadCharge>> = {
  invoice: readInvoice,
  litellm: readLiteLlm,
  helicone: readHelicone,
};

export function readCharge(format: CallFormat, fields: Fields, line: number): ReadCharge {
  return readers[format](fields, line);
}

const unreadable: ReadCharge = { kind: "unreadable" };
const free: ReadCharge = { kind: "free" };

function readInvoice(fields: Fields, line: number): ReadCharge {
  const input = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"].map((name) => numberOf(fields, name) ?? 0);
  return charged({
    line,
    at: readInstant(fields["at"]),
    ids: present(textOf(fields, "request"), textOf(fields, "message")),
    bodyHash: textOf(fields, "body_sha256"),
    model: textOf(fields, "model"),
    microUsd: numberOf(fields, "micro_usd"),
    tokens: numberOf(fields, "input_tokens") === null ? null : { input: sum(input), output: numberOf(fields, "output_tokens") ?? 0 },
  });
}

/** `request_id` is the answer's id, or a name of LiteLLM's own where there was no answer. */
function readLiteLlm(fields: Fields, line: number): ReadCharge {
  const metadata = objectOf(fields, "metadata");
  const spend = numberOf(fields, "spend");
  const isFailed = textOf(fields, "status") === "failure" || textOf(metadata, "status") === "failure";
  if (spend === null) return unreadable;
  if (spend === 0 && (isFailed || textOf(fields, "cache_hit")?.toLowerCase() === "true")) return free;
  return charged({
    line,
    at: readInstant(fields["startTime"]),
    ids: [
      ...labelledIds([
        ...listOf(fields, "request_tags"),
        ...listOf(metadata, "tags"),
        ...Object.values(objectOf(metadata, "spend_logs_metadata")),
      ]),
      ...present(textOf(fields, "request_id"), textOf(metadata, "litellm_call_id")),
    ],
    bodyHash: null,
    model: textOf(fields, "model"),
    microUsd: microUsdOf(spend),
    tokens: tokensOf(fields),
  });
}

/** `request_id` is the one that was sent as Helicone-Request-Id: ours. */
function readHelicone(fields: Fields, line: number): ReadCharge {
  const status = numberOf(fields, "response_status", "status");
  const usd = numberOf(fields, "costUSD", "cost_usd", "cost");
  const properties = objectOf(fields, "request_properties");
  const ids = [
    ...labelledIds(Object.values(properties)),
    ...present(textOf(fields, "request_id"), textOf(fields, "response_id"), textOf(objectOf(fields, "response_body"), "id")),
  ];
  if (ids.length === 0) return unreadable;
  const isError = status !== null && (status >= 400 || status < 200);
  const isCached = textOf(fields, "cache_hit")?.toLowerCase() === "true" || fields["cache_hit"] === true;
  if ((usd === null || usd === 0) && (isError || isCached)) return free;
  return charged({
    line,
    at: readInstant(fields["request_created_at"]),
    ids,
    bodyHash: null,
    model: textOf(fields, "response_model", "request_model", "model", "model_override"),
    microUsd: microUsdOf(usd),
    tokens: tokensOf(fields),
  });
}

/** Both count cached tokens as part of the prompt. */
function tokensOf(fields: Fields): TokenSums | null {
  const input = numberOf(fields, "prompt_tokens");
  const output = numberOf(fields, "completion_tokens");
  return input === null || output === null ? null : { input, output };
}

function charged(charge: Charge): ReadCharge {
  return { kind: "charge", charge };
}

function present(...values: readonly (string | null)[]): readonly string[] {
  return values.flatMap((value) => (value === null ? [] : [value]));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
