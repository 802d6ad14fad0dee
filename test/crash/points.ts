/** The names of all fault points, read from the source: each of them must be swept somewhere in this lane. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const source = join(import.meta.dirname, "../../src");

/** Passed by no night that is only started once: `recovery.test.ts` sweeps them. */
export const recoveryPoints: readonly string[] = [
  ...["recovery.criteria-ended", "recovery.found", "recovery.swept"],
  ...["setSupervisor", "setRequest"].flatMap(aroundCommit),
];

/** Only passed when a person starts a left run again with other settings, or by those who share a board: the store's own contract kills there. */
export const contractPoints: readonly string[] = [
  "setSettings",
  ...["putOnBoard", "moveOnBoard", "tellMember", "joinTeam", "setActivity", "claimTask", "renewTasks", "releaseTasks"],
].flatMap(aroundCommit);

/** Of a board's run, between its task and its window: `team.test.ts` kills there. */
export const teamPoints: readonly string[] = ["task.taken"];

/** Only passed where calls go through the gateway: the ledger's own contract kills there. */
export const ledgerPoints: readonly string[] = [
  ...["openCalls", "closeCalls", "reportCalls", "markSubagents", "giveUpCalls", "sweepAnswers"].flatMap(aroundCommit),
  "answer.written",
];

/** Only passed by batches: the batch store's own contract kills there. */
export const batchStorePoints: readonly string[] = [
  ...["addBatch", "addJobs", "clearJobs", "setBatchState", "setBatchRequest", "setBatchSettings"],
  ...["returnSeat", "claimJob", "renewClaims", "finishJob", "retryJobs"],
].flatMap(aroundCommit);

/** Of a call that passes through the gateway: `money.test.ts` sweeps them, together with those of the ledger that such a night passes. */
export const callPoints: readonly string[] = ["call.opened", "call.answered", "call.closed"];

/** Of a batch's supervisor: `batch.test.ts` sweeps them. */
export const batchPoints: readonly string[] = [
  ...["seat.swept", "seat.calls-given-up", "seat.taken"],
  ...["attempt.before-start", "attempt.ended", "attempt.before-finish", "attempt.finished"],
  ...["setBatchRequest", "setBatchState", "setBatchWait", "claimJob", "finishJob", "returnSeat"].flatMap(aroundCommit),
];

/** Of a claim that asks a person: `person-claims.test.ts` sweeps them. */
export const claimPoints: readonly string[] = ["approval.asked", "returns.asked"];

/** Where a batch moves to a file of its own, and back: `batch-archive.test.ts` sweeps them. */
export const archivePoints: readonly string[] = [
  ...["archive.written", "archive.placed", "archive.restored"],
  ...["archiveBatch", "restoreBatch"].flatMap(aroundCommit),
];

/** Before there is a run: `beginning.test.ts` sweeps them. */
export const beginningPoints: readonly string[] = [
  ...["exclude.temp-written", "exclude.renamed"],
  ...["branch.before-create", "branch.created", "branch.checked-out"],
];

/** A write of the store has a point before its commit and one after it. */
function aroundCommit(step: string): readonly string[] {
  return [`store.${step}.before-commit`, `store.${step}.after-commit`];
}

export function namedPoints(): readonly string[] {
  const text = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(source, name), "utf8"))
    .join("\n");
  const named = [...text.matchAll(/faultPoint\("([^"]+)"\)/g)].map(([, name]) => name ?? "");
  const steps = [...text.matchAll(/db\.write\("(\w+)"/g)].flatMap(([, step]) => aroundCommit(step ?? ""));
  return [...new Set([...named, ...steps])].sort();
}
