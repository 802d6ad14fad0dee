/**
 * V3: everything is killed at each named point of a call, and again while that death is taken up. Afterwards the provider's bill and the ledger differ by calls
 * among the unknown rows alone: one for each call in flight at most, and nothing is on the bill that has no row.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CallRecord } from "../../src/ports/ledger.ts";
import { readCalls, readInvoice, readSpend } from "../scenario/booked.ts";
import { handoff, makeSpendNight, type Spending, type SpendNight } from "../scenario/money-kit.ts";
import { findStrays } from "../scenario/strays.ts";
import { callPoints, ledgerPoints } from "./points.ts";
import { command, type Ended, launch } from "./program.ts";

/** Calls in flight at once. */
const lanes = 2;
const spending: readonly Spending[] = [
  { max: handoff, times: 3, lanes },
  { max: handoff, times: 2, stream: true, format: "openai" },
  { tells: { message: "m1", output_tokens: 1 } },
];

const makeNight = () => makeSpendNight({ limits: { windows: 2 }, windows: { 1: spending, 2: spending } });

/** One start; one that was hit takes everything with it. */
async function start(night: SpendNight, fault: string | null): Promise<Ended> {
  const faults = { MIDWATCH_FAULT_LOG: join(night.folder, "points.log"), ...(fault === null ? {} : { MIDWATCH_FAULT: fault }) };
  const ended = await launch(command, night.repo.path, { ...night.env, ...night.keys, ...faults }).ended;
  if (ended.signal !== null) for (const pid of findStrays(night.folder)) endNow(pid);
  return ended;
}

function endNow(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it was faster
  }
}

function pointsOf({ folder }: SpendNight): readonly string[] {
  const path = join(folder, "points.log");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
}

async function complaintsOf(night: SpendNight, deaths: number): Promise<readonly string[]> {
  const [calls, bill] = [await readCalls(night), readInvoice(night.invoicePath)];
  const of = (state: CallRecord["state"]) => calls.filter((call) => call.state === state);
  const [done, unknown] = [of("done"), of("unknown")];
  const paid = bill.map(({ request }) => request);
  const unbooked = bill.filter(({ request }) => !done.some(({ result }) => result?.providerRequestId === request));
  const sum = (rows: readonly CallRecord[], of: "costMicroUsd" | "upperMicroUsd") => rows.reduce((all, row) => all + (row[of] ?? 0), 0);
  const run = calls[0]?.owner.kind === "window" ? calls[0].owner.run : "";
  const spend = await readSpend(night, { kind: "run", id: run });
  return [
    ...complain(done.length + unknown.length !== calls.length, `rows are ${calls.map(({ state }) => state).join(", ")}`),
    ...complain(unknown.length > deaths * lanes, `${unknown.length} unknown rows for ${lanes} calls in flight`),
    ...complain(new Set(paid).size !== paid.length, "a request stands on the bill twice"),
    ...done
      .filter(({ result }) => !paid.includes(result?.providerRequestId ?? ""))
      .map(({ key }) => `${key.key} ${key.seq} is booked, and not billed`),
    ...unbooked
      .filter(({ body_sha256: hash }) => !unknown.some(({ request }) => request.hash === hash))
      .map(({ request }) => `${request} is billed, and has no row`),
    ...complain(unbooked.length > unknown.length, `${unbooked.length} charges for ${unknown.length} unknown rows`),
    ...complain(
      spend.spentMicroUsd !== sum(done, "costMicroUsd") || spend.heldMicroUsd !== sum(unknown, "upperMicroUsd"),
      `the sum of the run is ${JSON.stringify(spend)}`,
    ),
    ...complain(spend.unknown !== unknown.length || spend.calls !== calls.length, `the run counts ${JSON.stringify(spend)}`),
  ];
}

function complain(isWrong: boolean, text: string): readonly string[] {
  return isWrong ? [text] : [];
}

test("alone, a night passes each point of a call, and bill and ledger are the same", async () => {
  const night = await makeNight();
  expect((await start(night, null)).code).toBe(8);
  expect(await complaintsOf(night, 0)).toEqual([]);
  expect(readInvoice(night.invoicePath)).toHaveLength(16);
  expect(pointsOf(night)).toEqual(expect.arrayContaining([...callPoints, ...swept.filter((name) => name.startsWith("store."))]));
});

/** What is left of the ledger's own points passes where there is no gateway, or where jobs are. */
const swept = [...callPoints, ...ledgerPoints.filter((name) => /openCalls|closeCalls|markSubagents/.test(name))];

test.each(swept.flatMap((name) => [`kill:${name}`, ...(name.includes("mark") ? [] : [`kill:${name}:4`])]))(
  "after %s the bill has nothing that the ledger does not know of, and the night goes on",
  async (fault) => {
    const night = await makeNight();
    expect((await start(night, fault)).signal, "the kill hit").toBe("SIGKILL");
    expect(await start(night, null)).toMatchObject({ code: 8, signal: null });
    expect(await complaintsOf(night, 1)).toEqual([]);
  },
);

test.each(ledgerPoints.filter((name) => name.includes("giveUpCalls")))(
  "killed again at %s, while the calls are given up, it is the same",
  async (name) => {
    const night = await makeNight();
    await start(night, "kill:call.answered:3");
    expect((await start(night, `kill:${name}`)).signal, "the kill hit").toBe("SIGKILL");
    expect((await start(night, null)).code).toBe(8);
    expect(await complaintsOf(night, 1)).toEqual([]);
    expect((await readCalls(night)).filter(({ state }) => state === "unknown").length).toBeGreaterThan(0);
  },
);
