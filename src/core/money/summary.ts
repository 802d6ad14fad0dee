/** Many calls as a few lines: what they cost for certain, and what the unknown ones may have cost besides (V5: a lower bound, with the number of unknowns). */
import { type CallFailure, type CallOwner, type CallState, mayCostMore } from "./call.ts";
import { addUsage, noUsage, type Usage } from "./usage.ts";

export const groupings = ["run", "window", "task", "model", "day", "state", "agent"] as const;
export type Grouping = (typeof groupings)[number];

export interface SummedCall {
  readonly owner: CallOwner;
  readonly request: { readonly model: string };
  readonly state: CallState;
  readonly subagent: boolean | null;
  readonly upperMicroUsd: number | null;
  readonly costMicroUsd: number | null;
  readonly sentAt: number;
  readonly result: { readonly failure: CallFailure | null; readonly usage: Usage | null; readonly answeredModel: string | null } | null;
}

export interface SumLine {
  readonly name: string;
  readonly calls: number;
  readonly tokens: Usage;
  /** For certain: a lower bound. */
  readonly costMicroUsd: number;
  /** Calls that may have been charged, or charged more than we know. */
  readonly unknown: number;
  /** The most that they may have cost beyond what is in `costMicroUsd`. */
  readonly unknownMicroUsd: number;
  /** Calls of which no price was known: they are in neither amount. */
  readonly unpriced: number;
}

/** @param dayOf  the date in the machine's time zone. Lines come in the order of their first call. */
export function sumCalls(calls: readonly SummedCall[], by: Grouping, dayOf: (at: number) => string): readonly SumLine[] {
  const groups = Map.groupBy(calls, (call) => nameOf(call, by, dayOf));
  return [...groups].map(([name, members]) => sumOf(name, members));
}

export function sumOf(name: string, calls: readonly SummedCall[]): SumLine {
  const unknown = calls.filter(mayCostMore);
  return {
    name,
    calls: calls.length,
    tokens: calls.reduce((sum, { result }) => addUsage(sum, result?.usage ?? noUsage), noUsage),
    costMicroUsd: calls.reduce((sum, { costMicroUsd }) => sum + (costMicroUsd ?? 0), 0),
    unknown: unknown.length,
    unknownMicroUsd: unknown.reduce((sum, call) => sum + Math.max(0, (call.upperMicroUsd ?? 0) - (call.costMicroUsd ?? 0)), 0),
    unpriced: calls.filter(isUnpriced).length,
  };
}

/** It was charged, or may have been, and nothing says what that comes to. */
function isUnpriced(call: SummedCall): boolean {
  return (call.state === "done" || mayCostMore(call)) && call.upperMicroUsd === null && call.costMicroUsd === null;
}

function nameOf({ owner, request, state, subagent, sentAt, result }: SummedCall, by: Grouping, dayOf: (at: number) => string): string {
  switch (by) {
    case "run":
      return owner.kind === "window" ? owner.run : owner.batch;
    case "window":
      return owner.kind === "window" ? owner.window : owner.job;
    case "task":
      return owner.kind === "window" ? (owner.task ?? "no task") : owner.job;
    case "model":
      return result?.answeredModel ?? request.model;
    case "day":
      return dayOf(sentAt);
    case "state":
      return state;
    case "agent":
      return subagent === null ? "not told" : subagent ? "subagent" : "main";
  }
}
