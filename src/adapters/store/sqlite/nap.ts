/**
 * Waiting for another process to leave the file. SQLite's own busy handler backs off in fixed steps and starved one of four writers;
 * a short random nap keeps them even. Transactions are short, so a nap this long is nearly always enough.
 */
const cell = new Int32Array(new SharedArrayBuffer(4));

/** Sleeps for 0.1 to 1 ms, on the spot. */
function nap(): void {
  Atomics.wait(cell, 0, 0, 0.1 + 0.9 * Math.random());
}

/** Does the work again while `isBusy` says so of its error, for at most `boundMs`; then the error comes out. */
export function napWhileBusy<T>(work: () => T, isBusy: (error: unknown) => boolean, boundMs: number): T {
  let startedAt: number | null = null;
  for (;;) {
    try {
      return work();
    } catch (error) {
      // The clock is only read where there is something to wait for.
      startedAt ??= performance.now();
      if (!isBusy(error) || performance.now() - startedAt >= boundMs) throw error;
      nap();
    }
  }
}
