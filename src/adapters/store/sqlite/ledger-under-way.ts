/**
 * Calls whose result is still to come. Whoever closes a call has nearly always opened it: its number is known here without an index of the ids, and
 * its row without asking, as long as nobody else writes.
 */
import type { CallFailure, CallOwner, CallState } from "../../../core/money/call.ts";
import type { Database, Row } from "./database.ts";
import { toOwner } from "./ledger-rows.ts";
import { int, json, maybeInt, maybeText, text } from "./rows.ts";

export const underWayColumns = "number, id, owner, parent, key, task, attempt, fence, round, state, failure, upper, cost, held, scopes";
const byNumber = `SELECT ${underWayColumns} FROM call WHERE number = ? AND id = ?`;
/** Reads backwards: an id that is asked for is new. */
const byId = `SELECT ${underWayColumns} FROM call WHERE id = ? ORDER BY number DESC LIMIT 1`;

/** What must be known of a call to book its result. */
export interface UnderWay {
  readonly number: number;
  readonly state: CallState;
  readonly failure: CallFailure | null;
  readonly upper: number | null;
  readonly cost: number | null;
  readonly held: number;
  /** Numbers of its sums. */
  readonly sums: readonly number[];
  readonly owner: CallOwner;
}

export class CallsUnderWay {
  readonly #db: Database;
  /** Also of a transaction that failed: a number is only believed together with its id. */
  readonly #numbers = new Map<string, number>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** To be called inside a write, as is the next one. */
  add(id: string, call: UnderWay): void {
    this.#numbers.set(id, call.number);
    this.#rows().set(id, call);
  }

  /** Takes it out: a call is closed once. Null = there is no such call. */
  take(id: string): UnderWay | null {
    const known = this.#rows().get(id);
    const number = this.#numbers.get(id);
    this.#rows().delete(id);
    this.#numbers.delete(id);
    if (known !== undefined) return known;
    const row = (number === undefined ? undefined : this.#db.get(byNumber, [number, id])) ?? this.#db.get(byId, [id]);
    return row === undefined ? null : toUnderWay(row);
  }

  #rows(): Map<string, UnderWay> {
    return this.#db.fact("calls under way", () => new Map<string, UnderWay>());
  }
}

export function toUnderWay(row: Row): UnderWay {
  return {
    number: int(row, "number"),
    state: text(row, "state") as CallState,
    failure: maybeText(row, "failure") as CallFailure | null,
    upper: maybeInt(row, "upper"),
    cost: maybeInt(row, "cost"),
    held: int(row, "held"),
    sums: json(row, "scopes"),
    owner: toOwner(row),
  };
}
