/** What to do when the books and a witness do not agree. */
import type { Difference, PerCallResult } from "../core/money/reconcile/per-call.ts";
import type { Reconciliation } from "../engine/ledger-reconcile.ts";

export function nextStep({ kind, log, result }: Reconciliation): string {
  if (kind === "buckets")
    return result.uncovered > 0 ? "ask for the export of the whole time, or say less with --since and --until" : bucketStep;
  const other = otherFile(result);
  if (other !== null) return other;
  if (log.hasMore || (log.unreadable > 0 && result.differences.length === 0)) return "fetch the file again, whole, and compare once more";
  const found = steps.find(([kinds]) => result.differences.some((one) => kinds.includes(one.kind)));
  return found?.[1] ?? "look at the lines above; docs/ledger.md says what each means";
}

const bucketStep = "use a key of its own for your nights, or let the reports come in (they lag by hours) and fetch the export again";

/** Most of it matches nothing: then it is likely another file, or more was asked for than it tells of. */
function otherFile({ calls, charges, differences }: PerCallResult): string | null {
  const number = (kind: Difference["kind"]) => differences.filter((one) => one.kind === kind).length;
  if (number("charged-not-booked") * 2 > charges && charges > 2)
    return "most charges are of nobody here: is it the file of this key? Say which calls are meant with --run ID, --batch NAME or --since TIME";
  if (number("only-in-ledger") * 2 > calls && calls > 2)
    return "most calls are not in the file: fetch the whole of that time, or say which are meant with --run ID, --batch NAME or --since TIME";
  return null;
}

/** The worst first. */
const steps: readonly (readonly [kinds: readonly Difference["kind"][], step: string])[] = [
  [["charged-twice"], "keep the file and stop what runs: one request was billed twice, which must not happen; docs/runbook/night-batch.md"],
  [["charged-not-booked"], "find what else uses this key, or went past the gateway, before the next night"],
  [["charged-though-refused"], "ask the provider why it charged what it refused"],
  [["only-in-ledger"], "fetch the file again later: charges lag by minutes to hours"],
  [
    ["amount-differs", "tokens-differ", "outside-estimate"],
    "look for a discount, a surcharge or an old price: midwatch prices show MODEL, midwatch prices set MODEL",
  ],
];
