/**
 * A night of several supervisors on one batch, in simulated time: a seed decides how long calls take and how they end, which supervisor dies or sleeps past its leases,
 * when the wall clock jumps, and which failed jobs a person gives another try. The invoice is the provider's: what it was asked and answered, whoever heard it.
 */
import { openMemoryStore } from "../../src/adapters/store/memory/open.ts";
import { createPollDispatcher } from "../../src/engine/batch/poll-dispatcher.ts";
import type { BatchStore, JobClaim } from "../../src/ports/batch-store.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Ledger } from "../../src/ports/ledger.ts";
import { BatchClock, chance } from "./batch-clock.ts";
import { jobs, name, settings, version } from "./batch-kit.ts";
import { answer, closing, intent } from "./ledger-samples.ts";

export const jobCount = 6;
const callsOfJob = 3;
export const leaseMs = 60_000;

export interface Night {
  readonly batches: BatchStore;
  readonly ledger: Ledger;
  /** How often the provider was paid, by key and place. */
  readonly invoice: ReadonlyMap<string, number>;
  /** By job: answers of attempts whose end was accepted. */
  readonly accepted: ReadonlyMap<string, readonly string[]>;
  readonly deaths: number;
  readonly tookMs: number;
}

/** What a supervisor has between it and the world: nothing passes when it is dead, and everything late while it sleeps. */
interface Life {
  isDead: boolean;
  sleepsUntil: number;
}

const never = <T>() => new Promise<T>(() => undefined);

export async function playNight(seed: number): Promise<Night> {
  const random = chance(seed);
  const clock = new BatchClock();
  const store = openMemoryStore();
  const { batches, ledger } = store;
  await batches.addList({ name, version, settings: { ...settings, leaseMs } }, jobs(jobCount), clock.now());
  const invoice = new Map<string, number>();
  const accepted = new Map<string, string[]>();
  let ids = 0;
  let deaths = 0;

  const through = <T>(life: Life, work: () => Promise<T>): Promise<T> => (life.isDead ? never() : work());

  async function rest(life: Life, ms: number, signal?: AbortSignal): Promise<void> {
    await clock.sleep(ms, signal);
    while (life.sleepsUntil > clock.bootMs()) await clock.sleep(life.sleepsUntil - clock.bootMs());
    if (life.isDead) await never();
  }

  const viewOf = (life: Life): BatchStore => ({
    ...batches,
    claim: (...args) => through(life, () => batches.claim(...args)),
    renew: (...args) => through(life, () => batches.renew(...args)),
    nextChangeAt: (...args) => through(life, () => batches.nextChangeAt(...args)),
  });

  /** One call at the provider: paid as soon as it is asked, heard unless something happens first. */
  async function call(life: Life, claim: JobClaim, seq: number, lost: AbortSignal): Promise<"go on" | "failed" | "provider"> {
    if (lost.aborted) return "failed";
    const { key, attempt, fence } = claim;
    ids += 1;
    const id = `c${ids}`;
    const owner = { kind: "job", batch: name, job: key, attempt, fence, round: 0 } as const;
    const place = { kind: "sequence", seq, onDivergence: "stop" } as const;
    const [opened] = await through(life, () =>
      ledger.open([intent(id, { owner, place, scopes: [{ kind: "batch", id: name }], sentAt: clock.now() })]),
    );
    if (opened?.kind === "replay") return "go on";
    if (opened?.kind !== "opened") return "failed";
    const fate = random();
    if (fate < 0.08) {
      await through(life, () =>
        ledger.close([closing(id, { end: "failed", failure: "limited", usage: null }, { costMicroUsd: 0, at: clock.now() })]),
      );
      return "provider";
    }
    invoice.set(`${key}:${seq}`, (invoice.get(`${key}:${seq}`) ?? 0) + 1);
    await rest(life, 1000 + random() * 20_000);
    const end =
      fate < 0.14 ? ({ end: "cut", failure: "cut-by-provider" } as const) : ({ end: "done", answer: answer(`${key} ${seq}`) } as const);
    await through(life, () => ledger.close([closing(id, end, { at: clock.now() })]));
    return end.end === "done" ? "go on" : "failed";
  }

  async function finish(claim: JobClaim, how: "go on" | "failed" | "provider"): Promise<void> {
    const text = `${claim.id} by ${claim.fence}`;
    if (how === "provider") {
      await batches.finish(claim, { kind: "released", reason: "limited", notBefore: clock.now() + 5000 }, clock.now());
    } else if (how === "failed") await batches.finish(claim, { kind: "failed", reason: "a call failed" }, clock.now());
    else if (await batches.finish(claim, { kind: "done", answer: Buffer.from(text) }, clock.now()))
      accepted.set(claim.id, [...(accepted.get(claim.id) ?? []), text]);
  }

  async function work(life: Life, claim: JobClaim, lost: AbortSignal): Promise<void> {
    let how: "go on" | "failed" | "provider" = "go on";
    for (let seq = 1; seq <= callsOfJob && how === "go on"; seq += 1) how = await call(life, claim, seq, lost);
    await through(life, () => finish(claim, how));
  }

  /** Sits down, is disturbed, and is started again by its keeper when it died. */
  async function supervise(seat: string, disturbances: number): Promise<void> {
    const life: Life = { isDead: false, sleepsUntil: 0 };
    await ledger.giveUp({ batch: name, seat }, clock.now());
    await batches.returnSeat(name, seat, { wallMs: clock.now(), bootMs: clock.bootMs(), bootId: clock.bootId });
    const over = new AbortController();
    const view: Clock = { ...clockView(clock), sleep: (ms, signal) => rest(life, ms, signal) };
    const running = createPollDispatcher({ clock: view, random }).run({
      ...{ store: viewOf(life), batch: name, seat, slots: 2, leaseMs, hold: () => 0, signal: over.signal },
      work: (claim, lost) => work(life, claim, lost),
    });
    const trouble = disturb(life, disturbances);
    const end = await Promise.race([running.then(() => "over" as const), trouble]);
    if (end === "over") return;
    deaths += 1;
    await clock.sleep(random() * 3 * leaseMs);
    await supervise(seat, disturbances - 1);
  }

  /** Resolves when the supervisor is dead. */
  async function disturb(life: Life, left: number): Promise<"dead"> {
    await clock.sleep(random() * 120_000);
    const what = left > 0 ? random() : 1;
    if (what < 0.4) {
      life.isDead = true;
      return "dead";
    }
    if (what < 0.7) life.sleepsUntil = clock.bootMs() + random() * 2 * leaseMs;
    if (what < 0.9) clock.jump((random() - 0.5) * 2 * 86_400_000);
    return left > 0 ? disturb(life, left - 1) : never();
  }

  async function night(): Promise<void> {
    await Promise.all(["0", "1", "2"].map((seat) => supervise(seat, 3)));
    if ((await batches.retry(name, [], clock.now())) > 0) await supervise("0", 0);
  }

  const tookMs = await clock.drive(night(), 24 * 3_600_000);
  return { batches, ledger, invoice, accepted, deaths, tookMs };
}

function clockView(clock: BatchClock): Clock {
  const { now, monotonicMs, bootMs, bootId, localDate, nextTurn } = clock;
  return { now, monotonicMs, bootMs, bootId, localDate, nextTurn, sleep: (ms, signal) => clock.sleep(ms, signal) };
}
