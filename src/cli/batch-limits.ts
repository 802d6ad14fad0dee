/** What `batch run` changes in a batch before it begins: caps that the person gives, and the shared limits as they are today. */
import { type LimitsToday, limitsToday } from "../core/batch/limits.ts";
import { MidwatchError } from "../core/error.ts";
import { readAmount } from "../core/money/amount.ts";
import type { Store } from "../ports/store.ts";
import type { App, LoadedConfig } from "./app.ts";
import type { JsonOption } from "./command.ts";
import { tell } from "./layout.ts";
import { exactMoney } from "./print.ts";

export interface BatchCapFlags extends JsonOption {
  /** US$; instead of what it was added with, from now on. */
  readonly cap?: string;
  readonly jobCap?: string;
}

interface Parts {
  readonly store: Store;
  readonly name: string;
  readonly flags: BatchCapFlags;
  readonly today: LoadedConfig["batch"];
}

/** A person's word: a batch that paused at a cap goes on with another. A batch that is not there is told of where it is run. */
export async function setCaps(app: App, { store, name, flags, today }: Parts): Promise<void> {
  const caps = capsOf(flags);
  const batch = await store.batches.batch(name);
  if (batch === null || batch.state === "archived") return;
  const { limits, taken, kept } = limitsToday(batch.settings, today);
  if (taken.length + Object.keys(caps).length > 0)
    await store.batches.setSettings(name, { ...batch.settings, ...limits, ...caps }, app.clock.now());
  const line = limitsText({ taken, kept });
  if (line === "") return;
  if (flags.json) app.terminal.out(`${JSON.stringify({ kind: "limits", taken, kept })}\n`);
  else tell(app.terminal, line);
}

function limitsText({ taken, kept }: Pick<LimitsToday, "taken" | "kept">): string {
  const amount = (microUsd: number | null) => (microUsd === null ? "none" : exactMoney(microUsd));
  const changes = taken.map((one) => `${one.name} ${exactMoney(one.nowMicroUsd)} (was ${amount(one.wasMicroUsd)})`);
  return [
    ...(changes.length === 0 ? [] : [`today's limits are taken: ${changes.join(", ")}`]),
    ...kept.map(({ name, microUsd }) => `it keeps its ${name} of ${exactMoney(microUsd)}, which today's settings do not name`),
  ].join("; ");
}

function capsOf({ cap, jobCap }: BatchCapFlags) {
  return {
    ...(cap === undefined ? {} : { batchMicroUsd: microUsdOf("--cap", cap) }),
    ...(jobCap === undefined ? {} : { jobMicroUsd: microUsdOf("--job-cap", jobCap) }),
  };
}

function microUsdOf(flag: string, text: string): number {
  const amount = readAmount(text) ?? 0;
  if (amount > 0 && amount <= 1e12) return amount;
  throw new MidwatchError("usage", "E_CAP", `${flag} ${JSON.stringify(text)} is no amount in US$ above 0`, {
    hint: `such as ${flag} 25.50`,
  });
}
