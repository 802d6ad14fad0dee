/**
 * Words to arguments, in every way in which they may come out. One alternative is a list, since an unquoted value may be several words or none.
 * Bounded: too many alternatives become one that is open.
 */
import { type Argument, concat, headOf, inQuotes, isOpen, known, unknown, worstGap } from "./argument.ts";
import type { Scene } from "./scene.ts";
import type { Word, WordPart } from "./shell-tree.ts";
import { valuesOf } from "./variables.ts";

const mostAlternatives = 16;
const mostCombinations = 64;

/** A word while it is put together: the arguments that are finished, and the one that goes on. */
interface Draft {
  readonly done: readonly Argument[];
  readonly last: Argument | null;
}

/** What one part adds: fields side by side. `isWhole` fields make an argument even when they are empty. */
interface Run {
  readonly fields: readonly Argument[];
  readonly isWhole: boolean;
}

/** The ways in which one word may come out. */
export function expandWord(word: Word, scene: Scene): readonly (readonly Argument[])[] {
  let drafts: readonly Draft[] = [{ done: [], last: null }];
  for (const part of word.parts) {
    scene.budget.steps -= 1;
    if (scene.budget.steps < 0) return [[unknown("anything")]];
    const runs = runsOf(part, scene);
    drafts = drafts.flatMap((draft) => runs.map((run) => extend(draft, run)));
    if (drafts.length > mostAlternatives) drafts = [summarise(drafts)];
  }
  return drafts.map(({ done, last }) => (last === null ? done : [...done, last]));
}

/** A word that is never cut and never a pattern: the value of a variable, a here-document. */
export function expandWhole(word: Word, scene: Scene): readonly Argument[] {
  return expandWord(asQuoted(word, false), scene).map((fields) => joinFields(fields, " "));
}

/** The target of a redirection: never cut, but it may be a pattern. */
export function expandTarget(word: Word, scene: Scene): readonly Argument[] {
  return expandWord(asQuoted(word, true), scene).map((fields) => joinFields(fields, " "));
}

/** All words of a command, in every combination. */
export function expandWords(words: readonly Word[], scene: Scene): readonly (readonly Argument[])[] {
  let lines: (readonly Argument[])[] = [[]];
  for (const word of words) {
    const alternatives = expandWord(word, scene);
    const kept = lines.length * alternatives.length > mostCombinations ? [[summariseFields(alternatives)]] : alternatives;
    const [only] = kept;
    // The usual case, without a copy of the line for each word of it.
    if (kept.length === 1 && only !== undefined) for (const [at, line] of lines.entries()) lines[at] = append(line, only);
    else lines = lines.flatMap((line) => kept.map((fields) => [...line, ...fields]));
  }
  return lines;
}

function append(line: readonly Argument[], fields: readonly Argument[]): readonly Argument[] {
  (line as Argument[]).push(...fields);
  return line;
}

/** Fields as one text with a separator between. */
export function joinFields(fields: readonly Argument[], separator: string): Argument {
  const [first, ...others] = fields;
  if (first === undefined) return known("");
  return others.reduce((sum, field) => concat(concat(sum, known(separator)), field), first);
}

function runsOf(part: WordPart, scene: Scene): readonly Run[] {
  switch (part.kind) {
    case "literal":
      return [{ fields: [known(part.text)], isWhole: true }];
    case "glob":
      return [{ fields: [known(part.text, true)], isWhole: true }];
    case "variable":
      return variableRuns(part, scene);
    case "output": {
      const printed = scene.judge.output(part.script, scene);
      return [part.isQuoted ? whole([inQuotes(printed)]) : cut(printed, scene)];
    }
    case "channel":
      return [whole([{ ...unknown("word"), channels: [part.script] }])];
    case "unknown":
      // A sum is a number, but nobody's: `kill $((4200 + 42))` is not written out.
      return [whole([unknown(part.isNumber ? "word" : "anything")])];
  }
}

function variableRuns(part: Extract<WordPart, { kind: "variable" }>, scene: Scene): readonly Run[] {
  const values = valuesOf(part, scene, { whole: expandWhole, cut: expandWord, line: expandWords });
  if (part.isQuoted) return values.map((fields) => whole((part.all ? fields : [joinFields(fields, " ")]).map(inQuotes)));
  return values.map((fields) => {
    const runs = fields.map((field) => cut(field, scene).fields);
    return { fields: runs.flat(), isWhole: false };
  });
}

function whole(fields: readonly Argument[]): Run {
  return { fields, isWhole: true };
}

/** An unquoted value falls apart at blanks; an empty field at either end says that a blank was there. */
function cut(value: Argument, scene: Scene): Run {
  if (scene.variables.has("IFS") && worstGap(value) !== "number") return { fields: [unknown("anything", value)], isWhole: false };
  const marks = { isFetched: value.isFetched, isSecret: value.isSecret, channels: value.channels };
  const fields: Argument[] = [];
  let last: Argument | null = null;
  for (const piece of value.pieces) {
    if (typeof piece !== "string") {
      last = last === null ? { ...unknown(piece.gap), ...marks } : concat(last, unknown(piece.gap));
      continue;
    }
    const hasGlob = value.hasGlob || /[*?[]/.test(piece);
    const [head = "", ...rest] = piece.split(/[ \t\n]+/);
    last = last === null ? { ...known(head, hasGlob), ...marks } : concat(last, known(head, hasGlob));
    for (const field of rest) {
      fields.push(last);
      last = { ...known(field, hasGlob), ...marks };
    }
  }
  return { fields: last === null ? fields : [...fields, last], isWhole: false };
}

function extend({ done, last }: Draft, { fields, isWhole }: Run): Draft {
  const [first, ...others] = fields;
  if (first === undefined) return { done, last };
  const joined = glue(last, first, isWhole);
  if (others.length === 0) return { done, last: joined };
  const middle = others.slice(0, -1).filter((field) => isWhole || field.text !== "");
  const end = others.at(-1);
  return {
    done: [...done, ...(joined === null ? [] : [joined]), ...middle],
    last: end === undefined || (!isWhole && end.text === "") ? null : end,
  };
}

function glue(last: Argument | null, field: Argument, isWhole: boolean): Argument | null {
  if (!isWhole && field.text === "") return last;
  return last === null ? field : concat(last, field);
}

/** Many alternatives as one gap: a plain word if all of them are, else open. */
function summariseFields(alternatives: readonly (readonly Argument[])[]): Argument {
  const fields = alternatives.flat();
  const marks = { isFetched: fields.some((field) => field.isFetched), isSecret: fields.some((field) => field.isSecret) };
  const arePlain = alternatives.every((one) => one.length === 1) && fields.every((field) => !isOpen(field) && !/^[-+]/.test(headOf(field)));
  return unknown(arePlain ? "word" : "anything", marks);
}

function summarise(drafts: readonly Draft[]): Draft {
  return { done: [], last: summariseFields(drafts.map(({ done, last }) => (last === null ? done : [...done, last]))) };
}

function asQuoted(word: Word, keepsPatterns: boolean): Word {
  if (word.parts.every((part) => part.kind === "literal")) return word;
  return { parts: word.parts.map((part) => quotedPart(part, keepsPatterns)) };
}

function quotedPart(part: WordPart, keepsPatterns: boolean): WordPart {
  if ("isQuoted" in part) return { ...part, isQuoted: true };
  return part.kind === "glob" && !keepsPatterns ? { kind: "literal", text: part.text } : part;
}
