/**
 * The claims that this process holds now, all renewed in one transaction at a third of the lease. A claim that is lost, or that could not be renewed until its lease
 * is nearly over, aborts its work: from then on somebody else may have it.
 */
import type { Moment } from "../../core/batch/lease.ts";
import type { BatchStore, JobClaim } from "../../ports/batch-store.ts";
import type { Clock } from "../../ports/clock.ts";

/** Of a lease: when it is renewed, how soon after a renewal that failed it is tried again, and when it counts as lost without an answer from the store. */
const renewAt = 1 / 3;
const againAfter = 1 / 20;
const lostAt = 0.9;

interface Held {
  readonly claim: JobClaim;
  readonly lost: AbortController;
  readonly takenAtMs: number;
  renewedAtMs: number;
}

interface HeldClaimsOptions {
  readonly store: BatchStore;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** A claim that is older is not renewed. */
  readonly jobMs: number;
}

export class HeldClaims {
  readonly #options: HeldClaimsOptions;
  readonly #held = new Set<Held>();

  constructor(options: HeldClaimsOptions) {
    this.#options = options;
  }

  /** Does the work while the claim is held. @param askedAtMs  time since boot at which it was asked for: the lease cannot have begun earlier */
  async during(claim: JobClaim, askedAtMs: number, work: (lost: AbortSignal) => Promise<void>): Promise<void> {
    const held: Held = { claim, lost: new AbortController(), takenAtMs: askedAtMs, renewedAtMs: askedAtMs };
    this.#held.add(held);
    try {
      await work(held.lost.signal);
    } finally {
      this.#held.delete(held);
    }
  }

  /** Renews until the signal aborts. Never rejects. */
  async keep(signal: AbortSignal): Promise<void> {
    const { clock, leaseMs } = this.#options;
    for (let restMs = leaseMs * renewAt; !signal.aborted; ) {
      await clock.sleep(restMs, signal);
      if (signal.aborted) return;
      restMs = leaseMs * ((await this.#renewAll()) ? renewAt : againAfter);
    }
  }

  /** The store cannot be used: nothing more may be spent in the name of any. */
  loseAll(): void {
    for (const one of this.#held) this.#lose(one);
  }

  async #renewAll(): Promise<boolean> {
    const { store, clock, leaseMs, jobMs } = this.#options;
    const now = clock.bootMs();
    const held = [...this.#held].filter(({ takenAtMs }) => now - takenAtMs <= jobMs);
    const lost = await store
      .renew(
        held.map(({ claim }) => claim),
        leaseMs,
        () => momentOf(clock),
      )
      .catch(() => null); // busy, a full disk: tried again
    const names = lost === null ? null : new Set(lost.map(nameOf));
    for (const one of names === null ? [] : held) {
      if (names?.has(nameOf(one.claim))) this.#lose(one);
      else one.renewedAtMs = now;
    }
    for (const one of this.#held) if (clock.bootMs() - one.renewedAtMs >= leaseMs * lostAt) this.#lose(one);
    return lost !== null;
  }

  #lose(held: Held): void {
    this.#held.delete(held);
    held.lost.abort();
  }
}

/** One attempt in all batches. */
function nameOf({ key, fence }: JobClaim): string {
  return `${fence} ${key}`;
}

export function momentOf(clock: Clock): Moment {
  return { wallMs: clock.now(), bootMs: clock.bootMs(), bootId: clock.bootId };
}
