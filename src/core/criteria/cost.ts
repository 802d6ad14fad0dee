/** `cost: at most 2.50`: what the ledger has for the task, in US$. */
import type { Check } from "../evidence.ts";
import { dollars } from "../money/amount.ts";
import { committedMicroUsd, type Spend } from "../money/cap.ts";
import { afterPhrase, readConditions } from "./conditions.ts";
import type { CostCriterion, CriterionParse } from "./criterion.ts";

const forms = "write `at most 2.50`, in US$";

export function parseCost(text: string, value: string): CriterionParse {
  const read = readConditions(value);
  const rest = read.kind === "read" && read.value.length === 1 ? afterPhrase(read.value[0] ?? [], ["at most", "no maximo"]) : null;
  const words = rest?.filter(({ kind, value: word }) => !(kind === "word" && /^(usd|us\$|\$)$/i.test(word))) ?? [];
  const amount = words.length === 1 && words[0]?.kind === "word" ? /^(?:us)?\$?(\d{1,9})(?:[.,](\d{1,6}))?$/i.exec(words[0].value) : null;
  if (amount === null) return { kind: "malformed", text, reason: forms };
  const atMostMicroUsd = Number(amount[1]) * 1_000_000 + Number((amount[2] ?? "").padEnd(6, "0"));
  return { kind: "cost", text, atMostMicroUsd };
}

/** @param spend  of the task; null = there is no ledger for it */
export function judgeCost({ atMostMicroUsd }: CostCriterion, spend: Spend | null): Check {
  if (spend === null)
    return { verdict: "cannot-tell", detail: "there is no ledger of this task: its calls do not pass through the gateway" };
  const figures = { microUsd: spend.spentMicroUsd, calls: spend.calls };
  const most = committedMicroUsd(spend);
  const sum = `${dollars(spend.spentMicroUsd)} for ${spend.calls === 1 ? "1 call" : `${spend.calls} calls`}`;
  if (spend.spentMicroUsd > atMostMicroUsd)
    return { verdict: "fails", detail: `${sum}, at most ${dollars(atMostMicroUsd)} are allowed`, figures };
  if (most > atMostMicroUsd)
    return { verdict: "cannot-tell", detail: `${sum}, and it may be ${dollars(most)}: some calls are open or of unknown cost`, figures };
  return { verdict: "holds", detail: sum, figures };
}
