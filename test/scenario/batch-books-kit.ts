/** A batch in a night's folder: its list, its job program, and a provider that writes its own invoice. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { makeNight, type Night } from "./kit.ts";
import type { Finished } from "./program.ts";

/** Answers a job with what it was asked; asks no model. */
export const echo = ["cat"];

/** Asks the model `calls` times and joins what it said. Job `2` ends in the midst of its first attempt; job `bad` always fails at its end. */
const askingJob = `
import { readFileSync } from "node:fs";
const job = JSON.parse(readFileSync(0, "utf8"));
const { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key = "", MIDWATCH_ATTEMPT: attempt } = process.env;
let said = "";
for (let call = 1; call <= 3; call += 1) {
  const response = await fetch(url + "/v1/messages", {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": key, "anthropic-version": "2023-06-01" },
    body: JSON.stringify({ model: "claude-sonnet-4-5", max_tokens: 50, messages: [{ role: "user", content: job.id + " " + call }] }),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(body));
  said += body.content[0].text;
  if (call === 2 && job.id === "2" && attempt === "1") process.exit(3);
}
if (job.id === "bad") process.exit(5);
console.log(JSON.stringify({ said }));
`;

export interface BatchNight extends Night {
  /** Writes a file into the night's folder; its path. */
  put(name: string, text: string | Uint8Array): string;
  batch(...args: readonly string[]): Promise<Finished>;
  batchJson(...args: readonly string[]): Promise<Record<string, unknown>>;
}

export function makeBatchNight(): BatchNight {
  const night = makeNight({ plan: null, config: null });
  const put = (name: string, text: string | Uint8Array) => {
    const path = join(night.folder, name);
    writeFileSync(path, text);
    return path;
  };
  const batch = (...args: readonly string[]) => night.run(["batch", ...args], { cwd: night.folder });
  const withJson = ([command = "", ...args]: readonly string[]) => batch(command, "--json", ...args);
  return {
    ...{ ...night, put, batch },
    async batchJson(...args) {
      const finished = await withJson(args);
      expect(finished).toMatchObject({ stderr: expect.not.stringContaining("midwatch:") });
      return JSON.parse(finished.stdout);
    },
  };
}

/** With a provider, its invoice, and a batch `night` of these jobs that has been added and not begun. */
export async function makePaidBatch(ids: readonly string[]): Promise<BatchNight & { readonly invoice: string }> {
  const night = makeBatchNight();
  const script = night.put("script.json", JSON.stringify({ conversations: [{ steps: [{ text: "so ", costMicroUsd: 600 }] }] }));
  const invoice = join(night.folder, "invoice.jsonl");
  const provider = night.start(["provider", "--script", script, "--invoice", invoice, "--json"]);
  const url = await urlOf(provider.ended, () => provider.stderr);
  const env = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "sk-test" };
  const jobs = night.put("jobs.jsonl", ids.map((id) => `${JSON.stringify({ id })}\n`).join(""));
  const program = night.put("job.mjs", askingJob);
  const batch = (...args: readonly string[]) => night.run(["batch", ...args], { cwd: night.folder, env });
  expect(await batch("add", "night", "--jobs", jobs, "--attempts", "2", "--", process.execPath, program)).toMatchObject({ code: 0 });
  return {
    ...{ ...night, invoice, batch },
    async batchJson(command = "", ...args) {
      return JSON.parse((await batch(command, "--json", ...args)).stdout);
    },
  };
}

async function urlOf(ended: Promise<unknown>, stderr: () => string): Promise<string> {
  for (;;) {
    const [, url] = /ANTHROPIC_BASE_URL=(http:\S+) speaks/.exec(stderr()) ?? [];
    if (url !== undefined) return url;
    const isOver = await Promise.race([ended.then(() => true), new Promise<false>((resolve) => setTimeout(() => resolve(false), 5))]);
    if (isOver) throw new Error(`the provider did not start: ${stderr()}`);
  }
}
