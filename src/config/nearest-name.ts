/** "Did you mean": the known name that is fewest slips of a finger away. */

/** Null when nothing is near enough to be worth saying. */
export function nearestName(typed: string, known: Iterable<string>): string | null {
  // No key is half as long, and the table below grows with the square.
  if (typed.length > 64) return null;
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(typed.length / 3)) + 1;
  for (const name of known) {
    const distance = slips(typed.toLowerCase(), name.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best;
}

/** Letters added, left out, changed, or swapped with their neighbour. */
function slips(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const change = left[i - 1] === right[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      const options = [at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + change];
      row.push(Math.min(...options, swapped ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY));
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, right.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY;
