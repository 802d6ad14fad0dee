/** What an agent or a job reads when a call of its is refused, and what stands in the log. One line that names the next step. */
import { exactAmount } from "../../core/money/amount.ts";
import type { Cap, CapKind, Spend } from "../../core/money/cap.ts";

const names: Readonly<Record<CapKind, string>> = {
  call: "a call",
  job: "this job",
  window: "this window",
  task: "this task",
  run: "this run",
  batch: "this batch",
  day: "the day",
  month: "the month",
};

/** For people: what was in the way, by how much, and what mends it. @param upperMicroUsd  the most that the call may cost */
export function capText(cap: Cap, spend: Spend, upperMicroUsd: number): string {
  const may = `the next call may cost up to US$ ${exactAmount(upperMicroUsd)}`;
  const mend = `raise the cap (${settings[cap.kind]}), or let answers be shorter (for Claude Code: CLAUDE_CODE_MAX_OUTPUT_TOKENS in agent.env)`;
  if (cap.kind === "call") return `${may}, and ${names.call} may cost US$ ${exactAmount(cap.microUsd)}; it was not made: ${mend}`;
  const left = Math.max(0, cap.microUsd - spend.spentMicroUsd - spend.heldMicroUsd);
  return `the money of ${names[cap.kind]} does not fund another call: US$ ${exactAmount(spend.spentMicroUsd)} of ${exactAmount(cap.microUsd)} are spent${held(spend)}, ${exactAmount(left)} are left, and ${may}; ${mend}`;
}

/** For whoever made the call. */
export function capMessage(cap: Cap, spend: Spend, upperMicroUsd: number): string {
  const reached =
    cap.kind === "call"
      ? `${names.call} may cost US$ ${exactAmount(cap.microUsd)}`
      : `US$ ${exactAmount(spend.spentMicroUsd)} of the US$ ${exactAmount(cap.microUsd)} of ${names[cap.kind]} are spent${held(spend)}`;
  return `midwatch: the cap is reached: ${reached}. This call may cost up to US$ ${exactAmount(upperMicroUsd)} and was not made; do not try again, end your turn.`;
}

const settings: Readonly<Record<CapKind, string>> = {
  call: "limits.call",
  job: "--job-cap",
  window: "limits.window",
  task: "limits.task",
  run: "limits.run, --max-usd",
  batch: "--cap",
  day: "limits.day",
  month: "limits.month",
};

function held({ heldMicroUsd, unknown }: Spend): string {
  if (heldMicroUsd === 0) return "";
  const of = unknown === 0 ? "open calls" : unknown === 1 ? "1 unknown call" : `${unknown} unknown calls`;
  return `, ${exactAmount(heldMicroUsd)} are held for ${of}`;
}

/** @param model  as the request named it */
export function unpricedText(model: string): string {
  const name = JSON.stringify(model.slice(0, 100));
  return `no price is known for the model ${name}, so no cap can hold. Set one, then go on: midwatch prices set ${name} --input … --output …`;
}

export function unpricedMessage(model: string): string {
  return `midwatch: the call was not made: ${unpricedText(model)}`;
}

export function divergedMessage(seq: number): string {
  return `midwatch: request ${seq} of this job is not the one that was recorded; nothing was spent. The program must ask the same in the same order when it is tried again.`;
}

export const overMessage = "midwatch: this window or job is over; the call was not made.";

export function unguardedMessage(tools: readonly string[]): string {
  const names = [...new Set(tools)].slice(0, 5).join(", ");
  return `the result of a tool call (${names}) that no guard has allowed: this window is over`;
}
