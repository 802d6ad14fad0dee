/** Gathers from a run's events what its agents tried and must not do. */
import { type Attempt, type CountedAttempt, countAttempts } from "../core/attempts.ts";
import type { RunId } from "../core/ids.ts";
import type { Store, StoredEvent } from "../ports/store.ts";

/** Of each kind; a window that tries more is known well enough by these. */
const mostEvents = 500;

/** @param numbers  of the run's windows, by their ids */
export async function readAttempts(store: Store, run: RunId, numbers: ReadonlyMap<string, number>): Promise<readonly CountedAttempt[]> {
  const kinds = ["guard.denied", "guard.missed", "door.refused"];
  const events = await Promise.all(kinds.map((kind) => store.recentEvents(run, kind, mostEvents)));
  const inOrder = events.flat().sort((one, other) => one.at - other.at);
  return countAttempts(inOrder.map((event) => attemptOf(event, numbers.get(event.window ?? "") ?? null)));
}

function attemptOf({ kind, data }: StoredEvent, window: number | null): Attempt {
  const say = (name: string) => String(data[name] ?? "");
  if (kind === "door.refused")
    return { window, what: "door", reason: "a secret that opens no door, such as another window's", denied: true };
  const shown = say("what");
  return { window, what: `${say("tool")}${shown === "" ? "" : ` ${shown}`}`, reason: say("reason"), denied: kind === "guard.denied" };
}
