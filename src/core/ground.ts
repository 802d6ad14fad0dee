/** The state of the git tree before a window, as values, and what it means: go on, or a question to the person (A2). */

import { assertNever } from "./error.ts";

export type InProgress = "rebase" | "merge" | "cherry-pick" | "revert" | "bisect" | "am";

export interface GroundState {
  /** "" = no commit yet. */
  readonly head: string;
  /** null = detached HEAD. */
  readonly branch: string | null;
  /** Paths outside bookkeeping, at most 20 of each; the counts are whole. */
  readonly staged: PathSample;
  readonly changed: PathSample;
  readonly untracked: PathSample;
  readonly conflicted: PathSample;
  readonly inProgress: readonly InProgress[];
  /** Lock files of git found lying (index.lock, HEAD.lock, …), with their age. Never removed by us. */
  readonly locks: readonly { readonly path: string; readonly ageMs: number }[];
  /** Set when git itself failed: everything else is then empty. */
  readonly failure: string;
}

export interface PathSample {
  readonly count: number;
  readonly paths: readonly string[];
}

export interface TreeChange {
  readonly head: string;
  readonly branch: string | null;
  /** Commits reachable now and not from the base; 0 also when the base is gone from history. */
  readonly commits: number;
  /** HEAD's tree differs from the base's tree outside bookkeeping. Empty and undone commits do not. */
  readonly codeChanged: boolean;
  /** Files with conflict markers in what was committed since the base, at most 20. */
  readonly conflictMarkers: readonly string[];
  /** The base is no ancestor of HEAD: history was rewritten, or another branch is checked out. */
  readonly baseLost: boolean;
  /** Set when git itself failed: everything else then says that nothing happened. */
  readonly failure?: string;
}

/** What stands between the tree and the next window; each is the person's to mend. */
export type GroundProblem =
  | { readonly kind: "git-failed"; readonly detail: string }
  | { readonly kind: "locked"; readonly locks: GroundState["locks"] }
  | { readonly kind: "in-progress"; readonly what: InProgress }
  | { readonly kind: "conflicted"; readonly files: PathSample }
  | { readonly kind: "detached"; readonly head: string; readonly expected: string | null }
  | { readonly kind: "unborn"; readonly branch: string | null }
  | { readonly kind: "wrong-branch"; readonly expected: string; readonly actual: string }
  | { readonly kind: "dirty"; readonly staged: PathSample; readonly changed: PathSample; readonly untracked: PathSample };

/**
 * Judges the tree before a window; an empty list lets it start.
 * @param expected.branch  the branch the run works on; null = none was settled yet, any will do
 */
export function groundProblems(state: GroundState, expected: { readonly branch: string | null }): readonly GroundProblem[] {
  if (state.failure !== "") return [{ kind: "git-failed", detail: state.failure }, ...lockProblems(state)];
  return [...lockProblems(state), ...operationProblems(state), ...headProblems(state, expected.branch), ...dirtProblems(state)];
}

function lockProblems({ locks }: GroundState): GroundProblem[] {
  return locks.length === 0 ? [] : [{ kind: "locked", locks }];
}

function operationProblems({ inProgress, conflicted }: GroundState): GroundProblem[] {
  const operations = inProgress.map((what): GroundProblem => ({ kind: "in-progress", what }));
  return conflicted.count === 0 ? operations : [...operations, { kind: "conflicted", files: conflicted }];
}

function headProblems({ head, branch, inProgress }: GroundState, expected: string | null): GroundProblem[] {
  if (head === "") return [{ kind: "unborn", branch }];
  // A rebase and a bisect stand on a detached HEAD until they are over: one cause, one line.
  if (branch === null) return inProgress.includes("rebase") || inProgress.includes("bisect") ? [] : [{ kind: "detached", head, expected }];
  return expected === null || branch === expected ? [] : [{ kind: "wrong-branch", expected, actual: branch }];
}

function dirtProblems({ staged, changed, untracked }: GroundState): GroundProblem[] {
  return staged.count + changed.count + untracked.count === 0 ? [] : [{ kind: "dirty", staged, changed, untracked }];
}

