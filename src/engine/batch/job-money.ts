/** What one attempt of a job may spend, and what it met on the way: our first refusal, the provider's trouble at its last call, a store that did not take a row. */
import type { BatchSettings } from "../../core/batch/settings.ts";
import { type Cap, callCap, capsOn, dateScopes, type Scope } from "../../core/money/cap.ts";
import type { JobClaim } from "../../ports/batch-store.ts";
import type { Admission, OpenCall } from "../../ports/calls.ts";
import type { Desk, Refusal } from "../calls/desk.ts";
import { createJobDesk } from "../calls/job-desk.ts";
import type { BatchContext } from "./context.ts";
import { describeTrouble } from "./provider-trouble.ts";

export interface JobMoney {
  readonly desk: Desk;
  /** The first that was about money or the request; one that came when the attempt was over says nothing of the job. */
  refusal(): Exclude<Refusal, { kind: "over" | "unguarded" }> | null;
  /** For people; null = its last call did not meet any. */
  trouble(): string | null;
  /** A call was not written down, so it did not leave, or its answer was not delivered. */
  bookFailure(): { readonly error: unknown } | null;
}

export function openJobMoney({ ports, batch, booker, onTheWay }: BatchContext, { key, attempt, fence, round }: JobClaim): JobMoney {
  const { settings, name } = batch;
  let refusal: Exclude<Refusal, { kind: "over" | "unguarded" }> | null = null;
  let trouble: string | null = null;
  let failure: { readonly error: unknown } | null = null;
  const parts = { booker, prices: ports.prices, clock: ports.clock, newCallId: ports.ids.newCallId, unpriced: settings.unpriced };
  const desk = createJobDesk(parts, {
    owner: { kind: "job", batch: name, job: key, attempt, fence, round },
    matching: settings.matching,
    onDivergence: settings.onDivergence,
    volatileFields: settings.volatile,
    scopes: (date) => scopesOf(name, key, date),
    caps: (date) => capsOf(settings, scopesOf(name, key, date)),
    onTheWay,
    refused(why) {
      if (why.kind !== "over" && why.kind !== "unguarded") refusal ??= why;
    },
    closed(result) {
      trouble = describeTrouble(result);
    },
  });
  const watched = watchBooking(desk, (error) => {
    failure = { error };
  });
  return { desk: watched, refusal: () => refusal, trouble: () => trouble, bookFailure: () => failure };
}

/** The same desk; a row that the store did not take is told, and is an error for the gateway as before. */
function watchBooking(desk: Desk, onFailure: (error: unknown) => void): Desk {
  async function told<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      onFailure(error);
      throw error;
    }
  }
  const watchCall = (call: OpenCall): OpenCall => ({ ...call, finish: (result) => told(call.finish(result)) });
  const watch = (admission: Admission): Admission =>
    admission.kind === "forward" ? { ...admission, call: watchCall(admission.call) } : admission;
  return { ...desk, begin: async (request) => watch(await told(desk.begin(request))) };
}

function scopesOf(batch: string, job: string, date: string): readonly Scope[] {
  return [{ kind: "job", id: job }, { kind: "batch", id: batch }, ...dateScopes(date)];
}

function capsOf(settings: BatchSettings, scopes: readonly Scope[]): readonly Cap[] {
  const { jobMicroUsd, batchMicroUsd, dayMicroUsd, monthMicroUsd, callMicroUsd } = settings;
  return [...callCap(callMicroUsd), ...capsOn(scopes, { job: jobMicroUsd, batch: batchMicroUsd, day: dayMicroUsd, month: monthMicroUsd })];
}
