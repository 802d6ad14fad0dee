/** The values that a variable may have, from all that is assigned to it anywhere, or from what every shell knows. */
import { type Argument, concat, filled, headOf, isOpen, known, unknown } from "./argument.ts";
import { shifted } from "./bindings.ts";
import { findKey } from "./key-shapes.ts";
import type { Scene, Source } from "./scene.ts";
import type { Word, WordPart } from "./shell-tree.ts";

type Part = Extract<WordPart, { kind: "variable" }>;
type Fields = readonly Argument[];

/** How a word becomes arguments: whole, or cut at blanks. */
export interface Expander {
  readonly whole: (word: Word, scene: Scene) => readonly Argument[];
  readonly cut: (word: Word, scene: Scene) => readonly Fields[];
  /** Several words side by side, in every combination. */
  readonly line: (words: readonly Word[], scene: Scene) => readonly Fields[];
}

const mostValues = 16;
const mostTraced = 100;
/** Stands in a script for one plain word that is not known; see carriers/scripts.ts. */
export const standIn = "midwatch_word";
/** Always digits. */
const numbers = new Set([
  "!",
  "$",
  "?",
  "#",
  "RANDOM",
  "SECONDS",
  "LINENO",
  "UID",
  "EUID",
  "BASHPID",
  "COLUMNS",
  "LINES",
  "EPOCHSECONDS",
  "OPTIND",
]);
/** From the environment of the person: one plain word. */
const words = new Set([
  "TMPDIR",
  "OLDPWD",
  "USER",
  "LOGNAME",
  "HOSTNAME",
  "LANG",
  "PATH",
  "OSTYPE",
  "MACHTYPE",
  "BASH_VERSION",
  "GOPATH",
  "GOBIN",
]);
const folders = /^(XDG_[A-Z_]{1,40}|[A-Z]{2,20}_HOME)$/;

/** The alternatives of a variable, each a list of fields (one, unless all elements are asked for). */
export function valuesOf(part: Part, scene: Scene, expand: Expander): readonly Fields[] {
  const { change } = part;
  switch (change.kind) {
    case "none":
      return plainValues(part, scene, expand);
    case "default":
      return limit([
        ...expand.whole(change.word, scene).map((value) => [value]),
        ...(isSet(part, scene) ? plainValues(part, scene, expand) : []),
      ]);
    case "alternate":
      return limit([[known("")], ...expand.whole(change.word, scene).map((value) => [value])]);
    case "shorten":
      return plainValues(part, scene, expand).map((fields) => fields.map(shortened));
    case "other":
      return plainValues(part, scene, expand).map((fields) => fields.map((field) => unknown("anything", field)));
  }
}

function plainValues({ name, all }: Part, scene: Scene, expand: Expander): readonly Fields[] {
  if (name === "@" || name === "*") return positionalFields(scene, expand);
  if (/^\d+$/.test(name)) return positionalField(Number(name), scene);
  const sources = scene.variables.get(name);
  if (sources === undefined) return [[standing(name, scene)]];
  if (scene.resolving.has(name)) return [[standing(name, scene)]];
  const cached = all ? undefined : scene.values.get(name);
  if (cached !== undefined) return cached.map((value) => [value]);
  scene.resolving.add(name);
  const values = limit(all ? allElements(sources, scene, expand) : everyValue(name, sources, scene, expand));
  scene.resolving.delete(name);
  if (!all && scene.resolving.size === 0) scene.values.set(name, values.flat());
  if (scene.trace !== null && scene.trace.variables.size < mostTraced) scene.trace.variables.set(name, values.flat().map(shown));
  return values;
}

/** What each source may leave in the variable, one element at a time. */
function everyValue(name: string, sources: readonly Source[], scene: Scene, expand: Expander): readonly Fields[] {
  const values = sources.flatMap((source) => fromSource(source, scene, expand));
  // What every shell knows stays possible: an assignment may hold for one command alone.
  const lasting = name === "HOME" || name === "PWD" ? [standing(name, scene)] : [];
  const summed = sources.some((source) => source.kind === "scalar" && source.adds) ? sums(sources, scene, expand) : [];
  const turned = sources.some((source) => source.kind === "scalar" && !source.adds && refersTo(source.word, name))
    ? inTurn(name, sources, scene, expand)
    : [];
  return [...values, ...lasting, ...summed, ...turned].map((value) => [value]);
}

function refersTo({ parts }: Word, name: string): boolean {
  return parts.some((part) => part.kind === "variable" && part.name === name);
}

