/** Work that is there by its name and does not do what it is named for. What the task asks for in so many words is no finding. */
import { isWord } from "./change.ts";
import { type Finding, refuse, remark } from "./finding.ts";
import type { FunctionFacts } from "./source.ts";
import { isChanged, type ReadSource } from "./source-change.ts";
import { isTestFile } from "./test-files.ts";

export interface UnfinishedInput {
  readonly sources: readonly ReadSource[];
  /** Paths that the task names. */
  readonly named: ReadonlySet<string>;
  /** Title and objective. */
  readonly words: string;
}

const asksForStub =
  /\bstubs?\b|skeleton|placeholder|scaffold|not implemented|notimplemented|unimplemented|abstract|interface|\bbase\b|protocol|mixin|hook|esqueleto|n[ãa]o implementad/i;
const asksForEmpty = /\bempty\b|\bstubs?\b|skeleton|placeholder|scaffold|comment|\bblank\b|vazi[oa]|esqueleto|coment[áa]rio/i;
const asksForSwitch =
  /\bflags?\b|switch|toggle|\boptions?\b|opt-?in|\boff\b|default|disabl|enabl|\bfeature\b|\bbehind\b|\bsetting|config|kill|desliga|\bliga|op[çc][ãõo]|padr[ãa]o|desativ|ativa/i;
const asksForYes = /everything|anything|\bany\b|always|wildcard|matcher|sempre|qualquer|\btudo\b/i;
/** Classes whose sense it is to be equal to all. */
const wildcards = /any|wild|all|every|match|always|star|ignore|dummy|fake|mock|stub/i;
/** Files that may well be empty. */
const mayBeEmpty = /(^|\/)(__init__|conftest|index)\.[^/]+$|\.d\.[cm]?ts$|\.pyi$/;

export function judgeUnfinished({ sources, named, words }: UnfinishedInput): readonly Finding[] {
  const code = sources.filter(({ path, after }) => !isTestFile(path) && after.tests.length === 0);
  return [
    ...stubs(code, words),
    ...emptyFiles(code, named, words),
    ...code.flatMap((source) => [...offSwitches(source, words), ...yesToAll(source, words)]),
  ];
}

/** One of several functions of a name is left out on purpose, such as for another system, or for a class that has it from this one. */
function stubs(code: readonly ReadSource[], words: string): readonly Finding[] {
  const working = new Set(code.flatMap(({ after }) => after.functions.filter(({ stub }) => stub === null).map(({ name }) => name)));
  return code.flatMap((source) =>
    changedFunctions(source)
      .filter(({ name, stub }) => stub !== null && !working.has(name))
      .map(({ name, line, stub }) => {
        const isAsked = isWord(name, words) && (stub?.owner == null || isWord(stub.owner, words));
        const make = isAsked && !asksForStub.test(words) ? refuse : remark;
        return make("unfinished", source.path, line, `${name} only throws that it is not implemented`);
      }),
  );
}

function emptyFiles(code: readonly ReadSource[], named: ReadonlySet<string>, words: string): readonly Finding[] {
  if (asksForEmpty.test(words)) return [];
  return code
    .filter(({ path, isNew, after }) => isNew && after.isEmpty && named.has(path) && !mayBeEmpty.test(path))
    .map(({ path }) => refuse("unfinished", path, null, `the task asks for this file, and it has no statement`));
}

/** Both came with this change: a switch that was there before is the project's own. */
function offSwitches(source: ReadSource, words: string): readonly Finding[] {
  return changedFunctions(source).flatMap(({ name, offSwitch }) => {
    if (offSwitch === null || !source.added.has(offSwitch.definedAt) || !source.added.has(offSwitch.line)) return [];
    const make = asksForSwitch.test(words) ? remark : refuse;
    return [
      make(
        "never-runs",
        source.path,
        offSwitch.line,
        `${name} never comes to its result: ${offSwitch.name} is off, and nothing turns it on`,
      ),
    ];
  });
}

function yesToAll({ path, before, after, added }: ReadSource, words: string): readonly Finding[] {
  const old = new Set(before?.yesToAll.map(({ owner }) => owner));
  return after.yesToAll
    .filter(({ owner, line }) => added.has(line) && !old.has(owner))
    .map(({ owner, line }) => {
      const make = wildcards.test(owner) || asksForYes.test(words) ? remark : refuse;
      return make("yes-to-all", path, line, `${owner} is equal to whatever it is compared with, so that no test can tell a wrong one`);
    });
}

function changedFunctions(source: ReadSource): readonly FunctionFacts[] {
  const earlier = source.before?.functions ?? [];
  return source.after.functions.filter((one) => isChanged(source, one, earlier));
}
