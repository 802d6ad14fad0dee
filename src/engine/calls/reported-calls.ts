/**
 * Calls that did not pass through the gateway (D1): an agent's stream tells of them afterwards. They are rows of the ledger all the same, marked `reported`,
 * and count for the sums of day, month, task and run; a cap can only bite after them.
 */
import type { AgentEvent } from "../../core/agent-event.ts";
import type { TaskKey } from "../../core/ids.ts";
import { costMicroUsd } from "../../core/money/price.ts";
import type { Ledger, ReportedCall } from "../../ports/ledger.ts";
import type { WindowRecord } from "../../ports/store.ts";
import type { DeskParts } from "./desk.ts";
import { windowScopes } from "./window-desk.ts";

interface ReportedScope {
  readonly window: WindowRecord;
  readonly plan: string;
  readonly task: () => TaskKey | null;
}

/** Messages that are gathered before they are written. */
const groupSize = 50;

export function createReportedCalls({ prices, clock, newCallId }: DeskParts, ledger: Ledger, scope: ReportedScope) {
  let model = "";
  let seq = 0;
  let waiting = new Map<string, ReportedCall>();

  function take(event: AgentEvent & { readonly kind: "usage" }): void {
    const at = clock.now();
    const usage = { ...event.tokens, cacheWriteLong: 0, searches: 0 };
    const price = prices.of("anthropic", model, at);
    seq += 1;
    waiting.set(event.key, {
      id: newCallId(),
      owner: { kind: "window", run: scope.window.run, window: scope.window.id, task: scope.task() },
      key: { key: `window:${scope.window.id}`, seq, try: 1 },
      request: {
        provider: "anthropic",
        format: "stream",
        model,
        stream: true,
        bodyBytes: 0,
        maxOutputTokens: null,
        answers: 1,
        writesCache: false,
        hash: "",
        conversation: "",
      },
      result: {
        ...{ end: "done", failure: null, status: null, usage, answeredModel: model, providerRequestId: null, messageId: event.key },
        ...{ firstByteMs: null, durationMs: 0, answer: null },
      },
      price,
      costMicroUsd: price === null ? null : costMicroUsd(price, usage),
      scopes: windowScopes(scope, clock.localDate(at)),
      subagent: event.subagent,
      at,
    });
  }

  async function flush(): Promise<void> {
    const calls = [...waiting.values()];
    waiting = new Map();
    if (calls.length > 0) await ledger.report(calls);
  }

  return {
    see(event: AgentEvent): void {
      if (event.kind === "session" && event.model !== undefined) model = event.model;
      if (event.kind !== "usage" || !event.final) return;
      take(event);
      // Whoever cannot write this one will hear of it where it matters: at the window's end.
      if (waiting.size >= groupSize) void flush().catch(() => undefined);
    },
    flush,
  };
}
