/**
 * Calls that did not pass through the gateway (D1): an agent's stream tells of them afterwards. They are rows of the ledger all the same, marked `reported`,
 * and count for the sums of day, month, task and run; a cap can only bite after them. What the agent says at its end that all of it cost, beyond what these rows
 * come to (it showed no call, or no price is known), is one more row, without tokens.
 */
import type { AgentEvent } from "../../core/agent-event.ts";
import type { TaskKey } from "../../core/ids.ts";
import { costMicroUsd } from "../../core/money/price.ts";
import type { Usage } from "../../core/money/usage.ts";
import type { Ledger, ReportedCall } from "../../ports/ledger.ts";
import type { WindowRecord } from "../../ports/store.ts";
import type { DeskParts } from "./desk.ts";
import { windowScopes } from "./window-desk.ts";

interface ReportedScope {
  readonly window: WindowRecord;
  readonly plan: string;
  readonly task: () => TaskKey | null;
}

export interface ReportedCalls {
  see(event: AgentEvent): void;
  /** After the last event. */
  settle(): Promise<void>;
}

/** Messages that are gathered before they are written. */
const groupSize = 50;

interface Told {
  readonly messageId: string | null;
  readonly usage: Usage | null;
  readonly costMicroUsd: number | null;
  readonly price: ReportedCall["price"];
  readonly subagent: boolean | null;
}

export function createReportedCalls({ prices, clock, newCallId }: DeskParts, ledger: Ledger, scope: ReportedScope): ReportedCalls {
  let model = "";
  let seq = 0;
  let waiting = new Map<string, ReportedCall>();
  let allOfItMicroUsd = 0;
  /** By message. */
  const costs = new Map<string, number>();

  function take({ key, tokens, subagent }: AgentEvent & { readonly kind: "usage" }): void {
    const usage = { ...tokens, cacheWriteLong: 0, searches: 0 };
    const price = prices.of("anthropic", model, clock.now());
    const cost = price === null ? null : costMicroUsd(price, usage);
    costs.set(key, cost ?? 0);
    waiting.set(key, rowOf({ messageId: key, usage, costMicroUsd: cost, price, subagent }));
  }

  function rowOf({ messageId, usage, costMicroUsd: cost, price, subagent }: Told): ReportedCall {
    const at = clock.now();
    seq += 1;
    return {
      id: newCallId(),
      owner: { kind: "window", run: scope.window.run, window: scope.window.id, task: scope.task() },
      key: { key: `window:${scope.window.id}`, seq, try: 1 },
      request: {
        ...{ provider: "anthropic", format: "stream", model, stream: true, bodyBytes: 0, maxOutputTokens: null, answers: 1 },
        ...{ writesCache: false, hash: "", conversation: "" },
      },
      result: {
        ...{ end: "done", failure: null, status: null, usage, answeredModel: model, providerRequestId: null, messageId },
        ...{ firstByteMs: null, durationMs: 0, answer: null },
      },
      price,
      costMicroUsd: cost,
      scopes: windowScopes(scope, clock.localDate(at)),
      subagent,
      at,
    };
  }

  async function flush(): Promise<void> {
    const calls = [...waiting.values()];
    waiting = new Map();
    if (calls.length > 0) await ledger.report(calls);
  }

  return {
    see(event) {
      if (event.kind === "session" && event.model !== undefined) model = event.model;
      if (event.kind === "result") allOfItMicroUsd = Math.max(allOfItMicroUsd, event.result.costMicroUsd ?? 0);
      if (event.kind !== "usage" || !event.final) return;
      take(event);
      // Whoever cannot write this one will hear of it where it matters: at the window's end.
      if (waiting.size >= groupSize) void flush().catch(() => undefined);
    },
    async settle() {
      const rest = allOfItMicroUsd - [...costs.values()].reduce((sum, cost) => sum + cost, 0);
      if (rest > 0) waiting.set("", rowOf({ messageId: null, usage: null, costMicroUsd: rest, price: null, subagent: null }));
      await flush();
    },
  };
}
