/** What an agent or a job reads when a call of its is refused, and what stands in the log. One line that names the next step. */
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

export function capMessage(cap: Cap, spend: Spend): string {
  const of = `US$ ${dollars(cap.microUsd)} of ${names[cap.kind]}`;
  if (cap.kind === "call") return `midwatch: this call may cost more than the ${of}; it was not made. Ask for fewer tokens.`;
  return `midwatch: the cap is reached: US$ ${dollars(spend.spentMicroUsd)}${held(spend)} of the ${of} are spent, and this call may cost more than is left. It was not made; do not try again, end your turn.`;
}

function held({ heldMicroUsd }: Spend): string {
  return heldMicroUsd === 0 ? "" : ` (and US$ ${dollars(heldMicroUsd)} held for calls whose cost is not known yet)`;
}

export function unpricedMessage(model: string): string {
  return `midwatch: no price is known for the model ${JSON.stringify(model.slice(0, 100))}, so no cap can hold; the call was not made. Next: midwatch prices set MODEL --input … --output …`;
}

export function divergedMessage(seq: number): string {
  return `midwatch: request ${seq} of this job is not the one that was recorded; nothing was spent. The program must ask the same in the same order when it is tried again.`;
}

export const overMessage = "midwatch: this window or job is over; the call was not made.";

/** Four places: a call may cost less than a cent. */
function dollars(microUsd: number): string {
  return (microUsd / 1_000_000).toFixed(microUsd % 10_000 === 0 ? 2 : 4);
}
