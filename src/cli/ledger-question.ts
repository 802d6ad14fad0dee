/** The flags by which calls of the ledger are picked. */
import { MidwatchError } from "../core/error.ts";
import { type CallState, callStates } from "../core/money/call.ts";
import type { CallQuestion } from "../engine/ledger-calls.ts";
import type { JsonOption } from "./command.ts";

export interface LedgerFlags extends JsonOption {
  readonly run?: string;
  readonly window?: string;
  readonly batch?: string;
  readonly key?: string;
  readonly state?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: string;
}

export function questionOf(flags: LedgerFlags, now: number): CallQuestion {
  return {
    run: flags.run ?? null,
    window: flags.window === undefined ? null : wholeNumber("--window", flags.window),
    batch: flags.batch ?? null,
    key: flags.key ?? null,
    states: flags.state === undefined ? null : flags.state.split(",").map(stateOf),
    from: flags.since === undefined ? null : pointOf("--since", flags.since, now),
    to: flags.until === undefined ? null : pointOf("--until", flags.until, now),
  };
}

export function wholeNumber(flag: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new MidwatchError("usage", "E_FLAG", `${flag} ${text} is no number`, { hint: `such as ${flag} 3` });
}

function stateOf(text: string): CallState {
  const state = callStates.find((one) => one === text.trim());
  if (state !== undefined) return state;
  throw new MidwatchError("usage", "E_FLAG", `there is no state ${text}`, {
    hint: `there are ${callStates.join(", ")}; several with commas between`,
  });
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A date is that day's beginning, and a time without a zone is one, where the machine is. */
function pointOf(flag: string, text: string, now: number): number {
  const ago = /^(\d{1,6})([mhd])$/.exec(text);
  if (ago !== null) return now - Number(ago[1]) * (units[ago[2] ?? ""] ?? 0);
  const isTime = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?$/.test(text);
  const at = isTime ? Date.parse(text.length === 10 ? `${text}T00:00` : text.replace(" ", "T")) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new MidwatchError("usage", "E_FLAG", `${flag} ${text} is no time`, {
    hint: `such as ${flag} 2026-11-30, ${flag} 2026-11-30T22:00, or ${flag} 12h for so long ago`,
  });
}
