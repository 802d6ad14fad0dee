/** Coverage reports: lcov, cobertura XML, and istanbul's coverage-summary.json. Total: a text is one of them, or null. */
import { countIn, type ParseXml, type XmlElement } from "../xml-element.ts";
import type { Covered } from "./coverage.ts";

export function readCoverage(text: string, parseXml: ParseXml): Covered | null {
  const start = text.replace(/^\uFEFF/, "").trimStart();
  if (start.startsWith("<")) {
    const root = parseXml(start.trimEnd());
    return root?.name === "coverage" ? readCobertura(root) : null;
  }
  return start.startsWith("{") ? readSummary(start) : readLcov(start);
}

/** Sums over all files: found and hit. A record that is not closed was cut. */
function readLcov(text: string): Covered | null {
  const sums: Record<string, number> = {};
  let isOpen = false;
  let records = 0;
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("SF:")) isOpen = true;
    if (line.trim() === "end_of_record") {
      if (!isOpen) return null;
      records += 1;
      isOpen = false;
    }
    const [, name, count] = /^(LF|LH|BRF|BRH|FNF|FNH):(\d{1,9})$/.exec(line.trim()) ?? [];
    if (name !== undefined) sums[name] = (sums[name] ?? 0) + Number(count);
  }
  if (records === 0 || isOpen) return null;
  const of = (hit: string, found: string) => percent(sums[hit], sums[found]);
  return { lines: of("LH", "LF"), branches: of("BRH", "BRF"), functions: of("FNH", "FNF"), statements: null };
}

function readCobertura({ attributes }: XmlElement): Covered | null {
  const of = (what: string, rate: string) =>
    attributes[`${what}-valid`] === undefined
      ? rateOf(attributes[rate])
      : percent(countIn(attributes[`${what}-covered`]), countIn(attributes[`${what}-valid`]));
  if (attributes["line-rate"] === undefined) return null;
  return { lines: of("lines", "line-rate"), branches: of("branches", "branch-rate"), functions: null, statements: null };
}

function readSummary(text: string): Covered | null {
  let total: unknown;
  try {
    total = (JSON.parse(text) as Record<string, unknown>)["total"];
  } catch {
    return null; // it is no JSON
  }
  if (typeof total !== "object" || total === null) return null;
  const of = (name: string): number | null => {
    const part = (total as Record<string, unknown>)[name];
    const { total: found, covered } = (typeof part === "object" && part !== null ? part : {}) as Record<string, unknown>;
    return typeof found === "number" && typeof covered === "number" ? percent(covered, found) : null;
  };
  return { lines: of("lines"), branches: of("branches"), functions: of("functions"), statements: of("statements") };
}

/** Two places, rounded down: what is short of a limit is never shown as the limit. Null = there is nothing to cover. */
function percent(hit = 0, found = 0): number | null {
  return found > 0 && hit >= 0 && hit <= found ? Math.floor((hit * 10_000) / found) / 100 : null;
}

function rateOf(text: string | undefined): number | null {
  const rate = text !== undefined && /^[01](\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  return rate >= 0 && rate <= 1 ? Math.floor(rate * 10_000 + 1e-6) / 100 : null;
}
