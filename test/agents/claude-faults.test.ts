/** Each fault of the provider, as the real Claude Code takes it: how often it asks, how it leaves, and the reason that we read from its stream. */
import { describe, expect, test } from "vitest";
import type { ExitReason } from "../../src/core/exit-reason.ts";
import type { ScriptedFault, ScriptStep } from "../../src/ports/provider.ts";
import { claude, type EndRow, expectEnd, playWindow, userSays, type WindowScript } from "./claude-kit.ts";

const detail = expect.any(String) as string;
const silent: ExitReason = { kind: "completed-no-tools" };
const fails = (fault: ScriptedFault, more: Partial<ScriptStep> = {}): WindowScript => ({ provider: [{ fault, ...more }] });
const says = (step: ScriptStep): WindowScript => ({ provider: [step] });
const subscription = { ANTHROPIC_API_KEY: undefined, CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-dummy" };

describe.skipIf(claude === null)("the provider's faults, with one retry", () => {
  test.each<EndRow>([
    ["a rate limit is asked again when it says", fails({ kind: "rate-limited" }), 2, 1, { kind: "limited", until: null }],
    [
      "a rate limit that says no is not asked again",
      fails({ kind: "rate-limited" }, { headers: { "x-should-retry": "false" } }),
      1,
      1,
      { kind: "limited", until: null },
    ],
    ["529 is asked again", fails({ kind: "overloaded" }), 2, 1, { kind: "transient", status: 529 }],
    ["529 that passes is no fault", { provider: [{ text: "hello", fault: { kind: "overloaded" }, times: 1 }] }, 2, 0, silent],
    ["500 is asked again", fails({ kind: "server-error" }), 2, 1, { kind: "transient", status: 500 }],
    ["a gateway's page is asked again", fails({ kind: "bad-gateway" }), 2, 1, { kind: "transient", status: 502 }],
    ["a wrong key is asked again", fails({ kind: "bad-key" }), 2, 1, { kind: "auth", detail: "Invalid API key · Fix external API key" }],
    ["a forbidden request is not asked again", fails({ kind: "forbidden" }), 1, 1, { kind: "auth", detail }],
    [
      "an account without credit is not asked again",
      fails({ kind: "no-credit" }),
      1,
      1,
      { kind: "billing", detail: "Credit balance is too low" },
    ],
    ["a model that is not there", fails({ kind: "no-model" }), 2, 1, { kind: "config", detail }],
    ["any other 400 is asked three times at once", fails({ kind: "bad-request" }), 3, 1, { kind: "config", detail }],
    ["a connection that is reset", fails({ kind: "reset" }), 2, 1, { kind: "transient", status: null }],
    ["a stream that is cut", fails({ kind: "cut" }), 3, 1, { kind: "transient", status: null }],
    ["an error within a block of the stream", fails({ kind: "stream-error" }), 2, 1, { kind: "transient", status: 500 }],
    ["an error after a block of the stream", fails({ kind: "stream-error", afterEvents: 5 }), 4, 1, { kind: "transient", status: null }],
    [
      "no answer in the time that it was given",
      { ...fails({ kind: "hang" }), env: { API_TIMEOUT_MS: "700" } },
      2,
      1,
      { kind: "transient", status: null },
    ],
    [
      "no provider at all",
      { ...says({ text: "never" }), env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" } },
      0,
      1,
      { kind: "transient", status: null },
    ],
    [
      "a context that is full and may not be compacted",
      { ...fails({ kind: "prompt-too-long" }), env: { DISABLE_COMPACT: "1" } },
      1,
      1,
      { kind: "context-full" },
    ],
    ["no key at all", { ...says({ text: "never" }), env: { ANTHROPIC_API_KEY: undefined } }, 0, 1, { kind: "auth", detail }],
  ])("%s", async (_title, script, requests, exitCode, reason) => {
    await expectEnd(script, requests, exitCode, reason);
  });

  test("a stream that breaks within a block is asked for again without streaming", async () => {
    const { calls } = await playWindow(fails({ kind: "cut" }));
    expect(calls.map(({ request }) => request?.stream)).toEqual([true, true, false]);
  });

  test("a subscription's limit says until when", async () => {
    const before = Math.floor(Date.now() / 1000) * 1000;
    const { reason, calls, transcript } = await playWindow({ ...fails({ kind: "usage-limit", resetsInMs: 7_200_000 }), env: subscription });
    const until = reason.kind === "limited" ? (reason.until ?? 0) : 0;
    expect([reason.kind, calls.length, transcript.limit?.status]).toEqual(["limited", 1, "rejected"]);
    expect(until - before).toBeGreaterThanOrEqual(7_200_000);
    expect(until - before).toBeLessThan(7_230_000);
  });

  test("the same limit with a key has no time", async () => {
    const { reason } = await playWindow(fails({ kind: "usage-limit" }));
    expect(reason).toEqual({ kind: "limited", until: null });
  });

  test("a stream that stalls is silence, for our own clock to end", async () => {
    const { end, transcript } = await playWindow({
      ...fails({ kind: "stall" }),
      args: ["--include-partial-messages"],
      talk(session) {
        userSays(session, "do it");
        session.onLine((line) => {
          if (line["type"] === "stream_event") session.child.kill("SIGTERM");
        });
      },
    });
    expect([end.code, transcript.settled, transcript.hasTurn, transcript.waitingFor]).toEqual([143, false, false, null]);
  });
});
