/**
 * The limits that a batch shares with everything else we pay for, when it is run again: today's are taken, lower or higher. One that today's settings do not name stays
 * as it is: another folder or another shell must not lift a limit without a word.
 */
import type { BatchSettings } from "./settings.ts";

export const sharedLimits = { callMicroUsd: "limits.call", dayMicroUsd: "limits.day", monthMicroUsd: "limits.month" } as const;
type SharedLimit = keyof typeof sharedLimits;
type Limits = Pick<BatchSettings, SharedLimit>;

export interface LimitsToday {
  readonly limits: Limits;
  readonly taken: readonly { readonly name: string; readonly wasMicroUsd: number | null; readonly nowMicroUsd: number }[];
  /** Set in the batch, and not named today. */
  readonly kept: readonly { readonly name: string; readonly microUsd: number }[];
}

export function limitsToday(had: Limits, today: Limits): LimitsToday {
  const fields = Object.keys(sharedLimits) as readonly SharedLimit[];
  const limits = Object.fromEntries(fields.map((field) => [field, today[field] ?? had[field]])) as unknown as Limits;
  return {
    limits,
    taken: fields.flatMap((field) => {
      const [was, now] = [had[field], today[field]];
      return now === null || now === was ? [] : [{ name: sharedLimits[field], wasMicroUsd: was, nowMicroUsd: now }];
    }),
    kept: fields.flatMap((field) => {
      const was = had[field];
      return today[field] === null && was !== null ? [{ name: sharedLimits[field], microUsd: was }] : [];
    }),
  };
}
