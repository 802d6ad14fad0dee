/**
 * A person's word to a run: from a signal to this process, or through the store from another terminal.
 * One poll for the whole run; whoever waits is woken. The strongest word wins and a stop is never taken back.
 */
import type { RunId } from "../core/ids.ts";
import type { RunRequest } from "../core/run-state.ts";
import type { Clock } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";

export interface RunControl {
  /** As last seen; at most a quarter of a second old. */
  current(): RunRequest;
  /** As it stands in the store right now: for the moments in which it decides. */
  look(): Promise<RunRequest>;
  /** From a signal handler of this process. */
  say(request: RunRequest): void;
  /** Resolves at the next change, or after `ms`. */
  nextChange(ms: number): Promise<void>;
  /** Runs at each change; returns the way to stop listening. */
  onChange(listener: (request: RunRequest) => void): () => void;
  close(): Promise<void>;
}

const pollMs = 250;
const strength: Readonly<Record<RunRequest, number>> = { none: 0, pause: 1, "stop-after-window": 2, "stop-now": 3 };

export function createRunControl(store: Store, run: RunId, clock: Clock): RunControl {
  const closed = new AbortController();
  const listeners = new Set<(request: RunRequest) => void>();
  let stored: RunRequest = "none";
  let said: RunRequest = "none";
  const current = () => (strength[said] > strength[stored] ? said : stored);
  const change = (apply: () => void) => {
    const before = current();
    apply();
    if (current() !== before) for (const listener of listeners) listener(current());
  };
  const polling = poll();

  async function poll(): Promise<void> {
    while (!closed.signal.aborted) {
      await look();
      await clock.sleep(pollMs, closed.signal);
    }
  }

  async function look(): Promise<RunRequest> {
    const request = await store.request(run).catch(() => stored); // a busy store is asked again in a moment; the writes of the run report real trouble
    change(() => {
      stored = request;
    });
    return current();
  }

  return {
    current,
    look,
    say: (request) =>
      change(() => {
        said = strength[request] > strength[said] ? request : said;
      }),
    async nextChange(ms) {
      const woken = new AbortController();
      const wake = () => woken.abort();
      listeners.add(wake);
      await clock.sleep(ms, AbortSignal.any([woken.signal, closed.signal]));
      listeners.delete(wake);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed.abort();
      await polling;
    },
  };
}
