/**
 * Which sections make a task. A section such as OBJECTIVE belongs to the nearest heading of the person's own above it: one that is less deep, or as
 * deep and with a key; a heading with a key goes first. Headings deeper than a section are inside it; other headings below a task's are its notes.
 */

import { readTitle } from "../../core/task-title.ts";
import type { Label } from "./labels.ts";
import { labelLevel, type Section } from "./task-sections.ts";

export interface Outline {
  /** The task's own heading; null when the file starts with its sections. */
  readonly head: Section | null;
  readonly places: Place[];
}

/** `as` says what the section is part of; null for notes. */
export interface Place {
  readonly section: Section;
  readonly as: Label | null;
}

interface Reader {
  readonly outlines: Outline[];
  readonly byHead: Map<Section, Outline>;
  /** Headings of the person's own above the place we are at, the deepest last. */
  stack: Section[];
  /** The section a deeper heading would be inside of. */
  inside: { readonly place: Place; readonly outline: Outline } | null;
}

/** The tasks in the file's order, and the sections that belong to none. */
export function readOutlines(sections: readonly Section[]): { readonly outlines: readonly Outline[]; readonly loose: readonly Section[] } {
  const reader: Reader = { outlines: [], byHead: new Map(), stack: [], inside: null };
  const own: { readonly section: Section; readonly above: readonly Section[] }[] = [];
  for (const section of sections) {
    if (section.part !== null) {
      place(reader, outlineFor(reader, section), { section, as: section.part });
    } else if (reader.inside !== null && levelOf(section) > levelOf(reader.inside.place.section)) {
      reader.inside.outline.places.push({ section, as: reader.inside.place.as });
    } else {
      reader.inside = null;
      reader.stack = reader.stack.filter((above) => levelOf(above) < levelOf(section));
      own.push({ section, above: reader.stack });
      if (section.heading !== null) reader.stack = [...reader.stack, section];
    }
  }
  const loose = own.filter(({ section, above }) => {
    if (reader.byHead.has(section)) return false;
    const head = above.findLast((heading) => reader.byHead.has(heading));
    if (head !== undefined) reader.byHead.get(head)?.places.push({ section, as: null });
    return head === undefined;
  });
  const outlines = reader.outlines.map(inOrder).sort((one, other) => startOf(one) - startOf(other));
  return { outlines, loose: loose.map(({ section }) => section) };
}

export function levelOf(section: Section): number {
  return section.heading?.level ?? 0;
}

function place(reader: Reader, outline: Outline, placed: Place): void {
  outline.places.push(placed);
  reader.inside = { place: placed, outline };
}

function outlineFor(reader: Reader, section: Section): Outline {
  const current = reader.outlines.at(-1);
  const isOpen = current !== undefined && (current.head === null || reader.stack.includes(current.head));
  if (isOpen && section.part !== "objective") return current;
  const level = levelOf(section);
  const above = reader.stack.filter((heading) => levelOf(heading) < level || (levelOf(heading) === level && hasKey(heading)));
  const head = above.findLast(hasKey) ?? above.at(-1) ?? reader.stack.at(-1) ?? null;
  const known = head === null ? reader.outlines.find((outline) => outline.head === null) : reader.byHead.get(head);
  if (known !== undefined) return known;
  const outline: Outline = { head, places: [] };
  reader.outlines.push(outline);
  if (head !== null) reader.byHead.set(head, outline);
  return outline;
}

function hasKey(section: Section): boolean {
  return section.heading !== null && section.heading.level < labelLevel && readTitle(section.heading.text).key !== null;
}

/** Where a task starts in the file. */
export function startOf({ head, places }: Outline): number {
  return placeOf(head ?? places[0]?.section);
}

function placeOf(section: Section | undefined): number {
  return section?.heading?.at ?? 0;
}

/** Notes are found last and stand where the person wrote them. */
function inOrder({ head, places }: Outline): Outline {
  return { head, places: [...places].sort((one, other) => placeOf(one.section) - placeOf(other.section)) };
}
