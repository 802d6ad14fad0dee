/** The event log of a run as it grows: what the terminal shows, in this process or in any other. */
import type { RunId } from "../core/ids.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store, StoredEvent } from "../ports/store.ts";

const lookMs = 200;
const page = 500;

/**
 * Yields the events after `after`, then new ones, until `isOver` says so and nothing is left, or the signal aborts.
 */
export async function* followRun(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  run: RunId,
  options: { readonly after: number; readonly isOver: () => boolean | Promise<boolean>; readonly signal: AbortSignal },
): AsyncGenerator<StoredEvent> {
  let after = options.after;
  while (!options.signal.aborted) {
    // Asked before reading, so that what was written before the end is still read after it.
    const over = await options.isOver();
    const events = await store.eventsAfter(run, after, page);
    for (const event of events) {
      after = event.id;
      yield event;
    }
    if (events.length === page) continue;
    if (over) return;
    await clock.sleep(lookMs, options.signal);
  }
}