/** One line for a person: what is wrong, where, and what to do about it. */
export function describeGroundProblem(problem: GroundProblem): string {
  switch (problem.kind) {
    case "git-failed":
      return `git cannot read the working tree (${problem.detail}): run "git status" there and mend what it names`;
    case "locked":
      return describeLocks(problem.locks);
    case "in-progress":
      return `a ${problem.what} is in progress: ${wayOut[problem.what]}`;
    case "conflicted":
      return `${countFiles(problem.files.count)} in conflict (${listPaths([problem.files])}): resolve, then "git add" and commit`;
    case "detached":
      return `HEAD is on no branch (detached at ${problem.head.slice(0, 10)}): ${describeSwitch(problem.expected)}`;
    case "unborn":
      return `${problem.branch === null ? "the repository" : `branch ${showPath(problem.branch)}`} has no commit yet: make the first one with "git add" and "git commit"`;
    case "wrong-branch":
      return `branch ${showPath(problem.actual)} is checked out, and the run works on ${showPath(problem.expected)}: ${describeSwitch(problem.expected)}`;
    case "dirty":
      return describeDirt(problem);
    default:
      return assertNever(problem);
  }
}

const wayOut: Readonly<Record<InProgress, string>> = {
  rebase: 'go on with "git rebase --continue", or give it up with "git rebase --abort"',
  merge: 'finish it with "git merge --continue", or give it up with "git merge --abort"',
  "cherry-pick": 'go on with "git cherry-pick --continue", or give it up with "git cherry-pick --abort"',
  revert: 'go on with "git revert --continue", or give it up with "git revert --abort"',
  bisect: 'end it with "git bisect reset"',
  am: 'go on with "git am --continue", or give it up with "git am --abort"',
};

function describeLocks(locks: GroundState["locks"]): string {
  const list = locks.map(({ path, ageMs }) => `${showPath(path)}, ${formatAge(ageMs)} old`).join("; ");
  return `git is locked (${list}): when no git command is at work there, delete the file`;
}

function describeSwitch(branch: string | null): string {
  return branch === null ? 'check out a branch with "git switch NAME"' : `check it out with "git switch ${quoteForShell(branch)}"`;
}

function describeDirt({ staged, changed, untracked }: Extract<GroundProblem, { kind: "dirty" }>): string {
  const counts = [
    ...(staged.count > 0 ? [`${staged.count} staged`] : []),
    ...(changed.count > 0 ? [`${changed.count} changed`] : []),
    ...(untracked.count > 0 ? [`${untracked.count} untracked`] : []),
  ].join(", ");
  return `uncommitted: ${counts} (${listPaths([staged, changed, untracked])}): commit, or put away with "git stash --include-untracked"`;
}

const shownPaths = 5;

function listPaths(samples: readonly PathSample[]): string {
  const paths = [...new Set(samples.flatMap((sample) => sample.paths))];
  const isWhole = paths.length <= shownPaths && samples.every((sample) => sample.paths.length === sample.count);
  return [...paths.slice(0, shownPaths).map(showPath), ...(isWhole ? [] : ["…"])].join(", ");
}

function countFiles(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}

function formatAge(ageMs: number): string {
  if (ageMs < 120_000) return `${Math.round(ageMs / 1000)} s`;
  if (ageMs < 7_200_000) return `${Math.round(ageMs / 60_000)} min`;
  return `${Math.round(ageMs / 3_600_000)} h`;
}

/** A path or a name as part of a line: one that could break the line, or end it in a reader's eye, stands in quotes with its odd characters written out. */
export function showPath(path: string): string {
  if (/^[^\s"'\\,;()\p{C}\p{Z}]+$/u.test(path)) return path;
  return JSON.stringify(path).replace(/[\p{C}\u2028\u2029]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** A path or a name as one word of a POSIX shell command. */
export function quoteForShell(word: string): string {
  return /^[\w./@%+:][\w./@%+:=-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
