/** A call as a row, and back. Amounts from outside are made whole and bounded here: booking is never refused for a number that is too large. */
import type { RunId, TaskKey, WindowId } from "../../../core/ids.ts";
import type { CallFailure, CallKey, CallOwner, CallRequest, CallResult, CallState } from "../../../core/money/call.ts";
import { heldMicroUsd } from "../../../core/money/held.ts";
import type { CallIntent, CallRecord, ReportedCall } from "../../../ports/ledger.ts";
import type { Params, Row } from "./database.ts";
import { int, json, maybeInt, maybeJson, maybeString, maybeText, text } from "./rows.ts";

export const insertCall = `INSERT INTO call (id, source, owner, parent, key, seq, try, task, attempt, fence, hash, request, price, scopes, upper, sent_at,
    state, failure, late, subagent, cost, held, ended_at, message, result)
  VALUES (:id, :source, :owner, :parent, :key, :seq, :try, :task, :attempt, :fence, :hash, :request, :price, :scopes, :upper, :sentAt,
    :state, :failure, :late, :subagent, :cost, :held, :endedAt, :message, :result)`;

/** Whole micro-dollars; null for what is no number. */
export function amount(value: number | null): number | null {
  if (value === null || Number.isNaN(value)) return null;
  return Math.min(Math.max(0, Math.ceil(value)), Number.MAX_SAFE_INTEGER);
}

export function ofIntent(intent: CallIntent, key: CallKey): Params {
  const upper = amount(intent.upperMicroUsd);
  const none = { state: "open", failure: null, late: 0, subagent: null, cost: null, endedAt: null, message: null, result: null };
  return { ...asked(intent, key), source: "gateway", upper, held: upper ?? 0, sentAt: Math.round(intent.sentAt), ...none };
}

export function ofReport(call: ReportedCall, key: CallKey, isLate: boolean): Params {
  const end = ofResult(call.result, { upper: null, cost: call.costMicroUsd, at: call.at });
  const subagent = call.subagent === null ? null : Number(call.subagent);
  return { ...asked(call, key), source: "reported", upper: null, sentAt: Math.round(call.at), subagent, late: Number(isLate), ...end };
}

function asked(call: CallIntent | ReportedCall, key: CallKey) {
  const { hash, ...request } = call.request;
  const { id, owner, price, scopes } = call;
  const texts = { hash, request: JSON.stringify(request), price: maybeString(price), scopes: JSON.stringify(scopes) };
  return { id, ...key, ...ofOwner(owner), ...texts };
}

function ofOwner(owner: CallOwner) {
  if (owner.kind === "window") return { owner: "window", parent: owner.run, task: owner.task, attempt: null, fence: null };
  return { owner: "job", parent: owner.batch, task: null, attempt: owner.attempt, fence: owner.fence };
}

interface Ending {
  readonly upper: number | null;
  readonly cost: number | null;
  readonly at: number;
}

/** The columns that a result fills. */
export function ofResult(told: CallResult, { upper, cost, at }: Ending) {
  const { end, failure, answer: _kept, messageId, ...result } = told;
  const known = amount(cost);
  return {
    state: end,
    failure,
    cost: known,
    held: heldMicroUsd({ state: end, failure, upperMicroUsd: upper, costMicroUsd: known }),
    endedAt: Math.round(at),
    message: maybeString(messageId),
    result: JSON.stringify(result),
  };
}

export function toOwner(row: Row): CallOwner {
  const key = text(row, "key");
  if (text(row, "owner") === "job")
    return { kind: "job", batch: text(row, "parent"), job: key, attempt: int(row, "attempt"), fence: maybeInt(row, "fence") };
  const window = key.slice("window:".length) as WindowId;
  return { kind: "window", run: text(row, "parent") as RunId, window, task: maybeText(row, "task") as TaskKey | null };
}

export function toKey(row: Row): CallKey {
  return { key: text(row, "key"), seq: int(row, "seq"), try: int(row, "try") };
}

export function toCall(row: Row): CallRecord {
  const subagent = maybeInt(row, "subagent");
  return {
    id: text(row, "id"),
    number: int(row, "number"),
    source: text(row, "source") as CallRecord["source"],
    owner: toOwner(row),
    key: toKey(row),
    request: { ...json<Omit<CallRequest, "hash">>(row, "request"), hash: text(row, "hash") },
    state: text(row, "state") as CallState,
    late: int(row, "late") === 1,
    subagent: subagent === null ? null : subagent === 1,
    upperMicroUsd: maybeInt(row, "upper"),
    costMicroUsd: maybeInt(row, "cost"),
    price: maybeJson(row, "price"),
    sentAt: int(row, "sent_at"),
    endedAt: maybeInt(row, "ended_at"),
    result: toResult(row),
  };
}

function toResult(row: Row): CallRecord["result"] {
  const result = maybeJson<Omit<CallResult, "end" | "failure" | "messageId" | "answer">>(row, "result");
  if (result === null) return null;
  const end = text(row, "state") as CallResult["end"];
  return { ...result, end, failure: maybeText(row, "failure") as CallFailure | null, messageId: maybeJson(row, "message") };
}
