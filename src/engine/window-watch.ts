/**
 * Holds what is known of one window's context and money. The one place where the figures come in, from the agent's stream or from whoever measures
 * better, and where those who tell, deny and end look.
 */
import type { AgentEvent } from "../core/agent-event.ts";
import { advise, freshWatch, isOwnTool, markTold, type Observation, observe, type WatchLimits } from "../core/window-watch.ts";
import type { GuardAnswer } from "../ports/agent.ts";

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
  /** What the agent is to be told now, once; null = nothing. Whoever takes it, tells it. */
  takeAdvice(): string | null;
  /** A denial, or null where the guard decides. */
  verdict(tool: string): GuardAnswer | null;
  /** The window ends after the running tool. */
  mustEnd(): boolean;
}

export function createWindowWatch(given: WatchLimits): WindowWatch {
  let limits = given;
  let state = freshWatch;
  const take = (seen: Observation) => {
    state = observe(state, limits, seen);
  };
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
    takeAdvice() {
      const { tell } = advise(state, limits);
      if (tell !== null) state = markTold(state, limits);
      return tell;
    },
    verdict(tool) {
      const { deny } = advise(state, limits);
      return deny === null || isOwnTool(tool) ? null : { kind: "deny", reason: deny };
    },
    mustEnd: () => advise(state, limits).mustEnd,
  };
  return watch;
}
