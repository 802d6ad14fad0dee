/** A Markdown file cut at its headings, and at lines such as `OBJECTIVE: …` that stand for a heading. */
import { type Label, labelOf, readLabel } from "./labels.ts";
import { type Heading, readBox, readHeading, readItem, underlineLevel } from "./list-item.ts";
import type { Line } from "./markdown-lines.ts";
import type { Findings } from "./plan-text.ts";
import type { Detail } from "./task-details.ts";

export interface Section {
  /** Null for the text above the first heading. */
  readonly heading: Heading | null;
  /** What the heading names; null when it is the person's own. */
  readonly part: Label | null;
  readonly body: Line[];
  /** Lines such as `AFTER: T-01`, which have their value with them and end with the line. */
  readonly details: Detail[];
}

/** Label lines stand below every heading. */
export const labelLevel = 7;

export function readSections(lines: readonly Line[], findings: Findings): readonly Section[] {
  let section: Section = { heading: null, part: null, body: [], details: [] };
  const sections = [section];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index];
    if (line === undefined || line.kind === "comment") continue;
    const underline = underlineLevel(lines[index + 1]);
    const level = underline > 0 && (isAlone(lines, index) || labelOf(line.text) !== null) ? underline : 0;
    const next = line.kind === "text" ? startOf(line, level, findings) : null;
    if (next !== null) {
      section = next;
      sections.push(section);
      if (level > 0) index += 1;
    } else {
      const detail = line.kind === "text" ? detailOf(line, section) : null;
      if (detail === null) section.body.push(line);
      else section.details.push(detail);
    }
  }
  return sections;
}

/** Both must be there: each of them alone may stand in any document. */
export function isTaskFile(sections: readonly Section[]): boolean {
  return hasPart(sections, "objective") && hasPart(sections, "criteria");
}

function hasPart(sections: readonly Section[], part: Label): boolean {
  return sections.some((section) => section.part === part);
}

function startOf(line: Line, level: number, findings: Findings): Section | null {
  const heading = level > 0 ? underlined(line, level, findings) : readHeading(line, findings);
  const part = heading === null ? null : labelOf(heading.text);
  if (part !== null) return { heading, part, body: [], details: [] };
  const label = line.indent === 0 ? readLabel(heading?.text ?? line.text) : null;
  if (label === null || label.single) return heading === null ? null : { heading, part: null, body: [], details: [] };
  const value: Line = { ...line, text: label.value, kind: label.value === "" ? "blank" : "text" };
  return {
    heading: heading ?? { level: labelLevel, box: null, text: line.text, at: line.at },
    part: label.label,
    body: [value],
    details: [],
  };
}

function underlined(line: Line, level: number, findings: Findings): Heading {
  const text = line.text.trimStart();
  return { level, ...readBox(text, line.at + line.text.length - text.length, findings) };
}

/** An underline makes a heading of one line, not of the end of a paragraph or of a list item; for our own words we look less closely. */
function isAlone(lines: readonly Line[], index: number): boolean {
  const line = lines[index];
  const before = lines[index - 1];
  if (line === undefined || line.kind !== "text" || line.indent > 3 || readItem(line) !== null || line.text.trimStart().startsWith(">"))
    return false;
  return before === undefined || before.kind !== "text" || readHeading(before) !== null || underlineLevel(before) > 0;
}

/** Below a heading of the person's own such a line may also be a list item. */
function detailOf(line: Line, section: Section): Detail | null {
  if (line.indent > 0) return null;
  const item = section.part === null ? readItem(line) : null;
  const found = readLabel(item?.text ?? line.text);
  if (found === null || !found.single || found.value === "" || found.label === "objective") return null;
  return { label: found.label, text: found.value, at: line.at };
}
