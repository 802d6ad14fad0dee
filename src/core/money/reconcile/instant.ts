/** Points in time as logs write them, in milliseconds since 1970. Without a zone it is UTC, as databases print it. */

const form = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** Also seconds or milliseconds since 1970. @returns null = it is no time */
export function readInstant(value: unknown): number | null {
  if (typeof value === "number") return fromNumber(value);
  if (typeof value !== "string") return null;
  const text = value.trim();
  if (/^\d{9,14}(\.\d+)?$/.test(text)) return fromNumber(Number(text));
  const match = form.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction = "", zone = "Z"] = match;
  const numbers = [year, month, day, hour, minute, second].map((part) => Number(part ?? 0));
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = numbers;
  if (mo < 1 || mo > 12 || d < 1 || d > 31 || h > 24 || mi > 59 || s > 60) return null;
  const ms = Math.floor(Number(`0.${fraction || "0"}`) * 1000);
  return ((daysBefore(y, mo, d) * 24 + h) * 60 + mi - zoneMinutes(zone)) * 60_000 + s * 1000 + ms;
}

/** A number of 1973 in milliseconds is one of the year 5138 in seconds: there is no doubt which is meant. */
function fromNumber(value: number): number | null {
  if (!Number.isFinite(value) || value < 0) return null;
  return Math.round(value < 100_000_000_000 ? value * 1000 : value);
}

function zoneMinutes(zone: string): number {
  if (zone.toUpperCase() === "Z") return 0;
  const digits = zone.slice(1).replace(":", "").padEnd(4, "0");
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return zone.startsWith("-") ? -minutes : minutes;
}

/** Days from 1970 to a date of our calendar. The year begins in March here, so that the leap day is its last. */
function daysBefore(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468;
}
