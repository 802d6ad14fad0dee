/** Reads the report of a test run: from its file, or from what the command printed. */
import type { ParseXml } from "../../xml-element.ts";
import { readGoJson, readGoVerbose } from "./go.ts";
import { readJunit } from "./junit.ts";
import { linesOf } from "./lines.ts";
import { joinReports, type TestReport } from "./report.ts";
import { readTap } from "./tap.ts";
import { readWords } from "./words.ts";

/** A file that is to be a report: JUnit XML or TAP. */
export function readReportFile(text: string, parseXml: ParseXml): TestReport | null {
  return /^[\s\uFEFF]*</.test(text) ? readJunit(text, parseXml) : readTap(linesOf(text));
}

/**
 * What a command printed: formats for programs first, then the words for people.
 * @param whole  false = the beginning was dropped; then only summaries at the end can be read
 */
export function readPrinted(text: string, whole: boolean, parseXml: ParseXml): TestReport | null {
  const lines = linesOf(text);
  if (!whole || lines.length > maxLines) {
    const words = readWords(lines.slice(-maxLines));
    return words === null ? null : { ...words, names: null };
  }
  const junit = /<testsuites?[\s>]/.test(text) ? readJunit(text, parseXml) : null;
  if (junit !== null) return junit;
  const tap = readTap(lines);
  if (tap !== null) return tap;
  return joinReports([readGoJson(lines) ?? readGoVerbose(lines), readWords(lines)].filter((one) => one !== null));
}

/** Of a report that one run writes; what has more is a flood, of which the end is looked at. */
const maxLines = 500_000;

/** What to do so that there is a report; empty when nothing is known. */
export function reportHint(text: string): string {
  return /^ok\s+\S+\s+(?:\(cached\)|\d+\.\d+s)/m.test(text) ? "; go test names its tests with -v or -json only" : "";
}
