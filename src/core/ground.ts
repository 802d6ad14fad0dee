/** The state of the git tree before a window, as values, and what it means: go on, or a question to the person (A2). */

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
}
