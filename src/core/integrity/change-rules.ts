/** Rules over the words of a change, for every language: docs/spec/criteria.md, "The rules" (A). */
import { addedLines, type Change, namesFile, shown, type TaskWords, uncommented } from "./change.ts";
import { replacesRunner } from "./checks.ts";
import { type Finding, refuse, remark } from "./finding.ts";
import { matchesPattern } from "./path-pattern.ts";
import { leavesOut } from "./skips.ts";
import { isTestFile } from "./test-files.ts";
import { judgeUnparsed } from "./unparsed-tests.ts";

export interface ChangeFacts {
  /** Since the last accepted claim. */
  readonly changes: readonly Change[];
  /** Whether anything at all changed since the run began. */
  readonly changedSinceBase: boolean;
  readonly task: TaskWords;
  readonly protect: readonly string[];
  /** Our own settings, where the window changed them. */
  readonly settings: readonly string[];
  /** What the task's criteria run. */
  readonly reach: ReadonlySet<string>;
  readonly hasLint: boolean;
}

export function judgeChange(facts: ChangeFacts): readonly Finding[] {
  if (!facts.changedSinceBase) return [refuse("no-change", null, null, "nothing has changed since the run began")];
  return [
    ...facts.settings.map((path) => refuse("protected-file", path, null, "the window changed the project's settings")),
    ...facts.changes.flatMap((change) => [
      ...protectedFile(change, facts.protect),
      ...replacedRunner(change),
      ...(isTestFile(change.path) ? addedSkips(change, facts.task) : []),
      ...(facts.reach.has(change.path) ? forcedExits(change) : []),
      ...silencedChecks(change, facts.hasLint),
    ]),
    ...judgeUnparsed(facts.changes, facts.task),
  ];
}

function replacedRunner(change: Change): readonly Finding[] {
  return replacesRunner(change)
    ? [refuse("runner-replaced", change.path, null, "it stands in the way of the test runner's own module")]
    : [];
}

function protectedFile({ path, kind }: Change, protect: readonly string[]): readonly Finding[] {
  const pattern = protect.find((one) => matchesPattern(path, one));
  return pattern === undefined ? [] : [refuse("protected-file", path, null, `it is protected (${pattern}) and was ${kind}`)];
}

const prose = /\.(md|mdx|rst|txt|adoc|json|jsonc|jsonl|ya?ml|csv|snap|html|xml)$/i;

function addedSkips(change: Change, task: TaskWords): readonly Finding[] {
  // That a file must hold something is no word for leaving its tests out.
  if (prose.test(change.path) || namesFile({ ...task, criteria: [] }, change.path)) return [];
  return uncommented(addedLines(change), change.path).flatMap(({ line, text }) => {
    const how = leavesOut(text);
    if (how === null) return [];
    const make = how === "always" ? refuse : remark;
    return [make("skip-added", change.path, line, `it leaves tests out: ${shown(text)}`)];
  });
}

const throwsAway: readonly RegExp[] = [
  /\|\|\s*(?:true|:|exit\s+0|echo\b)(?![^$(]*\)["']?\s*$)/,
  /;\s*(?:true|exit\s+0)\s*(?:["'`,;]|$)/,
  /(?:^|[\s;&|"'])exit\s+0\s*(?:["',;]|$)/,
  /\bset\s+\+e\b/,
  /\bcontinue-on-error\s*:\s*true/,
  /\bprocess\.exit\s*\(\s*0?\s*\)|\bprocess\.exitCode\s*=\s*0\b/,
  /\b(?:sys\.exit|os\._exit|exit|quit)\s*\(\s*0?\s*\)/,
  /\bpassWithNoTests\s*:\s*true\b/,
  /--(?:exit-zero|passWithNoTests|pass-with-no-tests|no-error-on-unmatched-pattern|force-exit)\b/,
  /^\t-(?!@?(?:rm|rmdir|mkdir|cp|mv|kill|pkill|docker|git)\b)\S/,
  /^\s*script-shell\s*=/,
  /"[\w:.-]+"\s*:\s*"(?:echo\b[^&|;"]*|printf\b[^&|;"]*|true|:)"/,
];

/**
 * In what a criterion runs. A way out of a script (`--help`), a good end as its last word, and one in a script that was there before, which is measured as it was,
 * throw nothing away. Tests of a language that we parse are looked at by its syntax.
 */
function forcedExits(change: Change): readonly Finding[] {
  if (isTestFile(change.path) && /\.([cm]?[jt]sx?|py)$/.test(change.path)) return [];
  const last = (change.after ?? "").trimEnd().split("\n").length;
  return uncommented(addedLines(change), change.path)
    .filter(({ text }) => throwsAway.some((pattern) => pattern.test(text)))
    .filter(({ line, text }) => !(line === last && isGoodEnd(text, change)))
    .map(({ line, text }) => {
      const mayBeRight = /^\s+exit\s+0\s*;?$/.test(text) || (change.kind === "changed" && plainEnd.test(text) && !losesExit(change));
      const make = mayBeRight ? remark : refuse;
      return make("exit-forced", change.path, line, `it throws a result away: ${shown(text)}`);
    });
}

/** An end that told of faults went. */
function losesExit({ before, after }: Change): boolean {
  return addedLines({ before: after, after: before }).some(({ text }) => /\bexit\s+["']?\$|\bexit\s+[1-9]|\breturn\s+\$/.test(text));
}

const plainEnd = /^\s*exit\s+0\s*;?$/;

/** The last word of a script that ends otherwise where something is wrong. */
function isGoodEnd(text: string, { after }: Change): boolean {
  return plainEnd.test(text) && /\bexit\s+(?:[1-9]|\$)|\bset\s+-\w*e/.test(after ?? "");
}

const silences =
  /\b(?:lint-ignore|lint-disable|eslint-disable|biome-ignore|oxlint-disable|jshint\s+ignore|tslint:disable|stylelint-disable)|@ts-(?:ignore|nocheck|expect-error)\b|#\s*(?:noqa|type:\s*ignore|pylint:\s*disable|nosec|ruff:\s*noqa|shellcheck\s+disable)|\/\/\s*nolint\b|#!?\[allow\(|@SuppressWarnings\b/;

function silencedChecks(change: Change, hasLint: boolean): readonly Finding[] {
  const make = hasLint ? refuse : remark;
  return addedLines(change)
    .filter(({ text }) => silences.test(text))
    .map(({ line, text }) => make("check-silenced", change.path, line, `a check is told not to look: ${shown(text)}`));
}
