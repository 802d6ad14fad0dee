/** What the scripted provider bills is what is read of its answers: both formats, streamed and not, compressed and not, whole and broken. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openDecodedAnswer } from "../../src/adapters/providers/decode.ts";
import type { ScriptedProvider, ScriptStep } from "../../src/ports/provider.ts";
import type { ReadAnswer, WireFormat } from "../../src/ports/wire-format.ts";
import { withProvider } from "./provider-kit.ts";
import { formats, usage } from "./wire-format-kit.ts";

const folder = mkdtempSync(join(tmpdir(), "midwatch-wire-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** As a gateway reads it: raw bytes and headers, to their end or to where they break off. */
async function readAnswer(
  { port }: ScriptedProvider,
  format: WireFormat,
  stream: boolean,
): Promise<ReadAnswer & { readonly early: boolean }> {
  const path = format === formats.openai ? "/v1/chat/completions" : "/v1/messages";
  const body = JSON.stringify({
    model: "m",
    stream,
    stream_options: { include_usage: true },
    messages: [{ role: "user", content: "do it" }],
  });
  expect([format.isCall(path), format.readRequest(Buffer.from(body))?.stream]).toEqual([true, stream]);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ port, path, method: "POST" }, resolve).on("error", reject).end(body);
  });
  const pairs = answer.rawHeaders.flatMap((name, at, all): [string, string][] => (at % 2 === 0 ? [[name, all[at + 1] ?? ""]] : []));
  const reader = openDecodedAnswer(format, answer.statusCode ?? 0, pairs);
  try {
    for await (const piece of answer as AsyncIterable<Buffer>) await reader.feed(piece);
  } catch {
    // it broke off: that is what is read
  }
  const early = reader.isComplete;
  return { early, ...(await reader.end(answer.complete)) };
}

const billed = { text: "Good night. ".repeat(50), usage: { input: 1000, output: 77, cacheRead: 500, cacheWrite: 40 } };
const shapes = [true, false].flatMap((stream) => ([undefined, "gzip", "deflate", "br"] as const).map((encoding) => ({ stream, encoding })));
const names = ["anthropic", "openai"] as const;

describe.each(names.flatMap((name) => shapes.map((shape) => ({ name, ...shape }))))(
  "$name, stream $stream, $encoding",
  ({ name, stream, encoding }) => {
    const play = async (step: ScriptStep) => {
      files += 1;
      const invoicePath = join(folder, `${files}.jsonl`);
      const shaped = { ...step, ...(encoding === undefined ? {} : { encoding }) };
      const script = { conversations: [{ steps: [shaped] }] };
      const answer = await withProvider({ script, invoicePath }, (provider) => readAnswer(provider, formats[name], stream));
      const charges = readFileSync(invoicePath, "utf8")
        .split("\n")
        .filter((line) => line !== "");
      return { answer, charges: charges.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>) };
    };

    test("the bill is the invoice", async () => {
      const { answer, charges } = await play(billed);
      const told = answer.usage ?? usage({});
      expect(answer).toEqual({
        early: true,
        whole: true,
        usage: expect.any(Object) as object,
        model: "m",
        messageId: charges[0]?.["message"],
        failure: null,
      });
      expect([told.input, told.output, told.cacheRead, told.cacheWrite]).toEqual(
        ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"].map((field) => charges[0]?.[field]),
      );
      expect(told.input + told.cacheWrite).toBe(1040);
    });

    test("an answer that is cut is not whole, and was charged", async () => {
      const { answer, charges } = await play({ ...billed, fault: { kind: "cut" } });
      expect([answer.early, answer.whole, answer.failure, charges.length]).toEqual([false, false, null, 1]);
      expect(answer.usage?.input ?? null).toBe(stream && name === "anthropic" ? 1000 : null);
    });

    test("an error in the midst of it is told as such", async () => {
      const { answer, charges } = await play({ ...billed, fault: { kind: "stream-error" } });
      expect([answer.failure, charges.length]).toEqual([stream ? "error-in-stream" : "server-error", 1]);
    });

    test.each([
      ["overloaded", "overloaded"],
      ["rate-limited", "limited"],
      ["bad-key", "refused"],
      ["bad-gateway", "server-error"],
    ] as const)("%s is %s, and not charged", async (kind, failure) => {
      const { answer, charges } = await play({ ...billed, fault: { kind } });
      expect([answer.failure, answer.usage, charges.length]).toEqual([failure, null, 0]);
    });
  },
);
