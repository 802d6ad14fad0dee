/** A call as a row, and back. Amounts from outside are made whole and bounded here: booking is never refused for a number that is too large. */
import type { SQLInputValue } from "node:sqlite";
import type { RunId, TaskKey, WindowId } from "../../../core/ids.ts";
import type { CallFailure, CallKey, CallOwner, CallRequest, CallResult, CallState } from "../../../core/money/call.ts";
import { heldMicroUsd } from "../../../core/money/held.ts";
import type { CallIntent, CallRecord, ReportedCall } from "../../../ports/ledger.ts";
import type { Row } from "./database.ts";
import { int, json, maybeInt, maybeJson, maybeString, maybeText, text } from "./rows.ts";

/** Columns that are given in this order, by position: by name it takes twice as long. */
const asked = "id, owner, parent, key, seq, try, task, attempt, fence, round, hash, request, tariff, scopes, upper, sent_at";
const askedPlaces = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?";
const ended = "state, failure, cost, held, ended_at, message, result";

export const insertIntent = `INSERT INTO call (${asked}, held, source, state) VALUES (${askedPlaces}, ?, 'gateway', 'open')`;
export const insertReport = `INSERT INTO call (${asked}, late, subagent, source, ${ended}) VALUES (${askedPlaces}, ?, ?, 'reported', ?, ?, ?, ?, ?, ?, ?)`;
export const updateEnded = `UPDATE call SET (${ended}) = (?, ?, ?, ?, ?, ?, ?), late = ? WHERE number = ?`;
export const selectCalls = "SELECT call.*, tariff.price FROM call LEFT JOIN tariff ON tariff.number = call.tariff";

/** Conditions that the index of the keys can answer; a batch's keys lie between `batch:` and `batch;`, the character after the colon. */
export const ofRun = "key IN (SELECT 'window:' || id FROM window WHERE run = :run)";
export const ofBatch = callsOf(":batch");

/** @param batch  a parameter, or SQL, for its name */
export function callsOf(batch: string): string {
  return `key > ${batch} || ':' AND key < ${batch} || ';' AND parent = ${batch}`;
}

/** What a row refers to. */
export interface Links {
  readonly tariff: number | null;
  /** Numbers of its sums. */
  readonly sums: readonly number[];
}

/** Whole micro-dollars; null for what is no number. */
export function amount(value: number | null): number | null {
  if (value === null || Number.isNaN(value)) return null;
  return Math.min(Math.max(0, Math.ceil(value)), Number.MAX_SAFE_INTEGER);
}

interface Asked {
  readonly call: CallIntent | ReportedCall;
  readonly key: CallKey;
  readonly links: Links;
  readonly upper: number | null;
  readonly at: number;
}

export function askedValues({ call, key, links, upper, at }: Asked): readonly SQLInputValue[] {
  const { hash, ...request } = call.request;
  const texts = [hash, JSON.stringify(request), links.tariff, JSON.stringify(links.sums)];
  return [call.id, ...ownerValues(call.owner, key), ...texts, upper, Math.round(at)];
}

function ownerValues(owner: CallOwner, key: CallKey): readonly SQLInputValue[] {
  if (owner.kind === "window") return ["window", owner.run, key.key, key.seq, key.try, owner.task, null, null, 0];
  return ["job", owner.batch, key.key, key.seq, key.try, null, owner.attempt, owner.fence, owner.round];
}

/** How a call ended, as its row has it. */
export interface Ended {
  readonly state: CallResult["end"];
  readonly failure: CallFailure | null;
  readonly cost: number | null;
  readonly held: number;
}

export function endOf({ end, failure }: CallResult, upper: number | null, cost: number | null): Ended {
  const known = amount(cost);
  return { state: end, failure, cost: known, held: heldMicroUsd({ state: end, failure, upperMicroUsd: upper, costMicroUsd: known }) };
}

export function endedValues({ state, failure, cost, held }: Ended, told: CallResult, at: number): readonly SQLInputValue[] {
  const { end: _end, failure: _failure, answer: _answer, messageId, ...result } = told;
  return [state, failure, cost, held, Math.round(at), maybeString(messageId), JSON.stringify(result)];
}

export function toOwner(row: Row): CallOwner {
  const key = text(row, "key");
  if (text(row, "owner") === "job")
    return {
      ...{ kind: "job", batch: text(row, "parent"), job: key },
      ...{ attempt: int(row, "attempt"), fence: maybeInt(row, "fence"), round: int(row, "round") },
    };
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
