/** One line an action, into the event log (A4): gathered and written in groups, so that a busy agent does not mean a commit for each of its steps. */
import type { AgentEvent } from "../core/agent-event.ts";
import type { WindowId } from "../core/ids.ts";
import type { NewEvent } from "../ports/store.ts";
import type { RunContext } from "./context.ts";

const groupMs = 500;
/** Per window; the rest is counted. The raw log has all of it. */
const maxActions = 2000;

export function recordActions(context: RunContext, window: WindowId) {
  const { store, clock } = context.ports;
  let waiting: NewEvent[] = [];
  let count = 0;
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    await clock.sleep(groupMs, ended.signal);
    const group = waiting;
    waiting = [];
    writing = null;
    // Progress lines are for people: a store in trouble is reported by the writes that matter, not by these.
    if (group.length > 0) await store.appendEvents(context.run, group, clock.now()).catch(() => undefined);
  }
  const ended = new AbortController();

  return {
    add(event: AgentEvent): void {
      const action = describeAction(event);
      if (action === null) return;
      count += 1;
      if (count > maxActions) return;
      waiting.push({ kind: "agent.acted", window, data: action });
      writing ??= write();
    },
    /** What the agent did stands in the log before what came of it. */
    async writeNow(): Promise<void> {
      if (waiting.length > 0) await store.appendEvents(context.run, waiting.splice(0), clock.now()).catch(() => undefined);
    },
    async flush(): Promise<void> {
      if (count > maxActions)
        waiting.push({ kind: "agent.acted", window, data: { what: "more", text: `${count - maxActions} more actions are in the log` } });
      ended.abort();
      if (writing !== null) await writing;
      if (waiting.length > 0) await store.appendEvents(context.run, waiting.splice(0), clock.now()).catch(() => undefined);
    },
  };
}

function describeAction(event: AgentEvent): Record<string, unknown> | null {
  switch (event.kind) {
    case "tool-start":
      return { what: event.name, text: event.summary, subagent: event.subagent };
    case "tool-denied":
      return { what: "denied", text: event.by };
    case "retry":
      return { what: "retry", text: `${event.attempt} of ${event.max}${event.status === undefined ? "" : `, status ${event.status}`}` };
    case "compaction":
      return { what: "compaction", text: `${event.beforeTokens} to ${event.afterTokens} tokens` };
    case "limit":
      return event.status === "rejected" ? { what: "limit", text: "the provider's limit is reached" } : null;
    case "notice":
      return { what: event.tag, text: event.text.slice(0, 200) };
    default:
      return null;
  }
}
