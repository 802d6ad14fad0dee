/** What is looked up rather than run: the ledger, and a person's word. */
import { judgeApproval } from "../../core/criteria/approval.ts";
import { judgeCost } from "../../core/criteria/cost.ts";
import type { Evaluate } from "./measuring.ts";

export const evaluateCost: Evaluate<"cost"> = async ({ spend }, criterion) => judgeCost(criterion, await spend());

export const evaluateApproval: Evaluate<"approval"> = async ({ approval }, criterion) => judgeApproval(await approval(criterion));
