/** Rules over the words of a change, for every language: docs/spec/criteria.md, "The rules" (A). */
import { type AddedLine, addedLines, type Change, namesFile, type TaskWords } from "./change.ts";
import type { Finding } from "./finding.ts";
import { matchesPattern } from "./path-pattern.ts";
import { isTestFile } from "./test-files.ts";

export interface ChangeFacts {
  /** Since the last accepted claim. */
  readonly changes: readonly Change[];
  /** Whether anything at all changed since the run began. */
  readonly changedSinceBase: boolean;
  readonly task: TaskWords;
  readonly protect: readonly string[];
  /** What the task's criteria run. */
  readonly reach: ReadonlySet<string>;
  readonly hasLint: boolean;
}

export function judgeChange(facts: ChangeFacts): readonly Finding[] {
  if (!facts.changedSinceBase)
    return [{ rule: "no-change", weight: "refuses", path: null, line: null, text: "nothing has changed since the run began" }];
  return facts.changes.flatMap((change) => [
    ...protectedFile(change, facts.protect),
    ...(isTestFile(change.path) ? addedSkips(change, facts.task) : []),
    ...(facts.reach.has(change.path) ? forcedExits(change) : []),
    ...silencedChecks(change, facts.hasLint),
  ]);
}

function protectedFile({ path, kind }: Change, protect: readonly string[]): readonly Finding[] {
  const pattern = protect.find((one) => matchesPattern(path, one));
  return pattern === undefined
    ? []
    : [{ rule: "protected-file", weight: "refuses", path, line: null, text: `it is protected (${pattern}) and was ${kind}` }];
}

/** Spellings of the runners that we know; what follows the name decides, so that a word in a sentence is none. */
const skips: readonly RegExp[] = [
  /\b(?:it|test|describe|suite|context|specify|bench)(?:\.\w+)*\.(?:skip|only|todo|fails|failing|skipIf|runIf)\b/,
  /(?:^|[^.\w])x(?:it|test|describe|context|specify)\s*\(/,
  /(?:^|[^.\w])f(?:it|describe|context)\s*\(/,
  /\.each\([^)]*\)\.(?:skip|only|todo)\s*\(/,
  /\b(?:skip|todo|only)\s*:\s*(?:true|["'`])/,
  /\bt(?:est|ctx|c)?\.(?:skip|todo)\s*\(/,
  /@(?:unittest\.)?(?:skip|skipIf|skipUnless|expectedFailure)\b/,
  /@?pytest\.(?:mark\.)?(?:skip|skipif|xfail)\b|@pytest\.mark\.(?:skip|skipif|xfail)\b/,
  /\bself\.skipTest\s*\(|\braise\s+(?:unittest\.)?SkipTest\b/,
  /\b[tb]\.(?:Skip|Skipf|SkipNow)\s*\(/,
  /#\[ignore\b/,
  /@(?:Disabled|Ignore)\b/,
  /\bmarkTestSkipped\s*\(|\bpending\s*\(/,
];

function addedSkips(change: Change, task: TaskWords): readonly Finding[] {
  if (namesFile(task, change.path)) return [];
  return uncommented(addedLines(change), change.path)
    .filter(({ text }) => skips.some((skip) => skip.test(text)))
    .map(({ line, text }) => ({
      rule: "skip-added",
      weight: "refuses",
      path: change.path,
      line,
      text: `it leaves tests out: ${shown(text)}`,
    }));
}

const throwsAway: readonly RegExp[] = [
  /\|\|\s*(?:true|:|exit\s+0|echo\b)/,
  /;\s*(?:true|exit\s+0)\s*(?:["'`,;]|$)/,
  /(?:^|[\s;&|"'])exit\s+0\s*(?:["',;]|$)/,
  /\bset\s+\+e\b/,
  /\bcontinue-on-error\s*:\s*true/,
  /\bprocess\.exit\s*\(\s*0?\s*\)|\bprocess\.exitCode\s*=\s*0\b/,
  /\b(?:sys\.exit|os\._exit|exit|quit)\s*\(\s*0?\s*\)/,
  /--(?:exit-zero|passWithNoTests|pass-with-no-tests|no-error-on-unmatched-pattern|force-exit)\b/,
  /^\t-\S/,
  /^\s*script-shell\s*=/,
];

/** In what a criterion runs. A script's own good end, as its last word, throws nothing away. Tests of a language that we parse are looked at by its syntax. */
function forcedExits(change: Change): readonly Finding[] {
  if (isTestFile(change.path) && /\.([cm]?[jt]sx?|py)$/.test(change.path)) return [];
  const last = (change.after ?? "").trimEnd().split("\n").length;
  return uncommented(addedLines(change), change.path)
    .filter(
      ({ line, text }) =>
        throwsAway.some((pattern) => pattern.test(text)) && !(line === last && /^\s*exit\s+0\s*$/.test(text) && change.kind === "added"),
    )
    .map(({ line, text }) => ({
      rule: "exit-forced",
      weight: "refuses",
      path: change.path,
      line,
      text: `it throws a result away: ${shown(text)}`,
    }));
}

const silences =
  /\b(?:eslint-disable|biome-ignore|oxlint-disable|jshint\s+ignore|tslint:disable|stylelint-disable)|@ts-(?:ignore|nocheck|expect-error)\b|#\s*(?:noqa|type:\s*ignore|pylint:\s*disable|nosec|ruff:\s*noqa|shellcheck\s+disable)|\/\/\s*nolint\b|#!?\[allow\(|@SuppressWarnings\b/;

function silencedChecks(change: Change, hasLint: boolean): readonly Finding[] {
  return addedLines(change)
    .filter(({ text }) => silences.test(text))
    .map(({ line, text }) => ({
      ...{ rule: "check-silenced", weight: hasLint ? "refuses" : "remark", path: change.path, line },
      text: `a check is told not to look: ${shown(text)}`,
    }));
}

function uncommented(lines: readonly AddedLine[], path: string): readonly AddedLine[] {
  const comment = /\.(py|sh|bash|rb|toml|ya?ml|cfg|ini)$|^[^.]+$/.test(path) ? /^\s*#/ : /^\s*(?:\/\/|\/?\*)/;
  return lines.filter(({ text }) => !comment.test(text) || /#\[ignore/.test(text));
}

function shown(text: string): string {
  return text.trim().slice(0, 120);
}
