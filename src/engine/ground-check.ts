/** Before each window the tree is looked at (A2). What is not in order is the person's decision, never mended by us. */
import { describeGroundProblem, type GroundProblem, type GroundState, groundProblems } from "../core/ground.ts";
import { goOn, nextWindow, type QuestionDraft, stopRun } from "../core/question.ts";
import type { Clock } from "../ports/clock.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { RunContext } from "./context.ts";

/**
 * Looks at the tree, and remembers what it saw for as long as nothing of ours has run since: a look costs a git process. What an agent or a
 * criterion may have done spoils it; so does a quarter of a second, since a person may be at work too.
 */
export interface GroundReader {
  latest(): Promise<GroundState>;
  spoil(): void;
}

const goodForMs = 250;

export function createGroundReader(workspace: Workspace, bookkeeping: readonly string[], clock: Clock): GroundReader {
  let seen: { readonly state: Promise<GroundState>; readonly atMs: number } | null = null;
  return {
    latest() {
      if (seen === null || clock.monotonicMs() - seen.atMs > goodForMs)
        seen = { state: workspace.inspect(bookkeeping), atMs: clock.monotonicMs() };
      return seen.state;
    },
    spoil() {
      seen = null;
    },
  };
}

export type GroundCheck =
  | { readonly kind: "clean"; readonly ground: GroundState; readonly remarks: readonly string[] }
  | { readonly kind: "problems"; readonly problems: readonly GroundProblem[] };

/**
 * @param leftoversAllowed  asked only when there are any: the last window ended badly and the setting or the person hands its leftovers to the next one
 */
export async function checkGround(context: RunContext, leftoversAllowed: () => Promise<boolean>): Promise<GroundCheck> {
  const ground = await context.ground.latest();
  const problems = groundProblems(ground, { branch: context.branch });
  const areAllowed = problems.some((problem) => problem.kind === "dirty") && (await leftoversAllowed());
  const left = problems.filter((problem) => !(areAllowed && problem.kind === "dirty"));
  if (left.length > 0) return { kind: "problems", problems: left };
  const remarks = problems.map(
    (problem) =>
      `The tree holds uncommitted changes of an earlier window (${describeGroundProblem(problem)}). They are yours: finish and commit them, or take them back.`,
  );
  return { kind: "clean", ground, remarks };
}

export function groundQuestion(problems: readonly GroundProblem[]): QuestionDraft {
  const onlyDirt = problems.every((problem) => problem.kind === "dirty");
  return {
    source: "ground",
    text: `${problems.map(describeGroundProblem).join("; ")}. Shall the run go on?`,
    context: onlyDirt
      ? `"${goOn}" after you committed or stashed; "${nextWindow}" hands the changes to the next window; "${stopRun}" ends the run.`
      : `"${goOn}" after you mended it; "${stopRun}" ends the run.`,
    options: onlyDirt ? [goOn, nextWindow, stopRun] : [goOn, stopRun],
    defaultAnswer: null,
    deadlineAt: null,
    task: null,
  };
}
