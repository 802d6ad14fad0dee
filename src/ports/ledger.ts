/**
 * The ledger: every call to a provider, written before it leaves and closed after. Part of the store's file, so that an intent and the check of its owner,
 * or of a lease, are one transaction. Each method is one transaction, durable when it resolves; lists are for group commit. Booking is never refused.
 */

import type { RunId, WindowId } from "../core/ids.ts";
import type { CallKey, CallOwner, CallRequest, CallResult, CallState, RecordedAnswer } from "../core/money/call.ts";
import type { Cap, Scope, Spend } from "../core/money/cap.ts";
import type { ModelPrice } from "../core/money/price.ts";

export interface CallIntent {
  /** UUID v7, ours; sent to gateways as a label where they take one. */
  readonly id: string;
  readonly owner: CallOwner;
  readonly request: CallRequest;
  readonly place: CallPlace;
  /** Null = no price is known: nothing is held for it. */
  readonly upperMicroUsd: number | null;
  readonly price: ModelPrice | null;
  /** All sums it counts for; `caps` are limits on some of them, and on the call itself. */
  readonly scopes: readonly Scope[];
  readonly caps: readonly Cap[];
  readonly sentAt: number;
}

/**
 * `counted`: the owner keeps count itself (a window). `sequence` and `occurrence`: looked up, so that what was paid is served (a job): the n-th request, or the k-th
 * with this body.
 */
export type CallPlace =
  | { readonly kind: "counted"; readonly seq: number; readonly try: number }
  | { readonly kind: "sequence"; readonly seq: number; readonly onDivergence: "stop" | "pay" }
  | { readonly kind: "occurrence"; readonly occurrence: number };

export type OpenedCall =
  | { readonly kind: "opened"; readonly key: CallKey; readonly earlierUnknown: boolean }
  | { readonly kind: "replay"; readonly id: string; readonly key: CallKey; readonly answer: RecordedAnswer }
  | { readonly kind: "diverged"; readonly seq: number; readonly expected: string }
  | { readonly kind: "capped"; readonly cap: Cap; readonly spend: Spend }
  /** The window is over, or the lease is somebody else's: nothing may be spent in its name. */
  | { readonly kind: "gone" };

export interface CallClosing {
  readonly id: string;
  readonly result: CallResult;
  /** Null = not known: no price, or no usage. */
  readonly costMicroUsd: number | null;
  readonly at: number;
}

/**
 * With the sums as they are now, in the order of the intent's scopes. `late`: the lease was gone, or the call given up; booked all the same.
 * `absent`: there is no such call, the retention has removed it.
 */
export interface ClosedCall {
  readonly kind: "closed" | "late" | "was-closed" | "absent";
  readonly spends: readonly { readonly scope: Scope; readonly spend: Spend }[];
}

/** A call as it is listed. */
export interface CallRecord {
  readonly id: string;
  /** Grows with the order of the intents. */
  readonly number: number;
  readonly source: "gateway" | "reported";
  readonly owner: CallOwner;
  readonly key: CallKey;
  readonly request: CallRequest;
  readonly state: CallState;
  readonly late: boolean;
  /** Told by the agent's own stream; null = nobody said. */
  readonly subagent: boolean | null;
  readonly upperMicroUsd: number | null;
  readonly costMicroUsd: number | null;
  readonly price: ModelPrice | null;
  readonly sentAt: number;
  readonly endedAt: number | null;
  /** Without `answer`, which may be large. */
  readonly result: Omit<CallResult, "answer"> | null;
}

/** A call that was made without the gateway, told of afterwards by an agent's stream. */
export interface ReportedCall {
  readonly id: string;
  readonly owner: CallOwner;
  readonly key: CallKey;
  readonly request: CallRequest;
  readonly result: CallResult;
  readonly price: ModelPrice | null;
  readonly costMicroUsd: number | null;
  readonly scopes: readonly Scope[];
  readonly subagent: boolean | null;
  readonly at: number;
}

export interface CallFilter {
  readonly run?: RunId;
  readonly window?: WindowId;
  readonly batch?: string;
  readonly key?: string;
  readonly states?: readonly CallState[];
  /** Wall clock of the intent, from (inclusive) and to (exclusive). */
  readonly from?: number;
  readonly to?: number;
  /** Only calls whose number is greater. */
  readonly after?: number;
  readonly limit: number;
}

export interface Ledger {
  /** In order, in one transaction: the owner's right, what was paid before, the caps, then the intent. One that is not opened leaves no row. */
  open(intents: readonly CallIntent[]): Promise<readonly OpenedCall[]>;
  /** In order, in one transaction. Closing a call twice changes nothing. */
  close(closings: readonly CallClosing[]): Promise<readonly ClosedCall[]>;
  /** Rows of calls that we only heard of (D1). The same id twice is one row. */
  report(calls: readonly ReportedCall[]): Promise<void>;
  /** What an agent's stream told later: which answers (by the provider's message id) were a subagent's. */
  markSubagents(window: WindowId, messages: ReadonlyMap<string, boolean>): Promise<void>;
  /** At recovery: the open calls of a run, of a batch, or of one seat's attempts in it, whose process is dead. Their number. */
  giveUp(owner: { readonly run: RunId } | { readonly batch: string; readonly seat?: string }, at: number): Promise<number>;
  spend(scopes: readonly Scope[]): Promise<readonly Spend[]>;
  /** By number, rising. */
  calls(filter: CallFilter): Promise<readonly CallRecord[]>;
  /** The recorded answer of a call; null = none was kept, or its file is gone. */
  answer(id: string): Promise<RecordedAnswer | null>;
  /** Places of one key with more than one charge that was paid for certain: what must be empty. With the SQL that asks. */
  duplicates(filter: {
    readonly run?: RunId;
    readonly batch?: string;
  }): Promise<{ readonly sql: string; readonly rows: readonly Duplicate[] }>;
  /** What the books say of themselves, each with the SQL that asked: totals by state, the unknown rows, what a person had paid anew, sums kept beside sums counted afresh. */
  proof(filter: { readonly run?: RunId; readonly batch?: string }): Promise<readonly LedgerQuestion[]>;
}

export interface LedgerQuestion {
  readonly name: "totals" | "unknown" | "anew" | "sums";
  readonly sql: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

export interface Duplicate {
  readonly key: string;
  readonly seq: number;
  readonly charges: number;
}
