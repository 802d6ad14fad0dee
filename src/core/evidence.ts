/** What a check saw. Bound to the commit it was taken at. */
import type { CriterionKind } from "./criteria/criterion.ts";

export type Verdict = "holds" | "fails" | "cannot-tell";

/** Counts by their names, such as `passed` or `lines`. */
export type Figures = Readonly<Record<string, number>>;

/** What was measured, and what it means for the criterion. */
export interface Check {
  readonly verdict: Verdict;
  /** One or a few lines for people and for the next window: exit code and the end of the output, or what the file lacked. */
  readonly detail: string;
  readonly figures?: Figures;
}

export interface Evidence extends Check {
  readonly criterion: string;
  /** Of the criterion; absent in rows of older versions. */
  readonly kind?: CriterionKind;
  /** It counts from this window on, which is still to come: told, and refuses nothing. Absent where it counts. */
  readonly countsFrom?: number;
  readonly durationMs: number;
  /** HEAD at the time of the check; empty in a repository without commits. */
  readonly commit: string;
}

/** Whether nothing of it refuses a claim. */
export function allHold(evidence: readonly Evidence[]): boolean {
  return evidence.every(({ verdict, countsFrom }) => verdict === "holds" || countsFrom !== undefined);
}

/** Whether a claim that is not refused was checked: something that counts held, or all that does not count yet. */
export function isVerified(evidence: readonly Evidence[]): boolean {
  return evidence.some(({ verdict, countsFrom }) => verdict === "holds" && countsFrom === undefined) || everyHeld(evidence);
}

function everyHeld(evidence: readonly Evidence[]): boolean {
  return evidence.length > 0 && evidence.every(({ verdict }) => verdict === "holds");
}

/** For the next window and the report: what did not hold, and why; and beside it what will not once it counts. */
export function describeRefusal(evidence: readonly Evidence[]): string {
  return evidence
    .filter(({ verdict }) => verdict !== "holds")
    .map(
      ({ criterion, verdict, detail, commit, countsFrom }) =>
        `${criterion}: ${verdict === "fails" ? "fails" : "cannot be told"} at ${commit.slice(0, 9) || "the empty tree"}${countsFrom === undefined ? "" : ` (counts from window ${countsFrom} on)`}: ${detail}`,
    )
    .join("\n");
}

/** The figures of a check in a line: `12 passed, 0 failed, 1 skipped`. Empty without any. */
export function describeFigures(figures: Figures | undefined): string {
  return Object.entries(figures ?? {})
    .map(([name, figure]) => `${figure} ${name}`)
    .join(", ");
}
