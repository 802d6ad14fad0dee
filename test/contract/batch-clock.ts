/** A clock that goes as fast as its sleepers let it: when everybody sleeps, it jumps to whoever wakes first. */
import type { Clock } from "../../src/ports/clock.ts";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

export class BatchClock implements Clock {
  readonly bootId = "boot-1";
  readonly #sleepers = new Set<Sleeper>();
  #boot = 5000;
  #wall = 1_790_000_000_000;

  now = () => this.#wall;
  monotonicMs = () => this.#boot;
  bootMs = () => this.#boot;
  localDate = () => "2026-11-30";
  nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0 || signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const sleeper = { at: this.#boot + ms, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", wake);
    });
  }

  /** The wall clock alone. */
  jump(ms: number): void {
    this.#wall = Math.max(0, this.#wall + ms);
  }

  /** Lets time pass until `work` has ended. @returns how long it took; throws when that is longer than `mostMs` */
  async drive(work: Promise<unknown>, mostMs: number): Promise<number> {
    const startedAt = this.#boot;
    let isOver = false;
    const over = work.finally(() => {
      isOver = true;
    });
    over.catch(() => undefined);
    for (;;) {
      await this.nextTurn();
      if (isOver) break;
      const first = [...this.#sleepers].reduce<Sleeper | null>((one, other) => (one === null || other.at < one.at ? other : one), null);
      if (first === null) throw new Error("everybody waits for somebody else");
      this.#wall += Math.max(0, first.at - this.#boot);
      this.#boot = Math.max(this.#boot, first.at);
      if (this.#boot - startedAt > mostMs) throw new Error(`not over after ${mostMs} ms`);
      first.wake();
    }
    await over;
    return this.#boot - startedAt;
  }
}

/** Numbers in [0, 1) that a seed decides. */
export function chance(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
