/** The provider's own bill: charged first, answered later, and never twice the same line for one. */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { ScriptedFault, ScriptStep } from "../../src/ports/provider.ts";
import { startProvider } from "../../src/provider/server.ts";
import { ask, conversation, withProvider } from "./provider-kit.ts";

const folder = mkdtempSync(join(tmpdir(), "midwatch-invoice-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

type Line = Readonly<Record<string, unknown>>;

/** Runs `work` against a provider with an invoice, and gives its lines. */
async function billed(step: ScriptStep, work: (provider: Parameters<typeof ask>[0]) => Promise<unknown>): Promise<readonly Line[]> {
  files += 1;
  const invoicePath = join(folder, `${files}.jsonl`);
  await withProvider({ script: { conversations: [{ steps: [step] }] }, invoicePath }, work);
  return readLines(invoicePath);
}

function readLines(path: string): readonly Line[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

test("a charge says what was paid for, by whom and for which request", async () => {
  const step = { text: "a", usage: { input: 7, output: 5, cacheRead: 3, cacheWrite: 2 }, costMicroUsd: 16_400 };
  const body = conversation(0, { metadata: { user_id: "job-215" } });
  let answer = Response.error();
  const lines = await billed(step, async (provider) => {
    answer = await ask(provider, body);
  });
  expect(lines).toEqual([
    {
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      request: answer.headers.get("request-id"),
      message: ((await answer.json()) as { id: string }).id,
      model: "claude-opus-5-5",
      input_tokens: 7,
      output_tokens: 5,
      cache_read_input_tokens: 3,
      cache_creation_input_tokens: 2,
      micro_usd: 16_400,
      user: "job-215",
      body_sha256: createHash("sha256").update(JSON.stringify(body)).digest("hex"),
    },
  ]);
});

test("whoever asks twice pays twice", async () => {
  const lines = await billed({ text: "a" }, async (provider) => [
    await ask(provider, conversation(0)),
    await ask(provider, conversation(0)),
  ]);
  const [first, second] = lines;
  expect([lines.length, first?.["body_sha256"] === second?.["body_sha256"], first?.["request"] === second?.["request"]]).toEqual([
    2,
    true,
    false,
  ]);
});

test("the charge is written before the first byte of the answer", async () => {
  const invoicePath = join(folder, "early.jsonl");
  const provider = await startProvider({ script: { conversations: [{ steps: [{ text: "late", firstByteMs: 3_600_000 }] }] }, invoicePath });
  const answer = ask(provider, conversation(0)).catch(() => "none");
  await expect.poll(() => readLines(invoicePath).length).toBe(1);
  await provider.close();
  expect(await answer).toBe("none");
});

test.each<[ScriptedFault, number]>([
  [{ kind: "overloaded" }, 0],
  [{ kind: "usage-limit" }, 0],
  [{ kind: "http", status: 500 }, 0],
  [{ kind: "reset" }, 0],
  [{ kind: "stream-error" }, 1],
  [{ kind: "cut" }, 1],
])("%j: what began to answer is charged, what did not is not", async (fault, charges) => {
  const lines = await billed({ fault }, async (provider) => {
    const response = await ask(provider, conversation(0, { stream: true })).catch(() => null);
    await response?.text().catch(() => ""); // it may be cut
  });
  expect(lines.length).toBe(charges);
});

test("an invoice goes on where it ended", async () => {
  const invoicePath = join(folder, "again.jsonl");
  const script = { conversations: [{ steps: [{ text: "a" }] }] };
  for (let times = 0; times < 2; times += 1) await withProvider({ script, invoicePath }, (provider) => ask(provider, conversation(0)));
  expect(readLines(invoicePath).length).toBe(2);
});

test("an invoice that cannot be written is said before anything is served", async () => {
  const start = startProvider({ script: { conversations: [] }, invoicePath: join(folder, "missing/invoice.jsonl") });
  await expect(start).rejects.toMatchObject({ kind: "environment", code: "E_INVOICE" });
});
