/** Durations as a person types them: "90s", "10m", "1h30m"; "90d" where days make sense. */
import { MidwatchError } from "../core/error.ts";

const unitsMs = [86_400_000, 3_600_000, 60_000, 1000, 1] as const;

// Nine digits a part: no sum of parts leaves the safe integers.
const parts = "(?:(\\d{1,9})h)?(?:(\\d{1,9})m)?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?$";

/** Largest unit first, each at most once. Never matches the empty text. */
export const durationPattern = new RegExp(`^(?=.)${parts}`);
export const durationWithDaysPattern = new RegExp(`^(?=.)(?:(\\d{1,9})d)?${parts}`);

/** Milliseconds, or null when the text is no duration. */
export function parseDuration(text: string): number | null {
  const match = durationWithDaysPattern.exec(text);
  if (match === null) return null;
  return unitsMs.reduce((sum, unitMs, index) => sum + Number(match[index + 1] ?? 0) * unitMs, 0);
}

/** For a text that the schema has let through. */
export function durationMs(text: string): number {
  const ms = parseDuration(text);
  if (ms === null)
    throw new MidwatchError("bug", "E_DURATION_UNCHECKED", `a duration passed the schema and is none: ${JSON.stringify(text)}`);
  return ms;
}
