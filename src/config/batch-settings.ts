/** What a batch is frozen with when it is added, as far as the settings say it: the file's words become the core's integers. */
import type { BatchDefaults } from "../core/batch/defaults.ts";
import { microUsd, microUsdOrNull } from "../core/money/amount.ts";
import { durationMs } from "./duration.ts";
import type { ResolvedConfig } from "./load.ts";

const mib = 1024 * 1024;

export function batchDefaults({ value: { batch, limits, gateway } }: Pick<ResolvedConfig, "value">): BatchDefaults {
  return {
    slots: batch.slots,
    attempts: batch.attempts,
    leaseMs: durationMs(batch.lease),
    jobMs: durationMs(batch.time),
    graceMs: durationMs(limits.graceTime),
    maxAnswerBytes: batch.answerMiB * mib,
    maxJobBytes: batch.jobMiB * mib,
    batchMicroUsd: microUsd(batch.cap),
    jobMicroUsd: microUsdOrNull(batch.jobCap),
    callMicroUsd: microUsdOrNull(limits.call),
    dayMicroUsd: microUsdOrNull(limits.day),
    monthMicroUsd: microUsdOrNull(limits.month),
    unpriced: gateway.unpriced,
  };
}

/** The same for a version of an evaluation, which has a budget of its own (E7). */
export function evaluationDefaults({ value }: Pick<ResolvedConfig, "value">) {
  const { keyEnv, provider, cap, jobCap, day, month } = value.eval;
  const budget = {
    batchMicroUsd: microUsd(cap),
    jobMicroUsd: microUsdOrNull(jobCap),
    dayMicroUsd: microUsdOrNull(day),
    monthMicroUsd: microUsdOrNull(month),
  };
  return { batch: { ...batchDefaults({ value }), ...budget }, key: { variable: keyEnv, provider } };
}
