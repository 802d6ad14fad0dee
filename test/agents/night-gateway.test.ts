/** The real Claude Code behind the gateway: what is booked is what the provider bills, and each side knows one half of the key. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { billed, booked, readCalls, readInvoice } from "../scenario/booked.ts";
import { claude } from "./claude-kit.ts";
import { bash, type ClaudeScene, delegate, inTurn, makeClaudeNight } from "./night-kit.ts";
import { tapWire, type WireTap } from "./wire-tap.ts";

const once = { limits: { windows: 1 } };
const key = "sk-ant-api-held-by-the-gateway";
const signIn = { ANTHROPIC_MODEL: "claude-opus-5-5", ANTHROPIC_API_KEY: undefined, CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-passes-through" };

/** A night whose provider is listened to. */
async function makeTappedNight(scene: ClaudeScene) {
  let tap: WireTap | null = null;
  const night = await makeClaudeNight({
    ...scene,
    async baseUrl(url) {
      tap = await tapWire(url);
      return tap.url;
    },
  });
  const heard = () => tap?.heard ?? [];
  return { ...night, heard };
}

describe.skipIf(claude === null)("behind the gateway", () => {
  test("the ledger is the provider's bill call by call, a subagent's included, and neither side knows the other's key", async () => {
    const night = await makeTappedNight({
      personal: once,
      env: { ANTHROPIC_API_KEY: key },
      windows: ({ folder }) => ({
        1: [
          { tools: [delegate], usage: { input: 1000, output: 200, cacheRead: 5000, cacheWrite: 700 } },
          { tools: [bash(`env > ${folder}/env-of-bash; cat /proc/*/environ >> ${folder}/env-of-bash 2>/dev/null`)], usage: { output: 50 } },
          { text: "All done.", usage: { input: 1200, output: 10 } },
        ],
      }),
      subagent: () => inTurn(bash("ls"), bash("pwd")).map((step) => ({ ...step, usage: { input: 300, output: 30 } })),
    });
    const { report } = await night.play();
    const calls = await readCalls(night);
    expect(calls.map(booked)).toEqual(readInvoice(night.invoicePath).map(billed));
    expect(calls.map(({ subagent, state, key: place, source }) => [subagent, state, place.seq, place.try, source])).toEqual([
      [false, "done", 1, 1, "gateway"],
      [true, "done", 2, 1, "gateway"],
      [true, "done", 3, 1, "gateway"],
      [true, "done", 4, 1, "gateway"],
      [false, "done", 5, 1, "gateway"],
      [false, "done", 6, 1, "gateway"],
    ]);
    const costMicroUsd = calls.reduce((sum, call) => sum + (call.costMicroUsd ?? 0), 0);
    expect(report?.windows).toMatchObject([
      {
        ...{ exit: "completed", costMicroUsd, maxContextTokens: 6700 },
        ledger: { spentMicroUsd: costMicroUsd, heldMicroUsd: 0, calls: 6, unknown: 0 },
        reportedMicroUsd: expect.any(Number) as number,
      },
    ]);
    expect(night.heard().map(({ headers }) => [headers["x-api-key"], headers.authorization])).toEqual(Array(6).fill([key, undefined]));
    const [secret = "none"] = /\/w\/[\w-]+/.exec(readFileSync(join(night.folder, "env-of-bash"), "utf8")) ?? [];
    expect(secret).toMatch(/^\/w\/[\w-]{20,}$/);
    expect(JSON.stringify(night.heard().map(({ headers }) => headers))).not.toContain(secret.slice(3));
    expect(readFileSync(join(night.folder, "env-of-bash"), "utf8")).not.toContain(key);
    expect(readFileSync(report?.windows[0]?.logPath ?? "", "utf8")).not.toContain(key);
  });

  test.each([
    [
      "off, a key goes to the provider and what is booked is what the stream reported",
      { ANTHROPIC_API_KEY: key },
      "off",
      ["reported"],
      key,
    ],
    ["auto, a key is held", { ANTHROPIC_API_KEY: key }, "auto", ["gateway"], key],
    ["auto, a sign-in goes past it", signIn, "auto", ["reported"], `Bearer ${signIn.CLAUDE_CODE_OAUTH_TOKEN}`],
    ["on, a sign-in passes through as it is", signIn, "on", ["gateway"], `Bearer ${signIn.CLAUDE_CODE_OAUTH_TOKEN}`],
  ])("where the mode is %s", async (_title, env, mode, sources, credential) => {
    const night = await makeTappedNight({
      ...{ env, personal: { ...once, gateway: { mode } } },
      windows: () => ({ 1: [{ text: "Nothing to do.", usage: { input: 500, output: 40 } }] }),
    });
    const { report } = await night.play();
    expect(night.heard().map(({ headers }) => headers["x-api-key"] ?? headers.authorization)).toEqual([credential]);
    const calls = await readCalls(night);
    expect(calls.map(({ source }) => source)).toEqual(sources);
    const [charge] = readInvoice(night.invoicePath).map(billed);
    expect(calls.map(booked)).toMatchObject([{ message: charge?.message, model: charge?.model, input: 500, output: 40 }]);
    expect(report?.windows).toMatchObject([{ costMicroUsd: calls[0]?.costMicroUsd }]);
  });

  test("insisted on where the agent would speak to another cloud, nothing is started", async () => {
    const night = await makeClaudeNight({
      ...{ env: { CLAUDE_CODE_USE_BEDROCK: "1" }, personal: { ...once, gateway: { mode: "on" } } },
      windows: () => ({ 1: [{ text: "never" }] }),
    });
    const { code, stderr } = await night.play();
    expect([code, stderr]).toEqual([2, expect.stringContaining("CLAUDE_CODE_USE_BEDROCK")]);
  });
});
