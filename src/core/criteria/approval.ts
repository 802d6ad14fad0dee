/** `approval: The page looks right, show docs/shot.png`: a person says yes to the tree as it is. */
import type { Check, Evidence } from "../evidence.ts";
import type { ApprovalCriterion, Criterion, CriterionParse } from "./criterion.ts";
import { pathFault } from "./path.ts";
import { unquote } from "./words.ts";

const forms = "write `approval: WHAT A PERSON LOOKS AT`, and `, show PATH` where there is something to see";

export function parseApproval(text: string, value: string): CriterionParse {
  const place = [...value.matchAll(/,\s+(?:show|shows|mostra|mostrar|veja)\s+/gi)].at(-1);
  const statement = (place === undefined ? value : value.slice(0, place.index)).trim();
  if (!/[\p{L}\p{N}]/u.test(statement)) return { kind: "malformed", text, reason: `nothing is to be approved: ${forms}` };
  if (/[\u0000-\u001f]/.test(statement)) return { kind: "malformed", text, reason: "it has a control character" };
  if (place === undefined) return { kind: "approval", text, statement, show: null };
  const path = unquote(value.slice(place.index + place[0].length).trim()) ?? "";
  const fault = /\s/.test(path) && !/["'`“]/.test(value.at(-1) ?? "") ? forms : pathFault(path);
  return fault === null ? { kind: "approval", text, statement, show: path } : { kind: "malformed", text, reason: fault };
}

/** What a person has said of it so far. */
export type ApprovalStanding =
  /** Nobody was asked about this tree. */
  | { readonly kind: "not-asked"; readonly changedSince: boolean }
  | { readonly kind: "open"; readonly question: string }
  | { readonly kind: "yes" }
  | { readonly kind: "no"; readonly words: string };

export function judgeApproval(standing: ApprovalStanding): Check {
  switch (standing.kind) {
    case "yes":
      return { verdict: "holds", detail: "a person said yes to this tree" };
    case "no":
      return { verdict: "fails", detail: `a person said no${standing.words === "" ? "" : `: ${standing.words}`}` };
    case "open":
      return { verdict: "cannot-tell", detail: `${standing.question} waits for a person` };
    case "not-asked":
      return {
        verdict: "cannot-tell",
        detail: standing.changedSince ? "the code has changed since a person said yes" : "no person was asked yet",
      };
  }
}

/** The criteria of the task that a person has still to be asked about, where nothing else stands against the claim. */
export function approvalsToAsk(
  { criteria }: { readonly criteria: readonly Criterion[] },
  evidence: readonly Evidence[],
): readonly ApprovalCriterion[] {
  const open = new Set(evidence.filter(isOpenApproval).map(({ criterion }) => criterion));
  const isElseFine = evidence.every((one) => one.verdict === "holds" || one.countsFrom !== undefined || isOpenApproval(one));
  return isElseFine ? criteria.filter((one) => one.kind === "approval").filter(({ text }) => open.has(text)) : [];
}

function isOpenApproval({ kind, verdict, countsFrom }: Evidence): boolean {
  return kind === "approval" && verdict === "cannot-tell" && countsFrom === undefined;
}