/** `f=.e; f=${f}nv`: what each assignment makes of the one before it, in the order of the text. */
function inTurn(name: string, sources: readonly Source[], scene: Scene, expand: Expander): Fields {
  const found: Argument[] = [];
  let before: Fields = [standing(name, scene)];
  scene.resolving.delete(name);
  for (const source of sources.slice(0, mostValues)) {
    scene.values.set(name, before);
    before = fromSource(source, scene, expand).slice(0, mostValues);
    found.push(...before);
  }
  scene.values.delete(name);
  scene.resolving.add(name);
  return found;
}

function fromSource(source: Source, scene: Scene, expand: Expander): Fields {
  if (source.kind === "open") return [unknown("anything")];
  if (source.kind !== "scalar") return source.words.flatMap((word) => expand.cut(word, scene).flat());
  return expand.whole(source.word, scene);
}

/** `x=a; x+=b; x+=c`: the sums on the way, in the order of the text. */
function sums(sources: readonly Source[], scene: Scene, expand: Expander): Fields {
  const found: Argument[] = [];
  let sum = known("");
  for (const source of sources) {
    const [value, ...others] = fromSource(source, scene, expand);
    if (value === undefined || others.length > 0) return [unknown("anything")];
    sum = source.kind === "scalar" && source.adds ? concat(sum, value) : value;
    found.push(sum);
  }
  return found;
}

/** Every list that the variable may be on the way: each one given whole, and with all that is added to it. */
function allElements(sources: readonly Source[], scene: Scene, expand: Expander): readonly Fields[] {
  let words: readonly Word[] = [];
  const lists: Fields[] = [];
  for (const source of sources) {
    if (source.kind === "open" || source.kind === "elements") return [[unknown("anything")]];
    const given = source.kind === "list" ? source.words : [wholeWord(source.word)];
    words = source.adds ? [...words, ...given] : given;
    lists.push(...expand.line(words, scene));
    if (lists.length > mostValues) return [[unknown("anything")]];
  }
  return lists;
}

/** A scalar is one element, blanks and all. */
function wholeWord(word: Word): Word {
  return { parts: word.parts.map((part) => ("isQuoted" in part ? { ...part, isQuoted: true } : part)) };
}

function positionalFields(scene: Scene, expand: Expander): readonly Fields[] {
  const sources = scene.variables.get("@");
  const known = scene.positional === null ? [] : [scene.positional.slice(1)];
  const lists = sources === undefined ? known : [...known, ...allElements(sources, scene, expand)];
  if (lists.length === 0) return [[unknown("anything")]];
  return scene.variables.has(shifted) ? limit(lists.flatMap((list) => [list, ...list.map((_, at) => list.slice(at + 1))])) : lists;
}

function positionalField(place: number, scene: Scene): readonly Fields[] {
  const { positional } = scene;
  if (positional === null) return place === 0 ? [[known("sh")]] : [[unknown("anything")]];
  if (scene.variables.has(shifted)) return limit([[known("")], ...positional.slice(1).map((argument) => [argument])]);
  return [[positional[place] ?? known("")]];
}

function isSet({ name }: Part, scene: Scene): boolean {
  return (
    scene.variables.has(name) ||
    (/^[\d@*]+$/.test(name) && scene.positional !== null) ||
    name === "HOME" ||
    name === "PWD" ||
    name === "SHELL"
  );
}

/** What a variable is that the script does not set. */
function standing(name: string, { context, folders: places }: Scene): Argument {
  if (name === "HOME") return known(context.home);
  if (name === "SHELL") return known("/bin/sh");
  if (name === "PWD") {
    const [place] = places;
    return places.size === 1 && typeof place === "string" ? known(place) : unknown("word");
  }
  if (name === standIn) return unknown("word");
  if (numbers.has(name)) return unknown("number");
  return unknown(words.has(name) || folders.test(name) ? "word" : "anything");
}

/** A beginning of a value: as plain as the value's first letter is. */
function shortened(value: Argument): Argument {
  return unknown(isOpen(value) || /^[-+]/.test(headOf(value)) ? "anything" : "word", value);
}

function limit(values: readonly Fields[]): readonly Fields[] {
  if (values.length <= mostValues) return values;
  const all = values.flat();
  const arePlain = all.every((value) => !isOpen(value) && !/^[-+]/.test(headOf(value)));
  const marks = { isFetched: all.some((value) => value.isFetched), isSecret: all.some((value) => value.isSecret) };
  return [[unknown(arePlain ? "word" : "anything", marks)]];
}

/** For people: what is not known is a gap, and no key is shown. */
function shown(value: Argument): string {
  const text = filled(value, "…").slice(0, 200);
  return findKey(text) === null ? text : "…";
}
