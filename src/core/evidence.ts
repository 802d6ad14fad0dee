/** What a check saw. Bound to the commit it was taken at. */
export type Verdict = "holds" | "fails" | "cannot-tell";

export interface Evidence {
  readonly criterion: string;
  readonly verdict: Verdict;
  /** One or a few lines for people and for the next window: exit code and the end of the output, or what the file lacked. */
  readonly detail: string;
  readonly durationMs: number;
  /** HEAD at the time of the check; empty in a repository without commits. */
  readonly commit: string;
}
