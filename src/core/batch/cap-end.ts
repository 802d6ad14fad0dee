/** When a cap on a day or a month is over, by the machine's time zone: the first moment with another date. */

const secondMs = 1000;
/** Longer than any month. */
const mostMs = 32 * 86_400_000;

/** @param dateOf  the local date at a time, `2026-11-30`. @returns milliseconds since 1970, to the second */
export function capEnd(kind: "day" | "month", now: number, dateOf: (at: number) => string): number {
  const part = (at: number) => dateOf(at).slice(0, kind === "day" ? 10 : 7);
  const today = part(now);
  // Dates only rise, so halving finds the edge, whatever the zone does to its clocks.
  let [before, after] = [Math.floor(now / secondMs), Math.ceil((now + mostMs) / secondMs)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (part(middle * secondMs) === today) before = middle;
    else after = middle;
  }
  return after * secondMs;
}
