/** What the task says in so many words of single functions, and the code says otherwise: docs/spec/criteria.md, "The rules" (B). */
import { isWord } from "./change.ts";
import { type Finding, refuse } from "./finding.ts";
import { stemOf } from "./module-paths.ts";
import type { FunctionFacts, SourceFacts, TestFacts } from "./source.ts";
import type { ChangedSource } from "./source-change.ts";
import { isTestFile } from "./test-files.ts";

export interface Promised {
  readonly files: readonly ChangedSource[];
  /** Title and objective. */
  readonly words: string;
  /** What is at HEAD and is no test, by path. */
  readonly product: ReadonlyMap<string, SourceFacts>;
  /** Everything was read, and nothing is of a language that may call a function unseen. */
  readonly isWhole: boolean;
}

/** The end decides: "remove old() from the index" and "remove old()'s log line" ask for something else. */
const takeOut =
  /\b(?:remov[ea]r?|delete|drop|take out|get rid of|retire|apag(?:ar|ue)|tir[ae]r?|elimin[ae]r?)\s+(?:the\s+|[ao]s?\s+)?(?:(?:old|deprecated|unused|obsolete|function|method|helper|global|fun[çc][ãa]o|m[ée]todo)\s+)*`?([\w$]+)\(\)`?(?=\s*(?:[,;:.!)]|$|and\b|e\b))/gim;
const moves =
  /\b(?:split|move|extract|separate|reorgani[sz]e|restructure|divid[ae]|separ[ae]|mov[ae]|extrai)\w*\b|nothing else changes|nada mais muda/i;
const takesAway =
  /remov|delet|drop|take out|unused|dead|clean|simplif|merg|renam|replac|retire|obsolete|apag|elimin|junt|renome|substitu|limp/i;
