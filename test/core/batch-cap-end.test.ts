/** When the money of a day or a month is free again. */
import { expect, test } from "vitest";
import { capEnd } from "../../src/core/batch/cap-end.ts";

const inZone = (timeZone: string) => {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  return (at: number) => format.format(at);
};

test.each<["day" | "month", string, string, string]>([
  ["day", "UTC", "2026-11-30T20:04:22.500Z", "2026-12-01T00:00:00Z"],
  ["day", "UTC", "2026-11-30T00:00:00Z", "2026-12-01T00:00:00Z"],
  ["day", "UTC", "2026-11-30T23:59:59.999Z", "2026-12-01T00:00:00Z"],
  ["month", "UTC", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"],
  ["month", "UTC", "2028-02-29T12:00:00Z", "2028-03-01T00:00:00Z"],
  ["day", "America/Sao_Paulo", "2026-11-30T20:00:00Z", "2026-12-01T03:00:00Z"],
  ["day", "Europe/Berlin", "2026-10-24T23:00:00Z", "2026-10-25T23:00:00Z"],
  ["month", "Asia/Kathmandu", "2026-11-30T18:14:59Z", "2026-11-30T18:15:00Z"],
])("a %s in %s at %s ends at %s", (kind, zone, now, end) => {
  expect(new Date(capEnd(kind, Date.parse(now), inZone(zone)))).toEqual(new Date(end));
});
