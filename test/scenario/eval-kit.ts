/** An evaluation `capitals` of four questions in a night's folder, with a provider that says what it is told and writes an invoice. */
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { ScriptedConversation } from "../../src/ports/provider.ts";
import { startProvider } from "../../src/provider/server.ts";
import { type BatchNight, makeBatchNight } from "./batch-books-kit.ts";
import { type Charge, readInvoice } from "./booked.ts";
import type { Options } from "./kit.ts";
import type { Finished } from "./program.ts";

/** Asks the model once, and answers as its argument says. It also tells what it was given. */
const program = `
import { appendFileSync, readFileSync } from "node:fs";
const [how] = process.argv.slice(2);
const text = readFileSync(0, "utf8");
const job = JSON.parse(text);
const { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key = "" } = process.env;
const response = await fetch(url + "/v1/messages", {
  method: "POST",
  headers: { "content-type": "application/json", "x-api-key": key, "anthropic-version": "2023-06-01" },
  body: JSON.stringify({ model: "claude-sonnet-4-5", max_tokens: 50, messages: [{ role: "user", content: how + " " + job.country }] }),
});
if (!response.ok) throw new Error(await response.text());
await response.json();
if (how === "spy") appendFileSync("seen.txt", text + JSON.stringify(process.env) + "\\n");
if (how === "fails" && job.id === "1") process.exit(5);
const capitals = { France: "Paris", Spain: "Madrid", Italy: "Rome", Switzerland: "Paris" };
console.log(how === "wrong" ? "nowhere" : capitals[job.country]);
`;

const set = [
  { id: "1", country: "France", expected: "Paris" },
  { id: "2", country: "Spain", expected: "Madrid" },
  { id: "3", country: "Italy", expected: "Rome" },
  { id: "4", country: "Switzerland", expected: "Bern" },
];

export interface Evaluation extends BatchNight {
  readonly state: string;
  /** Path of the set. */
  readonly set: string;
  /** What the environment says of keys and addresses. */
  readonly keysIn: Readonly<Record<string, string>>;
  add(version: string, how: string, scorer?: string, ...more: readonly string[]): Promise<Finished>;
  eval(...args: readonly (string | Options)[]): Promise<Finished>;
  evalJson(...args: readonly string[]): Promise<Record<string, unknown>>;
  charges(): readonly Charge[];
  /** That calls came with. */
  keys(): readonly string[];
}

const said: ScriptedConversation = { steps: [{ text: "so ", costMicroUsd: 600 }] };

export async function makeEvaluation(): Promise<Evaluation> {
  const night = makeBatchNight();
  const invoicePath = join(night.folder, "invoice.jsonl");
  const provider = await startProvider({ script: { conversations: [said] }, invoicePath });
  onTestFinished(() => provider.close());
  const watch = await watchKeys(provider.url);
  const keysIn = { ANTHROPIC_BASE_URL: watch.url, ANTHROPIC_API_KEY: "sk-night", MIDWATCH_EVAL_KEY: "sk-eval" };
  const file = night.put("set.jsonl", set.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const job = night.put("job.mjs", program);
  const run = (...args: readonly (string | Options)[]) => {
    const { env = {}, ...options } = args.find((arg): arg is Options => typeof arg === "object") ?? {};
    const words = args.filter((arg): arg is string => typeof arg === "string");
    return night.run(["eval", ...words], { cwd: night.folder, ...options, env: { ...keysIn, ...env } });
  };
  return {
    ...{ ...night, keysIn, set: file, state: join(night.folder, "state/midwatch"), eval: run },
    add: (version, how, scorer = "exact", ...more) =>
      run(
        "add",
        "capitals",
        "--set",
        file,
        "--version",
        version,
        "--score",
        scorer,
        ...more,
        "--attempts",
        "1",
        "--",
        process.execPath,
        job,
        how,
      ),
    async evalJson(command = "", ...args) {
      const finished = await run(command, "--json", ...args);
      expect(finished.stderr).not.toContain("midwatch:");
      return JSON.parse(finished.stdout);
    },
    charges: () => readInvoice(invoicePath),
    keys: () => watch.keys,
  };
}

/** Passes all on to the provider, and remembers the keys. */
async function watchKeys(to: string): Promise<{ readonly url: string; readonly keys: readonly string[] }> {
  const keys: string[] = [];
  const server = createServer((asked, answer) => {
    keys.push(String(asked.headers["x-api-key"]));
    const onward = request(`${to}${asked.url}`, { method: asked.method, headers: asked.headers }, (got) => {
      answer.writeHead(got.statusCode ?? 500, got.headers);
      got.pipe(answer);
    });
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys };
}
