/** `midwatch ledger list` and `sum`: the calls of the ledger, one by one or as sums. */
import { MidwatchError } from "../core/error.ts";
import { exactAmount } from "../core/money/amount.ts";
import { isSettled, mayCostMore } from "../core/money/call.ts";
import { type Grouping, groupings, type SumLine } from "../core/money/summary.ts";
import { inputTokens } from "../core/money/usage.ts";
import { findAsked, lastCalls, windowNumbers } from "../engine/ledger-calls.ts";
import { labelOf } from "../engine/ledger-prove.ts";
import { type LedgerSums, ledgerSums } from "../engine/ledger-sum.ts";
import type { CallRecord } from "../ports/ledger.ts";
import type { Store } from "../ports/store.ts";
import type { App } from "./app.ts";
import { existingStore } from "./command.ts";
import { columns, cut, showLines, showTable, tell } from "./layout.ts";
import { type LedgerFlags, questionOf, wholeNumber } from "./ledger-question.ts";
import { count, exactMoney, json, type Paint, painter, plain, pointInTime } from "./print.ts";

export async function withLedger<T>(app: App, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await existingStore(app);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const usualLimit = 100;

export async function ledgerListCommand(app: App, flags: LedgerFlags): Promise<number> {
  const limit = flags.limit === undefined ? usualLimit : wholeNumber("--limit", flags.limit);
  return withLedger(app, async (store) => {
    const asked = await findAsked(store, questionOf(flags, app.clock.now()), app.treeTop);
    const { calls, total } = await lastCalls(store.ledger, asked.filter, limit);
    const windows = await windowNumbers(store, calls);
    if (flags.json)
      app.terminal.out(json({ total, calls: calls.map((call) => ({ label: labelOf(call), unknown: mayCostMore(call), ...call })) }));
    else printCalls(app, calls, windows);
    if (calls.length < total) tell(app.terminal, `the last ${calls.length} of ${total}; more with --limit`);
    if (total === 0) tell(app.terminal, "there is no such call");
    return 0;
  });
}

function printCalls({ terminal, clock }: App, calls: readonly CallRecord[], windows: ReadonlyMap<string, number>): void {
  const paint = painter(terminal);
  const rows = calls.map((call) => [
    pointInTime(call.sentAt, clock.now()),
    ownerOf(call, windows),
    `#${call.key.seq}.${call.key.try}`,
    cut(plain(call.result?.answeredModel ?? call.request.model), 40),
    tokensOf(call),
    moneyOf(call),
    stateOf(call, paint),
  ]);
  showLines(terminal, columns(rows), 6);
}

function ownerOf({ owner, key }: CallRecord, windows: ReadonlyMap<string, number>): string {
  if (owner.kind === "job") return plain(key.key);
  const number = windows.get(owner.window);
  return `w${number ?? "?"}${owner.task === null ? "" : ` ${plain(owner.task)}`}`;
}

function tokensOf({ result }: CallRecord): string {
  const usage = result?.usage ?? null;
  if (usage === null) return "-";
  const cached = usage.cacheRead === 0 ? "" : ` (${usage.cacheRead} cached)`;
  return `${inputTokens(usage)} in${cached}, ${usage.output} out`;
}

function moneyOf(call: CallRecord): string {
  const { costMicroUsd, upperMicroUsd } = call;
  if (mayCostMore(call))
    return `${exactMoney(costMicroUsd ?? 0)} to ${upperMicroUsd === null ? "?" : exactMoney(Math.max(upperMicroUsd, costMicroUsd ?? 0))}`;
  if (costMicroUsd !== null) return exactMoney(costMicroUsd);
  return call.state === "failed" ? exactMoney(0) : "no price";
}

function stateOf(call: CallRecord, paint: Paint): string {
  const failure = call.result?.failure ?? null;
  if (isSettled({ state: call.state, failure }))
    return `settled: ${call.costMicroUsd === null ? "not charged" : "charged, its answer was lost"}`;
  const words = [
    call.state,
    failure,
    call.late ? "late" : null,
    call.source === "reported" ? "reported" : null,
    call.subagent === true ? "subagent" : null,
  ];
  const text = words.filter((word) => word !== null && word !== "done").join(", ");
  return mayCostMore(call) ? paint("yellow", `? ${text}`) : text === "" ? paint("green", "done") : text;
}

export async function ledgerSumCommand(app: App, flags: LedgerFlags & { readonly by?: string }): Promise<number> {
  const by = groupingOf(flags.by ?? "run");
  return withLedger(app, async (store) => {
    const asked = await findAsked(store, questionOf(flags, app.clock.now()), app.treeTop);
    const sums = await ledgerSums(store, asked, by, app.clock.localDate);
    const names = by === "window" ? await windowNames(store, sums) : new Map<string, string>();
    if (flags.json) app.terminal.out(json(sums));
    else printSums(app, sums, names);
    return 0;
  });
}

function groupingOf(text: string): Grouping {
  const by = groupings.find((one) => one === text);
  if (by !== undefined) return by;
  throw new MidwatchError("usage", "E_FLAG", `--by ${text} is no way to sum up`, { hint: `there are ${groupings.join(", ")}` });
}

async function windowNames(store: Store, { lines }: LedgerSums): Promise<ReadonlyMap<string, string>> {
  const runs = await store.runs({ limit: Number.MAX_SAFE_INTEGER });
  const wanted = new Set(lines.map(({ name }) => name));
  const windows = (await Promise.all(runs.map(({ id }) => store.windows(id)))).flat();
  return new Map(windows.filter(({ id }) => wanted.has(id)).map(({ id, number }) => [id, `w${number}`]));
}

function printSums(
  { terminal }: App,
  { by, lines, total, atLeastMicroUsd, atMostMicroUsd }: LedgerSums,
  names: ReadonlyMap<string, string>,
): void {
  const hasFigures = lines.some(({ agentMicroUsd }) => agentMicroUsd !== null);
  const head = [by, "calls", "input", "cached", "output", "cost", "unknown", "at most more", ...(hasFigures ? ["agent says"] : [])];
  const rows = [...lines, { ...total, agentMicroUsd: null }].map((line) => [
    plain(names.get(line.name) ?? line.name),
    ...cellsOf(line),
    ...(hasFigures ? [figureOf(line)] : []),
  ]);
  showTable(terminal, head, rows);
  tell(terminal, sentence(total, atLeastMicroUsd, atMostMicroUsd));
  if (total.unknown > 0)
    tell(terminal, "unknown calls hold the caps until a witness settles them: midwatch ledger reconcile FILE --settle");
}

function cellsOf({ calls, tokens, costMicroUsd, unknown, unknownMicroUsd }: SumLine): readonly string[] {
  return [
    String(calls),
    String(inputTokens(tokens)),
    String(tokens.cacheRead),
    String(tokens.output),
    exactMoney(costMicroUsd),
    unknown === 0 ? "" : String(unknown),
    unknown === 0 ? "" : exactMoney(unknownMicroUsd),
  ];
}

/** The agent's own figure is an estimate of its makers; it is shown, and decides nothing. */
function figureOf({ agentMicroUsd, costMicroUsd }: LedgerSums["lines"][number]): string {
  if (agentMicroUsd === null) return "";
  const apart = agentMicroUsd - costMicroUsd;
  return `${exactMoney(agentMicroUsd)}${apart === 0 ? "" : ` (${apart > 0 ? "+" : "-"}${exactMoney(Math.abs(apart))})`}`;
}

export function sentence({ unknown, unpriced }: SumLine, atLeast: number, atMost: number): string {
  const spent =
    unknown === 0
      ? `US$ ${exactAmount(atLeast)} for certain`
      : `at least US$ ${exactAmount(atLeast)}; up to US$ ${exactAmount(atMost)} if every unknown call was charged`;
  return unpriced === 0 ? spent : `${spent}; ${count(unpriced, "call")} without a price are in neither`;
}
