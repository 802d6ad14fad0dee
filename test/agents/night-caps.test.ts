/** Caps that bite in flight, on the real Claude Code: told to hand off, refused, and what the run makes of it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { anthropicMessages } from "../../src/adapters/providers/anthropic-messages.ts";
import { readCalls, readInvoice, setPrices } from "../scenario/booked.ts";
import type { Finished } from "../scenario/program.ts";
import { claude, playWindow } from "./claude-kit.ts";
import { bash, type ClaudeNight, type ClaudeScene, inTurn, makeClaudeNight, ours, type Says } from "./night-kit.ts";

const model = "midwatch-scripted";

/** Each call costs 0.20, and may cost no more; the program tries again as often as it does by itself. */
async function makeDearNight(scene: Pick<ClaudeScene, "windows" | "subagent" | "personal">): Promise<ClaudeNight> {
  const env = { ANTHROPIC_MODEL: model, CLAUDE_CODE_MAX_OUTPUT_TOKENS: "10000", CLAUDE_CODE_MAX_RETRIES: undefined };
  const night = await makeClaudeNight({ ...scene, env });
  setPrices(night, { [model]: { output: 20 } });
  return night;
}

/** Its usage comes a while after the words that it acts on, as from a real provider. */
const dear = { usage: { output: 10_000 }, betweenMs: 100 };

/** Goes on and on, whatever it is told. */
const heedless =
  (name: string) =>
  ({ folder }: { readonly folder: string }): Says =>
    [1, 2, 3, 4, 5].map((number) => ({ tools: [bash(`touch ${folder}/${name}-${number}`)], ...dear }));

function made({ folder }: ClaudeNight, ...names: readonly string[]): readonly string[] {
  return names.filter((name) => existsSync(join(folder, name)));
}

const refusals = ({ events }: Finished) =>
  events.filter(({ kind }) => kind === "call.refused").map(({ data }) => data["cap"] ?? data["why"]);

describe.skipIf(claude === null)("with a cap", () => {
  test("it is told to hand off after the second call, its third one is refused, and the run goes on with a fresh window", async () => {
    const night = await makeDearNight({
      personal: { limits: { windows: 2, idleWindows: 9, window: 0.5, reserve: 0.1 } },
      windows: (place) => ({ 1: heedless("first")(place), 2: [{ text: "Nothing to do." }] }),
    });
    const ended = await night.play();
    const calls = await readCalls(night);
    expect(calls.map(({ state, upperMicroUsd, costMicroUsd }) => [state, upperMicroUsd, costMicroUsd])).toEqual([
      ["done", 200_000, 200_000],
      ["done", 200_000, 200_000],
      ["done", 200_000, 400],
    ]);
    expect(readInvoice(night.invoicePath)).toHaveLength(3);
    expect(made(night, "first-1", "first-2", "first-3")).toEqual(["first-1"]);
    expect(new Set(refusals(ended))).toEqual(new Set(["window"]));
    expect(ended.report?.windows).toMatchObject([
      { exit: "capped", end: "good", costMicroUsd: 400_000, ledger: { spentMicroUsd: 400_000, heldMicroUsd: 0, calls: 2, unknown: 0 } },
      { exit: "completed-no-tools" },
    ]);
    expect([ended.code, ended.report?.stopReason]).toEqual([8, "windows"]);
  });

  test("what it is told when its tools are denied is to hand off, and our own tool still runs", async () => {
    const night = await makeDearNight({
      personal: { limits: { windows: 1, window: 0.7, reserve: 0.1 } },
      windows: ({ folder }) => ({
        1: [
          { tools: [bash(`touch ${folder}/first`)], ...dear },
          { tools: [bash(`touch ${folder}/second`), ours("handoff", { status: "CHECKPOINT", next: "T-1", body: "half of it" })], ...dear },
          { text: "Handed off." },
        ],
      }),
    });
    const ended = await night.play();
    expect(made(night, "first", "second")).toEqual(["first"]);
    expect(night.read(".midwatch/handoff.md")).toContain("half of it");
    const last = JSON.stringify(night.calls.at(-1)?.request?.body["messages"]);
    expect(last).toMatch(/hand off now: US\$ 0\.40 of the 0\.70 of this window are spent/);
    expect([refusals(ended), ended.report?.windows[0]?.exit]).toEqual([[], "completed-with-denials"]);
  });

  test("a cap of the day is told of as the window's own, stops the run, and the next one opens no window", async () => {
    const night = await makeDearNight({ personal: { limits: { day: 0.5 } }, windows: (place) => ({ 1: heedless("first")(place) }) });
    const ended = await night.play();
    expect([ended.code, ended.report?.stopReason, ended.report?.windows.map(({ exit }) => exit)]).toEqual([4, "money", ["capped"]]);
    expect(ended.report?.stopDetail).toMatch(/the money of the day/);
    expect(made(night, "first-1", "first-2")).toEqual(["first-1"]);
    expect(new Set(refusals(ended))).toEqual(new Set(["day"]));
    const again = await night.play();
    expect([again.code, again.report?.stopReason, again.report?.windows]).toEqual([4, "money", []]);
    expect(again.report?.stopDetail).toMatch(/\$0\.40 of the \$0\.50 of the day .* funds no window/);
    expect(readInvoice(night.invoicePath)).toHaveLength(2);
  });

  test("of a model without a price no request leaves, and the person is asked; a price mends it", async () => {
    const night = await makeClaudeNight({
      // An alias says no model: which one it is, only the call tells.
      ...{ env: { ANTHROPIC_MODEL: "sonnet", ANTHROPIC_DEFAULT_SONNET_MODEL: model } },
      personal: { onQuestion: "stop", limits: { windows: 2 } },
      windows: () => ({ 1: inTurn(bash("ls")), 2: inTurn(bash("ls")) }),
    });
    const ended = await night.play();
    expect([ended.code, readInvoice(night.invoicePath), await readCalls(night)]).toEqual([3, [], []]);
    expect(ended.report?.windows).toMatchObject([{ exit: "capped", end: "needs-person", costMicroUsd: 0 }]);
    expect((await night.run(["status"])).stdout).toMatch(/no price is known for the model "midwatch-scripted"/);
    setPrices(night, { [model]: { output: 20 } });
    const again = await night.play();
    expect(again.report?.windows.at(-1)).toMatchObject({ exit: "completed", ledger: { calls: 2 } });
  });

  test("a refusal in our shape is met once: the program does not ask again", async () => {
    const { status, headers, body } = anthropicMessages.refusal("midwatch: the cap is reached");
    const fault = { kind: "http", status, headers: Object.fromEntries(headers), body: JSON.parse(body) as unknown } as const;
    const seen = await playWindow({ provider: [{ fault }], env: { CLAUDE_CODE_MAX_RETRIES: undefined } });
    expect(seen.calls.filter(({ step }) => step !== null)).toHaveLength(1);
  });
});
