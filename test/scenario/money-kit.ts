/** Nights of a scripted agent that spends through the gateway: a provider that charges by the request's own maximum, and prices at which that is the whole cost. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ProviderCall, ScriptedConversation } from "../../src/ports/provider.ts";
import { startProvider } from "../../src/provider/server.ts";
import { makeFolder } from "../fixtures/repositories.ts";
import { setPrices } from "./booked.ts";
import { agent, makeNight, type Night, type Options } from "./kit.ts";
import type { Finished, Running } from "./program.ts";

/** One step of the agent: see `test/fixtures/agents/spend.mjs`. */
export interface Spending {
  readonly max?: number;
  readonly format?: "anthropic" | "openai";
  readonly stream?: boolean;
  readonly model?: string;
  /** The same words each time: the agent tries again. */
  readonly say?: string;
  readonly times?: number;
  readonly lanes?: number;
  readonly heedless?: boolean;
  /** A folder in which it waits for another agent. */
  readonly meet?: string;
  /** No request: in dollars, what the agent says at its end that it cost. */
  readonly costs?: number;
  /** No request, but what the stream says of one. */
  readonly tells?: Readonly<Record<string, unknown>>;
}

export interface SpendScene {
  /** By the window's number. */
  readonly windows: Readonly<Record<number, readonly Spending[]>>;
  readonly limits?: Readonly<Record<string, unknown>>;
  readonly gateway?: Readonly<Record<string, unknown>>;
  readonly conversations?: readonly ScriptedConversation[];
  readonly plan?: string;
}

export interface Answer {
  readonly status: number;
  readonly retry: string | null;
  readonly text: string;
}

export interface SpendNight extends Night {
  readonly calls: readonly ProviderCall[];
  readonly invoicePath: string;
  readonly providerUrl: string;
  /** What the environment says of providers and keys. */
  readonly keys: Readonly<Record<string, string>>;
  begin(options?: Options): Running;
  play(options?: Options): Promise<Finished>;
  answers(window: number): readonly Answer[];
}

/** Tokens of an ordinary call, which costs 0.20, and of one that hands off, which costs 0.05. */
export const ordinary = 10_000;
export const handoff = 2_500;

/** Every token that a request allows is used. */
const asMuchAsAllowed: ScriptedConversation = {
  steps: ({ body }) => ({ text: "As much as I may.", usage: { input: 7, output: Number(body["max_tokens"]) } }),
};

export async function makeSpendNight({ windows, limits = {}, gateway = {}, conversations = [], plan }: SpendScene): Promise<SpendNight> {
  const invoicePath = join(makeFolder(), "invoice.jsonl");
  const provider = await startProvider({ script: { conversations: [...conversations, asMuchAsAllowed] }, invoicePath });
  onTestFinished(() => provider.close());
  const night = makeNight({
    agent: agent("spend.mjs"),
    ...(plan === undefined ? {} : { plan }),
    personal: { limits: { idleWindows: 9, failedWindows: 9, windows: 1, ...limits }, gateway: { mode: "on", ...gateway } },
  });
  setPrices(night, { scripted: { output: 20 } });
  writeFileSync(join(night.folder, "spend.json"), JSON.stringify(windows));
  const keys = {
    ...{ ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: "sk-ant-held" },
    ...{ OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: "sk-held" },
  };
  const begin = (options: Options = {}) => night.start(["run", "--json"], { ...options, env: { ...keys, ...options.env } });
  return {
    ...{ ...night, calls: provider.calls, invoicePath, providerUrl: provider.url, keys, begin },
    play: (options) => begin(options).ended,
    answers(window) {
      const path = join(night.folder, `answers-${window}`);
      return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
    },
  };
}

export const statuses = (answers: readonly Answer[]) => answers.map(({ status, retry }) => [status, retry]);
