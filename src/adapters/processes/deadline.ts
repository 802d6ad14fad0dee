/**
 * A clock that calls once when its time has passed. Time is monotonic and counted in slices: when a slice took far longer than it should,
 * this process itself did not run (frozen, or the machine under water), and that time is not held against the child.
 */
export interface Slices {
  readonly sliceMs: number;
  readonly toleranceMs: number;
}

const usualSlices: Slices = { sliceMs: 5_000, toleranceMs: 1_000 };

export class Deadline {
  readonly #onPassed: () => void;
  readonly #slices: Slices;
  #limitMs: number | null = null;
  #leftMs = 0;
  #countedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #check: NodeJS.Immediate | undefined;
  #isClosed = false;

  constructor(onPassed: () => void, slices: Slices = usualSlices) {
    this.#onPassed = onPassed;
    this.#slices = slices;
  }

  /** Counts from now; null = no limit. */
  set(limitMs: number | null): void {
    this.#stop();
    if (this.#isClosed) return;
    this.#limitMs = limitMs;
    this.restart();
    if (limitMs !== null) this.#arm();
  }

  /** The same limit, counted from now. Cheap: it may be called for each chunk of output. */
  restart(): void {
    this.#leftMs = this.#limitMs ?? 0;
    this.#countedAt = performance.now();
  }

  /** For good: a later `set` does nothing. */
  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#check);
    this.#limitMs = null;
  }

  #arm(): void {
    const sliceMs = Math.max(1, Math.min(this.#leftMs, this.#slices.sliceMs));
    this.#timer = setTimeout(() => this.#count(sliceMs), sliceMs);
  }

  #count(sliceMs: number): void {
    const now = performance.now();
    this.#leftMs -= Math.min(now - this.#countedAt, sliceMs + this.#slices.toleranceMs);
    this.#countedAt = now;
    if (this.#leftMs > 0) this.#arm();
    // Output that waits to be read may restart the clock: look at it first.
    else this.#check = setImmediate(() => (this.#leftMs > 0 ? this.#arm() : this.#onPassed()));
  }
}
