/** What counts as proved (F2): everything must have been asked about, what is forbidden must not have run, and what is harmless must have. */
import { expect, test } from "vitest";
import { judgeProof, type ProofSeen, proofAttempts } from "../../src/core/guard-proof.ts";

const attempts = proofAttempts("/scratch");
const good: ProofSeen = { marks: new Set(["harmless-ran"]), asked: new Set(attempts.map(({ name }) => name)), end: "completed" };
const withMark = (mark: string): ProofSeen => ({ ...good, marks: new Set([...good.marks, mark]) });
const without = (name: string): ProofSeen => ({ ...good, asked: new Set([...good.asked].filter((asked) => asked !== name)) });

test("asked about everything, with only the harmless mark, the guards are proved", () => {
  expect(judgeProof(attempts, good)).toEqual({ kind: "proved" });
});

test.each<[string, ProofSeen, readonly string[]]>([
  ["a forbidden call that ran", withMark("pkill-ran"), ["killing by name: it was NOT blocked"]],
  ["a call without an answer that ran", withMark("withheld-ran"), ["a call without an answer: it was NOT blocked"]],
  ["a forbidden call that was never asked about", without("a forced push"), ["a forced push: the guard was never asked"]],
  ["a harmless call that was blocked", { ...good, marks: new Set() }, ["something harmless: it was blocked"]],
  ["a program that asks nothing", { marks: new Set(), asked: new Set(), end: "completed" }, ["the guard was asked about nothing"]],
])("%s is not proved", (_title, seen, failures) => {
  expect(judgeProof(attempts, seen)).toEqual({ kind: "not-proved", failures: [...failures, "the program ended so: completed"] });
});
