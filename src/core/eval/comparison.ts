/** Two versions held against each other, job by job. Only what both have, by the same question and reference, is compared. */

export interface JobScore {
  readonly job: string;
  /** The same text = the same question with the same reference. */
  readonly question: string;
  /** A job without an answer has 0; null = the scorer could not tell, or it has not ended. */
  readonly score: number | null;
}

export interface Comparison {
  readonly jobs: readonly { readonly job: string; readonly a: number; readonly b: number; readonly difference: number }[];
  /** In one version only, changed in between, or without a score in one of them. */
  readonly leftOut: readonly string[];
  readonly meanA: number;
  readonly meanB: number;
  readonly meanDifference: number;
  /** Standard deviation of the differences. */
  readonly spread: number;
  /** As B sees it. */
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  /** How often chance alone would divide wins and losses as unevenly (sign test, two-sided); 1 when there is neither. */
  readonly pValue: number;
}

export function compareScores(a: readonly JobScore[], b: readonly JobScore[]): Comparison {
  const ofB = new Map(b.map((one) => [one.job, one]));
  const names = new Set([...a, ...b].map(({ job }) => job));
  const jobs = a.flatMap(({ job, question, score }) => {
    const other = ofB.get(job);
    if (other === undefined || other.question !== question || score === null || other.score === null) return [];
    return [{ job, a: score, b: other.score, difference: other.score - score }];
  });
  for (const { job } of jobs) names.delete(job);
  const differences = jobs.map(({ difference }) => difference);
  const [wins, losses] = [differences.filter((one) => one > 0).length, differences.filter((one) => one < 0).length];
  return {
    ...{ jobs, leftOut: [...names], wins, losses, ties: jobs.length - wins - losses },
    meanA: mean(jobs.map((one) => one.a)),
    meanB: mean(jobs.map((one) => one.b)),
    meanDifference: mean(differences),
    spread: spreadOf(differences),
    pValue: signTest(wins, losses),
  };
}

/** 0 of none. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function spreadOf(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1));
}

/** Twice the chance of at most the rarer of the two, at even odds. By logarithms: the terms of a long list are below what a number holds. */
export function signTest(wins: number, losses: number): number {
  const trials = wins + losses;
  let logTerm = -trials * Math.LN2;
  let sum = Math.exp(logTerm);
  for (let rare = 1; rare <= Math.min(wins, losses); rare += 1) {
    logTerm += Math.log((trials - rare + 1) / rare);
    sum += Math.exp(logTerm);
  }
  return Math.min(1, 2 * sum);
}
