/** Where a text holds a secret, and whose: for what was committed. The secret itself is never in the answer. */
import { findKey } from "../guard/key-shapes.ts";
import type { Redactor } from "./redactor.ts";

export interface FoundSecret {
  /** `an Anthropic key`, or `the value of GITHUB_TOKEN`. */
  readonly whose: string;
  /** From 1; null = it is spread over several, or hidden in another writing. */
  readonly line: number | null;
  /** The line says that it is a sample, as other scanners know it. Never so for a value of the person's own. */
  readonly isMarked: boolean;
}

/** A commit is looked at once: a lockfile has some ten thousand hashes. */
const mostRuns = 50_000;
const marks = /gitleaks:allow|pragma: allowlist secret|secretlint-disable-line|trufflehog:ignore/;
const label = /\[(?:redacted ([\w.-]+)|(an? [^\]]{1,40}))\]/g;

/** The first one; one that is marked only where there is no other. */
export function findSecret(text: string, redactor: Pick<Redactor, "text">): FoundSecret | null {
  const plain = text.replaceAll("\0", "");
  return findWritten(plain, redactor) ?? findHidden(plain);
}

function findWritten(text: string, redactor: Pick<Redactor, "text">): FoundSecret | null {
  const whose = newLabel(text, redactor.text(text));
  if (whose === null) return null;
  const found = changedLines(text.split("\n"), 1, redactor);
  return found.find(({ isMarked }) => !isMarked) ?? found[0] ?? { whose: whose.whose, line: null, isMarked: false };
}

/** Halves without a secret are not looked at line by line. @param first  number of the first line */
function changedLines(lines: readonly string[], first: number, redactor: Pick<Redactor, "text">): readonly FoundSecret[] {
  const text = lines.join("\n");
  const whose = newLabel(text, redactor.text(text));
  if (whose === null) return [];
  if (lines.length === 1) return [{ whose: whose.whose, line: first, isMarked: whose.isShape && marks.test(text) }];
  const half = lines.length >> 1;
  return [...changedLines(lines.slice(0, half), first, redactor), ...changedLines(lines.slice(half), first + half, redactor)];
}

function newLabel(before: string, after: string): { readonly whose: string; readonly isShape: boolean } | null {
  if (before === after) return null;
  const old = new Set(before.match(label));
  const [, name, owner] = [...after.matchAll(label)].find(([whole]) => !old.has(whole)) ?? [];
  return name === undefined
    ? { whose: owner ?? "a secret", isShape: owner !== undefined }
    : { whose: `the value of ${name}`, isShape: false };
}

/** In base64, or cut over lines. */
function findHidden(text: string): FoundSecret | null {
  const whose = findKey(text, mostRuns);
  if (whose === null) return null;
  const at = text.split("\n").findIndex((line) => findKey(line) !== null);
  return { whose, line: at < 0 ? null : at + 1, isMarked: false };
}

/** The text with those of its lines left empty that stood in the one before: what is new in it, by the same numbers. */
export function newLines(text: string, before: string): string {
  const old = new Set(before.split("\n").map((line) => line.trim()));
  return text
    .split("\n")
    .map((line) => (old.has(line.trim()) ? "" : line))
    .join("\n");
}
