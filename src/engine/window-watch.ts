/**
 * Holds what is known of one window's context and money. The one place where the figures come in, from the agent's stream or from whoever measures
 * better, and where those who tell, deny and end look.
 */
import type { AgentEvent } from "../core/agent-event.ts";
import { advise, freshWatch, isMoneyOpen, isOwnTool, markTold, type Observation, observe, type WatchLimits } from "../core/window-watch.ts";
import type { GuardAnswer } from "../ports/agent.ts";
import type { Clock } from "../ports/clock.ts";

export interface WindowWatch {
  /** Takes from an event of the stream what it tells. */
  see(event: AgentEvent): void;
  /** Input tokens of the main conversation's latest request. */
  seeContext(tokens: number): void;
  /** What the window has cost so far, with what is held for running calls. */
  seeSpend(microUsd: number): void;
  /** The most that the window may spend, where another cap leaves it less than its own. */
  seeCap(microUsd: number): void;
  /** What the latest call may cost: the handoff will take such a one too. */
  seeNextCall(upperMicroUsd: number): void;
  /** What the window's calls that run may cost together. */
  seeRunning(upperMicroUsd: number): void;
  /** What the agent is to be told now, once; null = nothing. Whoever takes it, tells it. */
  takeAdvice(): string | null;
  /** A denial, or null where the guard decides. Waits a moment for a call that may still cross the money line. */
  verdict(tool: string): Promise<GuardAnswer | null>;
  /** The window ends after the running tool. */
  mustEnd(): boolean;
}

/** How long the end of a running call is waited for: from the last word that an agent acts on to the usage, with the row's way to the disk. */
const callEndMs = 1000;

export function createWindowWatch(given: WatchLimits, clock: Pick<Clock, "sleep">): WindowWatch {
  let limits = given;
  let state = freshWatch;
  const waiting = new Set<AbortController>();
  const take = (seen: Observation) => {
    state = observe(state, limits, seen);
    if (!isMoneyOpen(state, limits)) for (const wait of waiting) wait.abort();
  };
  async function callsEnded(): Promise<void> {
    if (!isMoneyOpen(state, limits)) return;
    const wait = new AbortController();
    waiting.add(wait);
    await clock.sleep(callEndMs, wait.signal);
    waiting.delete(wait);
  }
  const watch: WindowWatch = {
    see(event) {
      if (event.kind === "usage" && !event.subagent) {
        const { input, cacheRead, cacheWrite } = event.tokens;
        watch.seeContext(input + cacheRead + cacheWrite);
      } else if (event.kind === "result" && event.result.costMicroUsd !== undefined) {
        watch.seeSpend(event.result.costMicroUsd);
      }
    },
    seeContext: (tokens) => take({ kind: "context", tokens }),
    seeSpend: (microUsd) => take({ kind: "spend", microUsd }),
    seeCap(microUsd) {
      limits = { ...limits, capMicroUsd: Math.max(0, Math.min(given.capMicroUsd, microUsd)) };
    },
    seeNextCall: (upperMicroUsd) => take({ kind: "call", upperMicroUsd }),
    seeRunning: (microUsd) => take({ kind: "running", microUsd }),
    takeAdvice() {
      const { tell } = advise(state, limits);
      if (tell !== null) state = markTold(state, limits);
      return tell;
    },
    async verdict(tool) {
      if (isOwnTool(tool)) return null;
      await callsEnded();
      const { deny } = advise(state, limits);
      return deny === null ? null : { kind: "deny", reason: deny };
    },
    mustEnd: () => advise(state, limits).mustEnd,
  };
  return watch;
}
