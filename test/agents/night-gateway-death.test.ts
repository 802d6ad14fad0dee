/** Deaths in the middle of an answer that passes through the gateway: of the agent, and of the process that holds the door. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { billed, booked, readCalls, readInvoice, readSpend } from "../scenario/booked.ts";
import { eventually } from "../scenario/program.ts";
import { findStrays } from "../scenario/strays.ts";
import { claude } from "./claude-kit.ts";
import { bash, type ClaudeNight, inTurn, makeClaudeNight } from "./night-kit.ts";

/** The second answer begins, and never ends. */
const halfAnswered = [{ tools: [bash("ls")] }, { text: "A long word", fault: { kind: "stall" } }] as const;
const limits = { windows: 2, idleWindows: 9, failedWindows: 9 };

function isAnswering({ calls }: ClaudeNight): boolean {
  return calls.some(({ fault }) => fault === "stall");
}

function agentOf({ folder }: ClaudeNight): number | undefined {
  return findStrays(folder).find((pid) => readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0")[0] === claude);
}

describe.skipIf(claude === null)("killed in the middle of an answer", () => {
  test("an agent leaves a row that was cut, with what was told so far, and the run goes on", async () => {
    const night = await makeClaudeNight({ personal: { limits }, windows: () => ({ 1: halfAnswered, 2: inTurn(bash("ls")) }) });
    const run = night.begin();
    await eventually(() => isAnswering(night), "the answer that never ends");
    process.kill(agentOf(night) ?? 0, "SIGKILL");
    const { report } = await run.ended;
    const calls = await readCalls(night);
    expect(calls.map(({ state, result }) => [state, result?.failure])).toEqual([
      ["done", null],
      ["cut", "cut-by-client"],
      ["done", null],
      ["done", null],
    ]);
    expect(calls.map(({ result }) => result?.providerRequestId)).toEqual(readInvoice(night.invoicePath).map(({ request }) => request));
    expect(report?.windows).toMatchObject([
      { exit: "killed", ledger: { calls: 2, unknown: 1, heldMicroUsd: (calls[1]?.upperMicroUsd ?? 0) - (calls[1]?.costMicroUsd ?? 0) } },
      { exit: "completed", ledger: { calls: 2, unknown: 0, heldMicroUsd: 0 } },
    ]);
  });

  test("the supervisor leaves a row that is unknown and holds its money, and the same command goes on", async () => {
    const night = await makeClaudeNight({ personal: { limits }, windows: () => ({ 1: halfAnswered, 2: inTurn(bash("ls")) }) });
    const run = night.begin();
    await eventually(() => isAnswering(night), "the answer that never ends");
    await run.kill();
    const { report } = await night.play();
    const calls = await readCalls(night);
    expect(calls.map(({ state, result }) => [state, result?.failure])).toEqual([
      ["done", null],
      ["unknown", "died"],
      ["done", null],
      ["done", null],
    ]);
    const known = calls.filter(({ state }) => state === "done").map(booked);
    const unknown = calls.filter(({ state }) => state === "unknown").map(({ request }) => request.hash);
    const bill = readInvoice(night.invoicePath).map(billed);
    expect(bill.filter(({ request }) => known.some((one) => one.request === request))).toEqual(known);
    expect(bill.filter(({ request }) => !known.some((one) => one.request === request)).map(({ hash }) => hash)).toEqual(unknown);
    const held = calls[1]?.upperMicroUsd ?? 0;
    const spent = calls[0]?.costMicroUsd ?? 0;
    expect(report?.windows).toMatchObject([
      { exit: "lost", costMicroUsd: spent, ledger: { spentMicroUsd: spent, heldMicroUsd: held, calls: 2, unknown: 1 } },
      { exit: "completed", ledger: { calls: 2, unknown: 0 } },
    ]);
    const sum = calls.reduce((total, { costMicroUsd }) => total + (costMicroUsd ?? 0), 0);
    expect(report?.spentMicroUsd).toBe(sum + held);
    expect(await readSpend(night, { kind: "run", id: report?.run ?? "" })).toEqual({
      ...{ spentMicroUsd: sum, heldMicroUsd: held, calls: 4, unknown: 1 },
    });
  });
});