/** What stands in front of a function that something else is to use. */
const isUsed =
  /\b(?:uses?|using|calls?|calling|goe?s? through|(?:is|are|be)\s+\w+(?:ed|t|de|en|n)\s+(?:with|by|through|via)|usam?|chamam?|passam? por|feit[oa]s? com)\s+`?$/i;

export function judgePromises(promised: Promised): readonly Finding[] {
  return [...stillThere(promised), ...(promised.isWhole ? [...lostInMove(promised), ...notUsed(promised)] : [])];
}

/** Whether the rest of the tree has to be read for it. */
export function asksForProduct(files: readonly ChangedSource[], words: string): boolean {
  return takenOut(words).length > 0 || lostNames(files, words).length > 0 || usesAsked(files, words).length > 0;
}

function takenOut(words: string): readonly string[] {
  return [...words.matchAll(takeOut)].flatMap(([, name]) => name ?? []);
}

/** One that went from one of its places may have been moved, or be another by the same name elsewhere. */
function stillThere({ files, words, product }: Promised): readonly Finding[] {
  return takenOut(words).flatMap((name) => {
    const count = (facts: SourceFacts | null) => facts?.functions.filter((one) => isNamed(one, name)).length ?? 0;
    if (files.some(({ before, after }) => count(before) > count(factsOf(after)))) return [];
    const place = [...product].find(([, facts]) => count(facts) > 0);
    const line = place?.[1].functions.find((one) => isNamed(one, name))?.line ?? null;
    return place === undefined ? [] : [refuse("not-taken-out", place[0], line, `the task takes ${name}() out, and it is where it was`)];
  });
}

/** Of a class or an object too. */
function isNamed({ name }: FunctionFacts, wanted: string): boolean {
  return name === wanted || name.endsWith(`.${wanted}`);
}

function factsOf(after: ChangedSource["after"]): SourceFacts | null {
  return after.kind === "facts" ? after.facts : null;
}

interface Lost {
  readonly name: string;
  readonly path: string;
  readonly test: TestFacts;
}

function lostInMove({ files, words, product }: Promised): readonly Finding[] {
  const lost = lostNames(files, words).filter(({ name }) => ![...product.values()].some((facts) => facts.names.has(name)));
  const [first] = lost;
  if (first === undefined) return [];
  const names = [...new Set(lost.map(({ name }) => name))].join(", ");
  return [
    refuse("lost-in-move", first.path, first.test.line, `${names} and its test are nowhere any more, and the task only moves things`),
  ];
}

/**
 * Functions that a test spoke of, gone with it, where a neighbour of theirs has come to another file. As many new ones as went are the same ones renamed, and a move
 * to somewhere else takes the neighbours too.
 */
function lostNames(files: readonly ChangedSource[], words: string): readonly Lost[] {
  if (!moves.test(words) || takesAway.test(words)) return [];
  const code = files.filter(({ path }) => !isTestFile(path));
  const old = new Set(code.flatMap(({ before }) => before?.functions.map(({ name }) => name) ?? []));
  const now = new Set(code.flatMap(({ after }) => factsOf(after)?.functions.map(({ name }) => name) ?? []));
  const gone = [...old].filter((name) => !now.has(name) && !isWord(name, words));
  const fresh = [...now].filter((name) => !old.has(name));
  if (gone.length <= fresh.length || !hasMoved(code)) return [];
  const before = files.flatMap(({ path, before: facts }) => (facts?.tests ?? []).map((test) => ({ path, test })));
  const after = files.flatMap((file) => factsOf(file.after)?.tests ?? []);
  if (after.length >= before.length) return [];
  return gone.flatMap((name) => {
    if (after.some((test) => speaksOf(test, name))) return [];
    const spoke = before.find(({ test }) => speaksOf(test, name));
    return spoke === undefined ? [] : [{ name, ...spoke }];
  });
}

function speaksOf({ body, assertions }: TestFacts, name: string): boolean {
  return isWord(name, [body, ...assertions.map(({ text }) => text)].join("\n"));
}

function hasMoved(code: readonly ChangedSource[]): boolean {
  return code.some(({ path, after }) =>
    factsOf(after)?.functions.some(({ name }) =>
      code.some((other) => other.path !== path && other.before?.functions.some((one) => one.name === name)),
    ),
  );
}

interface Use {
  readonly name: string;
  readonly path: string;
  readonly isNewFile: boolean;
  readonly line: number;
  /** Words of the task in front of it. */
  readonly subject: readonly string[];
}

/** The subject is something that was there before: a function that people call is nobody's here. */
function notUsed({ files, words, product }: Promised): readonly Finding[] {
  const fresh = new Set(files.filter(({ kind }) => kind === "added").map(({ path }) => path));
  const added = usesAsked(files, words);
  const names = [...product].flatMap(([path, { functions }]) =>
    fresh.has(path) ? [] : [stemOf(path), ...functions.map(({ name }) => name)],
  );
  const known = names.filter((name) => !added.some((use) => use.name === name)).map((name) => name.toLowerCase());
  return added
    .filter(({ subject }) => subject.some((word) => known.some((name) => name.startsWith(word))))
    .filter(
      (use) =>
        ![...product].some(
          ([path, facts]) => facts.names.has(use.name) || (use.isNewFile && path !== use.path && asksFor(facts, use.path)),
        ),
    )
    .map(({ name, path, line }) => refuse("not-used", path, line, `the task says what uses ${name}, and nothing does`));
}

function asksFor({ imports }: SourceFacts, path: string): boolean {
  const stem = stemOf(path);
  return imports.some(({ module }) => stemOf(module) === stem || module.split(".").includes(stem));
}

function usesAsked(files: readonly ChangedSource[], words: string): readonly Use[] {
  return files.flatMap(({ path, kind, before, after }) => {
    if (isTestFile(path)) return [];
    const old = new Set(before?.functions.map(({ name }) => name));
    return (factsOf(after)?.functions ?? [])
      .filter(({ name }) => !old.has(name) && /^[\w$]+$/.test(name))
      .flatMap(({ name, line }) => {
        const subject = subjectOf(words, name);
        return subject.length === 0 ? [] : [{ name, path, line, isNewFile: kind === "added", subject }];
      });
  });
}

/** Words of four letters and more, in the singular, before `… uses NAME(`. */
function subjectOf(words: string, name: string): readonly string[] {
  for (const clause of words.split(/[.;:!?\n]\s/)) {
    const at = clause.search(new RegExp(`\`?(?<![\\w$])${name.replaceAll("$", "\\$")}\`?\\(`));
    if (at === -1 || !isUsed.test(clause.slice(0, at))) continue;
    const before = clause.slice(0, at).replace(isUsed, "");
    return before
      .split(/[^\w$]+/)
      .map((word) => word.toLowerCase().replace(/s$/, ""))
      .filter((word) => word.length >= 4);
  }
  return [];
}
