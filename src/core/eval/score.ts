/** How good an answer is, from 0 to 1, by its reference. What a scorer cannot tell is no score: it counts for nothing, and is said. */
import { readJson, sameValue } from "../json.ts";
import { fieldOf } from "./question.ts";
import { referenceObject, type Scorer } from "./scorer.ts";

export type Score =
  | { readonly kind: "scored"; readonly score: number; readonly why: string }
  | { readonly kind: "unscored"; readonly why: string };

/** White space at the end of an answer is none of it. */
export function scoreAnswer(scorer: Exclude<Scorer, { kind: "program" }>, expected: unknown, answer: string): Score {
  const text = answer.trimEnd();
  switch (scorer.kind) {
    case "exact":
      return isExact(expected, text) ? right : wrong("it is another answer");
    case "regex":
      return new RegExp(String(expected), "u").test(text) ? right : wrong("the pattern is not in it");
    case "json":
      return scoreFields(scorer.fields, expected, text);
  }
}

const right: Score = { kind: "scored", score: 1, why: "" };
const wrong = (why: string): Score => ({ kind: "scored", score: 0, why });

/** A reference that is no text is a JSON value, and so must the answer be. */
function isExact(expected: unknown, text: string): boolean {
  return typeof expected === "string" ? text === expected.trimEnd() : sameValue(readJson(text), expected);
}

function scoreFields(fields: readonly string[], expected: unknown, text: string): Score {
  const answer = readJson(text);
  if (typeof answer !== "object" || answer === null) return wrong("it is no JSON object");
  const reference = referenceObject(expected);
  const differing = fields.filter((field) => !sameValue(fieldOf(answer, field), fieldOf(reference, field)));
  const score = (fields.length - differing.length) / fields.length;
  return { kind: "scored", score, why: differing.length === 0 ? "" : `differs in ${differing.join(", ")}` };
}

/** What a scorer program printed: a number from 0 to 1, or `{"score": …, "why": "…"}`. */
export function readScore(printed: string): Score {
  const value = readJson(printed);
  const score = typeof value === "number" ? value : fieldOf(value, "score");
  const why = fieldOf(value, "why");
  if (typeof score === "number" && score >= 0 && score <= 1) return { kind: "scored", score, why: typeof why === "string" ? why : "" };
  return { kind: "unscored", why: `the scorer printed ${quoted(printed)}, which is no score from 0 to 1` };
}

function quoted(text: string): string {
  const shown = text.trim();
  return shown === "" ? "nothing" : JSON.stringify(shown.length <= 60 ? shown : `${shown.slice(0, 59)}…`);
}
