/** What is left to be answered, and what that will cost: told before the first request leaves. */

import { fillTemplate } from "../../core/batch/template.ts";
import { type EvaluationPrice, type PricePerJob, priceOf } from "../../core/eval/price.ts";
import { committedMicroUsd, noSpend } from "../../core/money/cap.ts";
import { upperEstimate } from "../../core/money/estimate.ts";
import type { BatchRecord } from "../../ports/batch-store.ts";
import type { EvaluationRecord, EvaluationSets } from "../../ports/evaluation-sets.ts";
import type { Prices } from "../../ports/prices.ts";
import type { Store } from "../../ports/store.ts";
import { jobPages } from "../batch/all-jobs.ts";
import { batchName } from "./add.ts";

export interface PriceParts {
  readonly store: Store;
  readonly sets: EvaluationSets;
  readonly prices: () => Promise<Prices>;
  readonly now: number;
}

export async function evaluationPrice(parts: PriceParts, evaluation: EvaluationRecord, batch: BatchRecord): Promise<EvaluationPrice> {
  const { store } = parts;
  const { pending, running } = await store.batches.counts(batch.name);
  const [spend] = await store.ledger.spend([{ kind: "batch", id: batch.name }]);
  const leftMicroUsd = Math.max(0, batch.settings.batchMicroUsd - committedMicroUsd(spend ?? noSpend));
  const each = (await lastCost(parts, evaluation)) ?? (await upperCost(parts, batch));
  return priceOf(pending + running, each, leftMicroUsd);
}

/** Of this version, where some of its jobs have ended; else of the latest one that has such. Another one that asked no model says nothing of this one. */
async function lastCost({ store, sets }: PriceParts, { name, version }: EvaluationRecord): Promise<PricePerJob | null> {
  const others = sets.versions(name).filter((one) => one.version !== version);
  for (const one of [version, ...others.map((other) => other.version)]) {
    const id = batchName(name, one);
    const [{ done, failed }, [spend]] = await Promise.all([store.batches.counts(id), store.ledger.spend([{ kind: "batch", id }])]);
    const paid = committedMicroUsd(spend ?? noSpend);
    const tells = done > 0 && (one === version || (spend?.calls ?? 0) > 0);
    if (tells) return { kind: "last-run", version: one, microUsd: Math.ceil(paid / (done + failed)) };
  }
  return null;
}

async function upperCost(parts: PriceParts, batch: BatchRecord): Promise<PricePerJob> {
  const { work, jobMicroUsd } = batch.settings;
  const estimate = work.kind === "prompt" ? await dearestRequest(parts, batch, work) : null;
  if (estimate !== null && (jobMicroUsd === null || estimate <= jobMicroUsd)) return { kind: "estimate", microUsd: estimate };
  return jobMicroUsd === null ? { kind: "unknown" } : { kind: "job-cap", microUsd: jobMicroUsd };
}

/** Of a request's body, beside the prompt and the schema. */
const envelopeBytes = 1000;

/** Null = no price of the model is known. */
async function dearestRequest(
  { store, prices, now }: PriceParts,
  { name }: BatchRecord,
  { provider, model, template, schema, maxOutputTokens }: Extract<BatchRecord["settings"]["work"], { kind: "prompt" }>,
): Promise<number | null> {
  const price = (await prices()).of(provider, model, now);
  if (price === null) return null;
  const schemaBytes = schema === null ? 0 : bytesOf(schema);
  let most = 0;
  for await (const jobs of jobPages(store.batches, name))
    for (const { id } of jobs) {
      const filled = fillTemplate(template, JSON.parse((await store.batches.payload(name, id)) ?? "{}"));
      most = Math.max(most, filled.kind === "text" ? bytesOf(filled.text) : 0);
    }
  return upperEstimate({ bodyBytes: most + schemaBytes + envelopeBytes, maxOutputTokens, answers: 1, writesCache: false }, price);
}

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;
