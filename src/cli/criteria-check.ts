/** `midwatch criteria check TASK`. */
import { MidwatchError } from "../core/error.ts";
import { isVerified } from "../core/evidence.ts";
import { exitCodeOfCriteria } from "../core/exit-codes.ts";
import { taskSpend } from "../engine/spent.ts";
import type { App } from "./app.ts";
import { type CriteriaFlags, measureByHand, placeOf, showEvidence } from "./criteria-bench.ts";
import { showLines } from "./layout.ts";
import { lookAtPlan } from "./plan-look.ts";
import { json, plain } from "./print.ts";
import { withStore } from "./take-up.ts";

export async function criteriaCheckCommand(app: App, key: string, flags: CriteriaFlags & { readonly plan?: string }): Promise<number> {
  const place = await placeOf(app, flags.plan ?? null);
  const { top } = place.workspace.location;
  const { plan } = place.settings;
  const { tasks } = await lookAtPlan(app, place.workspace, plan);
  const task = tasks.find((one) => one.key.toLowerCase() === key.toLowerCase());
  if (task === undefined)
    throw new MidwatchError("usage", "E_TASK_UNKNOWN", `there is no task ${key} in ${plan.path}`, {
      hint: "see them with: midwatch run --dry-run",
    });
  const spend = () => withStore(app, null, (store) => taskSpend(store, `${top}/${plan.path}`, task.key));
  const evidence = await measureByHand(app, { ...place, criteria: task.criteria, flags, spend });
  const told = task.criteria.filter(({ kind }) => kind === "prose").map(({ text }) => text);
  if (flags.json)
    app.terminal.out(
      json({ task: task.key, title: task.title, evidence, told, verified: exitCodeOfCriteria(evidence) === 0 && isVerified(evidence) }),
    );
  else {
    showEvidence(app, evidence);
    showLines(
      app.terminal,
      told.map((text) => `told  ${plain(text)}`),
    );
    if (evidence.length === 0)
      showLines(app.terminal, [`nothing of ${plain(task.key)} is measured: a claim is taken, and reported as claimed, unchecked`]);
  }
  return exitCodeOfCriteria(evidence);
}
