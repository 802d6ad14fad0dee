/** Who a teammate is. A compaction may have cut it away, so it is said again after each (K3); a fresh window begins with it. */
import type { AgentEvent } from "../agent-event.ts";
import type { Member } from "../run-settings.ts";

export interface Identity {
  see(event: AgentEvent): void;
  /** What the agent is to be told now, once; null = nothing. */
  take(): string | null;
}

/** @param member  absent = nobody: never anything to tell */
export function createIdentity(member: Member | undefined): Identity {
  let isDue = false;
  return {
    see(event) {
      if (event.kind === "compaction") isDue = true;
    },
    take() {
      if (member === undefined || !isDue) return null;
      isDue = false;
      return identityLine(member);
    },
  };
}

export function identityLine({ name, role, team }: Member): string {
  return `You are '${name}', role: ${role}, team: ${team}. Continue your work.`;
}
