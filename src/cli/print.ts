/** How values become lines: money, times, durations, and a little colour where a terminal takes it. */
import { dollars, exactAmount } from "../core/money/amount.ts";
import type { Terminal } from "./app.ts";

export type Paint = (style: "bold" | "dim" | "red" | "green" | "yellow" | "cyan", text: string) => string;

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const;

export function painter({ hasColor }: Terminal): Paint {
  return (style, text) => (hasColor ? `\u001b[${codes[style][0]}m${text}\u001b[${codes[style][1]}m` : text);
}

/** Text from outside shown in a terminal: nothing in it can move the cursor, change colours or forge a line. */
export function plain(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "").replace(/[\n\t]+/g, " ");
}

export function money(microUsd: number): string {
  return dollars(microUsd);
}

/** To the last digit: calls cost parts of a cent. */
export function exactMoney(microUsd: number): string {
  return `$${exactAmount(microUsd)}`;
}

/** Ten of them at most. */
export function someOf(names: readonly string[]): string {
  return names.length <= 10 ? names.join(", ") : `${names.slice(0, 10).join(", ")} and ${names.length - 10} more`;
}

/** `1 window`, `3 windows`. */
export function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

/** What was spent and the cap, and how much of it is a guess. */
export function spending(spent: number, cap: number, unknownCostWindows: number): string {
  const guess = unknownCostWindows === 0 ? "" : ` (estimated: ${count(unknownCostWindows, "window")} told no cost)`;
  return `${money(spent)} of ${money(cap)}${guess}`;
}

/** `3h 04m`, `2m 05s`, `1.2s`, `40ms`. */
export function duration(ms: number): string {
  if (ms > 0 && ms < 100) return `${Math.max(1, Math.round(ms))}ms`;
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole}s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${String(whole % 60).padStart(2, "0")}s`;
  return `${Math.floor(whole / 3600)}h ${String(Math.floor((whole % 3600) / 60)).padStart(2, "0")}m`;
}

/** Local time of day. */
export function timeOfDay(at: number): string {
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(at);
}

/** The time of day, and the day where it is not today's. */
export function pointInTime(at: number, now: number): string {
  const isFar = Math.abs(at - now) > 12 * 3_600_000;
  return isFar ? `${timeOfDay(at)} on ${new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long" }).format(at)}` : timeOfDay(at);
}

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
