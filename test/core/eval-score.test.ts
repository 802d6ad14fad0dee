/** Scorers, references and the words for them, as tables. */
import { describe, expect, test } from "vitest";
import { questionText, splitLine } from "../../src/core/eval/question.ts";
import { readScore, type Score, scoreAnswer } from "../../src/core/eval/score.ts";
import { formatScorer, parseScorer, referenceTrouble, type Scorer } from "../../src/core/eval/scorer.ts";

const fields: Scorer = { kind: "json", fields: ["a", "b.c"] };

test.each<[string, Scorer | null]>([
  ["exact", { kind: "exact" }],
  ["regex", { kind: "regex" }],
  ["json:a,b.c", fields],
  ["program:/bin/score it", { kind: "program", path: "/bin/score it" }],
  ["json:", null],
  ["json:a,,b", null],
  ["program:", null],
  ["Exact", null],
  ["", null],
])("%j as a scorer", (text, scorer) => {
  expect(parseScorer(text)).toEqual(scorer);
  if (scorer !== null) expect(formatScorer(scorer)).toBe(text);
});

const right: Score = { kind: "scored", score: 1, why: "" };
const wrong = (why: string, score = 0): Score => ({ kind: "scored", score, why });

test.each<[string, Exclude<Scorer, { kind: "program" }>, unknown, string, Score]>([
  ["the same text is right", { kind: "exact" }, "Paris", "Paris\n", right],
  ["another text is wrong", { kind: "exact" }, "Paris", "paris", wrong("it is another answer")],
  ["a number is compared as a value", { kind: "exact" }, 42, "42.0", right],
  ["an object is compared as a value", { kind: "exact" }, { a: 1, b: [2] }, '{"b":[2],"a":1}', right],
  ["prose beside an object is wrong", { kind: "exact" }, { a: 1 }, "yes", wrong("it is another answer")],
  ["a pattern may be anywhere in it", { kind: "regex" }, "par[ií]s", "It is parís.", right],
  ["a pattern that is not in it", { kind: "regex" }, "^x", "yx", wrong("the pattern is not in it")],
  ["all fields the same", fields, { a: 1, b: { c: "x" } }, '{"a":1,"b":{"c":"x"},"d":0}', right],
  ["half of the fields is half a score", fields, { a: 1, b: { c: "x" } }, '{"a":1,"b":{}}', wrong("differs in b.c", 0.5)],
  ["a reference may be the text of an object", fields, '{"a":1,"b":{"c":2}}', '{"a":1,"b":{"c":2}}', right],
  ["an answer that is no object has no fields", fields, { a: 1, b: { c: 2 } }, "1", wrong("it is no JSON object")],
  ["a name of every object is no field", { kind: "json", fields: ["toString"] }, { toString: 1 }, "{}", wrong("differs in toString")],
])("%s", (_title, scorer, expected, answer, score) => {
  expect(scoreAnswer(scorer, expected, answer)).toEqual(score);
});

test.each<[string, string, Score]>([
  ["a number", "0.5\n", wrong("", 0.5)],
  ["an object", '{"score":1,"why":"as it should be"}', { ...right, why: "as it should be" }],
  ["an object without a reason", '{"score":0}', wrong("")],
  ["a number above 1", "1.5", { kind: "unscored", why: 'the scorer printed "1.5", which is no score from 0 to 1' }],
  ["a number below 0", "-1", { kind: "unscored", why: 'the scorer printed "-1", which is no score from 0 to 1' }],
  ["words", "good", { kind: "unscored", why: 'the scorer printed "good", which is no score from 0 to 1' }],
  ["nothing", "\n", { kind: "unscored", why: "the scorer printed nothing, which is no score from 0 to 1" }],
])("a scorer that prints %s", (_title, printed, score) => {
  expect(readScore(printed)).toEqual(score);
});

test.each<[string, Scorer, unknown, string | null]>([
  ["any value for exact", { kind: "exact" }, null, null],
  ["any value for a program", { kind: "program", path: "/x" }, [], null],
  ["a pattern", { kind: "regex" }, "a+", null],
  ["a pattern that is none", { kind: "regex" }, "a(", "its expected is no pattern: "],
  ["a number as a pattern", { kind: "regex" }, 1, "its expected is no pattern: a regular expression is a text"],
  ["an object with its fields", fields, { a: 0, b: { c: null } }, null],
  ["an object without one of them", fields, { a: 1 }, "its expected has no field b.c"],
  ["a list for fields", fields, [], "its expected is no JSON object"],
])("as a reference: %s", (_title, scorer, expected, trouble) => {
  if (trouble === null) expect(referenceTrouble(scorer, expected)).toBeNull();
  else expect(referenceTrouble(scorer, expected)).toContain(trouble);
});

describe("a line of a set", () => {
  test("the program gets it without its reference", () => {
    expect(splitLine('{"id":"1","expected":{"a":1},"q":"?"}')).toEqual({ kind: "line", payload: '{"id":"1","q":"?"}', expected: { a: 1 } });
  });

  test("a null is a reference; none is none", () => {
    expect(splitLine('{"expected":null}')).toEqual({ kind: "line", payload: "{}", expected: null });
    expect(splitLine('{"id":1}')).toEqual({ kind: "no-reference" });
  });

  test.each([
    ["with its reference", '{"id":1,"q":"a","expected":"b"}'],
    ["with its fields in another order", '{"q":"a","id":1}'],
    ["with white space", '{ "id": 1, "q": "a" }'],
    ["with the same number written otherwise", '{"id":1.0,"q":"\\u0061"}'],
  ])("is the same question %s", (_title, text) => {
    expect(questionText(text)).toBe(questionText('{"id":1,"q":"a"}'));
  });

  test("is another question with another id, or in another depth", () => {
    const texts = ['{"id":1,"q":"a"}', '{"id":"1","q":"a"}', '{"id":1,"q":{"expected":"a"}}', '{"id":1,"q":{}}'];
    expect(new Set(texts.map(questionText)).size).toBe(texts.length);
  });
});
