/**
 * The dispatcher that asks the store: each slot claims, works and claims again, and naps while nothing is to be had. A nap is short and uneven: jobs come back for
 * reasons that nobody announces (another supervisor's failure, a lease that ends, a clock that jumps), and supervisors should not ask in step.
 */
import { MidwatchError } from "../../core/error.ts";
import type { JobClaim } from "../../ports/batch-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Dispatcher, DispatcherOptions } from "../../ports/dispatcher.ts";
import { HeldClaims, momentOf } from "./held-claims.ts";
import { slotNames } from "./seat.ts";

const pollMs = 400;
/** A held-back slot asks again at least this often: the trouble may be over sooner than was thought. */
const mostHoldMs = 5000;

interface PollDispatcherPorts {
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

type SlotEnd = "nothing-left" | "stopped";

export function createPollDispatcher(ports: PollDispatcherPorts): Dispatcher {
  return { run: (options) => runSlots(ports, options) };
}

async function runSlots(ports: PollDispatcherPorts, options: DispatcherOptions): Promise<SlotEnd> {
  const { store, leaseMs, slots, signal } = options;
  const held = new HeldClaims({ store, clock: ports.clock, leaseMs, jobMs: options.jobMs ?? Number.POSITIVE_INFINITY });
  const broken = new AbortController();
  const over = new AbortController();
  const keeping = held.keep(over.signal);
  const stop = AbortSignal.any([signal, broken.signal]);
  const ends = await Promise.allSettled(
    slotNames(options.seat, slots).map((slot) =>
      runSlot({ ...options, ...ports, held, slot, stop }).catch((error: unknown) => {
        broken.abort();
        held.loseAll();
        throw error;
      }),
    ),
  );
  over.abort();
  await keeping;
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return ends.some((end) => end.status === "fulfilled" && end.value === "stopped") ? "stopped" : "nothing-left";
}

type Slot = DispatcherOptions &
  PollDispatcherPorts & {
    readonly held: HeldClaims;
    readonly slot: string;
    /** Also aborts when another slot met an error. */
    readonly stop: AbortSignal;
  };

async function runSlot(slot: Slot): Promise<SlotEnd> {
  const { clock, held, stop, hold, work } = slot;
  while (!stop.aborted) {
    const holdMs = hold();
    if (holdMs > 0) {
      await clock.sleep(Math.min(holdMs, mostHoldMs), stop);
      continue;
    }
    const askedAtMs = clock.bootMs();
    const claim = await take(slot);
    if (claim !== null) {
      await held.during(claim, askedAtMs, (lost) => work(claim, lost));
      continue;
    }
    const rest = (await restOf(slot).catch(nullIfBusy)) ?? pollMs;
    if (typeof rest !== "number") return rest;
    await clock.sleep(rest, stop);
  }
  return "stopped";
}

/** Null = none is to be had now, or the store is too busy to say. */
async function take({ store, batch, slot, leaseMs, clock }: Slot): Promise<JobClaim | null> {
  try {
    return await store.claim(batch, slot, leaseMs, () => momentOf(clock));
  } catch (error) {
    return nullIfBusy(error);
  }
}

/** How long to nap before the next claim, or why there will be none. What is running elsewhere may come back. */
async function restOf({ store, batch, clock, random }: Slot): Promise<SlotEnd | number> {
  const changeAt = await store.nextChangeAt(batch);
  if (changeAt === null) return "nothing-left";
  if ((await store.batch(batch))?.state !== "open") return "stopped";
  const untilChangeMs = changeAt - clock.now();
  const uneven = 0.5 + random();
  return untilChangeMs > 0 && untilChangeMs < pollMs ? untilChangeMs + uneven : pollMs * uneven;
}

function nullIfBusy(error: unknown): null {
  if (error instanceof MidwatchError && error.kind === "busy") return null;
  throw error;
}
