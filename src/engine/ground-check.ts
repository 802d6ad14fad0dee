/** Before each window the tree is looked at (A2). What is not in order is the person's decision, never mended by us. */
import { describeGroundProblem, type GroundProblem, type GroundState, groundProblems } from "../core/ground.ts";
import { goOn, nextWindow, type QuestionDraft, stopRun } from "../core/question.ts";
import type { RunContext } from "./context.ts";

export type GroundCheck =
  | { readonly kind: "clean"; readonly ground: GroundState; readonly remarks: readonly string[] }
  | { readonly kind: "problems"; readonly problems: readonly GroundProblem[] };

/**
 * @param leftoversAllowed  asked only when there are any: the last window ended badly and the setting or the person hands its leftovers to the next one
 */
export async function checkGround(context: RunContext, leftoversAllowed: () => Promise<boolean>): Promise<GroundCheck> {
  const ground = await context.ports.workspace.inspect(context.settings.bookkeeping);
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
    text: problems.map(describeGroundProblem).join("; "),
    context: onlyDirt
      ? `"${goOn}" after you committed or stashed; "${nextWindow}" hands the changes to the next window; "${stopRun}" ends the run.`
      : `"${goOn}" after you mended it; "${stopRun}" ends the run.`,
    options: onlyDirt ? [goOn, nextWindow, stopRun] : [goOn, stopRun],
    defaultAnswer: null,
    deadlineAt: null,
    task: null,
  };
}
