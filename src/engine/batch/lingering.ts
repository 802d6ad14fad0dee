/** Work that goes on after its job has ended: answers that are read to their end. At the end it is waited for, up to a bound. */
import type { Clock } from "../../ports/clock.ts";

export interface Lingering {
  add(work: Promise<void>): void;
  settled(ms: number, clock: Clock): Promise<void>;
}

export function createLingering(): Lingering {
  const open = new Set<Promise<void>>();
  return {
    add(work) {
      const mine = work.catch(() => undefined).finally(() => open.delete(mine));
      open.add(mine);
    },
    async settled(ms, clock) {
      const enough = new AbortController();
      await Promise.race([Promise.all(open), clock.sleep(ms, enough.signal)]);
      enough.abort();
    },
  };
}
