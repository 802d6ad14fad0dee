/** `midwatch criteria try LINE`. */
import { parseCriterion } from "../core/criteria/parse.ts";
import { MidwatchError } from "../core/error.ts";
import { exitCodeOfCriteria } from "../core/exit-codes.ts";
import type { App } from "./app.ts";
import { type CriteriaFlags, measureByHand, placeOf, showEvidence } from "./criteria-bench.ts";
import { json } from "./print.ts";

export async function criteriaTryCommand(app: App, line: string, flags: CriteriaFlags): Promise<number> {
  const criterion = parseCriterion(line);
  if (criterion.kind === "malformed")
    throw new MidwatchError("usage", "E_CRITERION", `${criterion.text} cannot be checked: ${criterion.reason}`);
  if (criterion.kind === "prose")
    throw new MidwatchError("usage", "E_CRITERION", `${line} is prose: it is told to the agent and never measured`, {
      hint: "a line that is measured starts with a label, see docs/criteria.md; for example: midwatch criteria try 'run: npm test'",
    });
  const place = await placeOf(app, null);
  const evidence = await measureByHand(app, { ...place, criteria: [criterion], flags, spend: async () => null });
  if (flags.json) app.terminal.out(json(evidence[0]));
  else showEvidence(app, evidence);
  return exitCodeOfCriteria(evidence);
}
