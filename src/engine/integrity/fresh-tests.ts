/** How many tests are new: they pass at HEAD, were not there at the last accepted claim, and fail where the change is taken out. */
import type { TestsCriterion } from "../../core/criteria/criterion.ts";
import type { TestReport } from "../../core/criteria/test-report/report.ts";
import { countFresh } from "../../core/integrity/fresh.ts";
import { isTestFile } from "../../core/integrity/test-files.ts";
import type { RunContext } from "../context.ts";
import type { Measuring } from "../criteria/measuring.ts";
import { measureTests } from "../criteria/tests.ts";
import { type ClaimedCommit, readClaimChange } from "./claim-change.ts";
import { inCopy, placed } from "./trials.ts";

/** Null = it could not be measured, for want of a copy or of time. @param measuring  of the tree itself */
export async function freshTests(
  context: RunContext,
  measuring: Measuring,
  { criterion, report, commit, started }: ClaimedCommit & { readonly criterion: TestsCriterion; readonly report: TestReport },
): Promise<number | null> {
  const change = await readClaimChange(context, { commit, started });
  if (change === null) return null;
  const { last, changes } = change;
  const work = changes.filter(({ path }) => !isTestFile(path)).map(({ path }) => path);
  const read = async (folder: string) => {
    const measured = await measureTests(placed(measuring, folder), criterion);
    return { report: measured?.reading.kind === "report" ? measured.reading.report : null };
  };
  const before = last === "" ? { report: null } : await inCopy(context, { commit: last }, read);
  const without = await inCopy(context, { commit, bend: (copy) => copy.put(last, work) }, read);
  if (before === null || without === null || measuring.stop.isSaid()) return null;
  return countFresh(report, before.report, without.report);
}
