/** What one claim changed in source files, as the rules of syntax see it. */
import type { AddedLine, Change } from "./change.ts";
import type { FunctionFacts, SourceFacts, TestFacts } from "./source.ts";

export interface ChangedSource {
  readonly path: string;
  readonly kind: Change["kind"];
  /** As it was at the last accepted claim; null where it was not, or did not parse. */
  readonly before: SourceFacts | null;
  readonly after: SourceState;
  /** Added or changed lines, at HEAD. */
  readonly addedLines: readonly AddedLine[];
}

export type SourceState =
  | { readonly kind: "facts"; readonly facts: SourceFacts }
  | { readonly kind: "broken"; readonly line: number }
  /** Another language, too large, or removed. */
  | { readonly kind: "unknown" };

/** A changed file that could be read. */
export interface ReadSource {
  readonly path: string;
  readonly isNew: boolean;
  readonly before: SourceFacts | null;
  readonly after: SourceFacts;
  readonly added: ReadonlySet<number>;
}

export function readSources(files: readonly ChangedSource[]): readonly ReadSource[] {
  return files.flatMap(({ path, kind, before, after, addedLines }) =>
    after.kind === "facts"
      ? [{ path, isNew: kind === "added", before, after: after.facts, added: new Set(addedLines.map(({ line }) => line)) }]
      : [],
  );
}

interface Place {
  readonly line: number;
  readonly endLine: number;
}

export function touches(added: ReadonlySet<number>, { line, endLine }: Place): boolean {
  for (const one of added) if (one >= line && one <= endLine) return true;
  return false;
}

/** Added, or not what it was: what stood there before, word for word, is no matter of this claim. */
export function isChanged<Facts extends TestFacts | FunctionFacts>(source: ReadSource, facts: Facts, earlier: readonly Facts[]): boolean {
  if (touches(source.added, facts)) return true;
  const same = earlier.filter(({ name }) => name === facts.name);
  return same.length > 0 && !same.some((one) => isAlike(one, facts));
}

function isAlike(one: TestFacts | FunctionFacts, other: TestFacts | FunctionFacts): boolean {
  return shapeOf(one) === shapeOf(other);
}

function shapeOf(facts: TestFacts | FunctionFacts): string {
  if ("answers" in facts)
    return JSON.stringify([facts.statements, facts.hasCommentedCode, facts.answers.map(({ input, answer }) => [input, answer])]);
  return JSON.stringify([facts.statements, facts.isSkipped, facts.assertions.map(({ text, isSwallowed }) => [text, isSwallowed])]);
}
