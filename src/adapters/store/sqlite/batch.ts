/** The families of the batch's statements joined to their port. */
import type { BatchStore } from "../../../ports/batch-store.ts";
import type { AnswerFiles } from "./answers.ts";
import { addBatch, findBatch, listBatches, readBatchRequest, setBatchRequest, setBatchSettings, setBatchState } from "./batch-batches.ts";
import { claimJob, renewClaims, returnSeat } from "./batch-claims.ts";
import { finishJob } from "./batch-ends.ts";
import { addJobs, addList, retryJobs } from "./batch-jobs.ts";
import { answerOfJob, attemptsOf, countJobs, failureOf, findJob, listJobs, nextChangeAt, payloadOf } from "./batch-lists.ts";
import { listLeases, listWaits, setWait } from "./batch-waits.ts";
import type { Database } from "./database.ts";

export function joinBatches(db: Database, files: AnswerFiles): BatchStore {
  return {
    addBatch: async (batch, now) => addBatch(db, batch, now),
    addList: async (batch, jobs, now) => addList(db, batch, jobs, now),
    addJobs: async (batch, jobs, now) => addJobs(db, batch, jobs, now),
    batch: async (name) => db.read(() => findBatch(db, name)),
    batches: async () => db.read(() => listBatches(db)),
    counts: async (batch) => db.read(() => countJobs(db, batch)),
    setState: async (batch, state, reason, now) => setBatchState(db, { batch, state, reason, now }),
    setSettings: async (batch, settings) => setBatchSettings(db, batch, settings),
    setRequest: async (batch, request) => setBatchRequest(db, batch, request),
    request: async (batch) => db.read(() => readBatchRequest(db, batch)),

    returnSeat: async (batch, seat, now) => returnSeat(db, batch, seat, now),
    claim: async (batch, slot, leaseMs, now) => claimJob(db, { batch, slot, leaseMs, now }),
    renew: async (claims, leaseMs, now) => renewClaims(db, claims, leaseMs, now),
    finish: async (claim, end, now) => finishJob(db, files, claim, end, now),
    nextChangeAt: async (batch) => db.read(() => nextChangeAt(db, batch)),
    retry: async (batch, ids, _now, how = "again") => retryJobs(db, batch, ids, how),

    setWait: async (batch, seat, wait) => setWait(db, batch, seat, wait),
    waits: async (batch) => db.read(() => listWaits(db, batch)),
    leases: async (batch) => db.read(() => listLeases(db, batch)),

    job: async (batch, id) => db.read(() => findJob(db, batch, id)),
    jobs: async (batch, filter) => db.read(() => listJobs(db, batch, filter)),
    payload: async (batch, id) => db.read(() => payloadOf(db, batch, id)),
    attempts: async (batch, id) => db.read(() => attemptsOf(db, batch, id)),
    answer: async (batch, id) => db.read(() => answerOfJob(db, files, batch, id)),
    failure: async (batch, id) => db.read(() => failureOf(db, batch, id)),
  };
}
