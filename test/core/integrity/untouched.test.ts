import { expect, test } from "vitest";
import { dataOfTests } from "../../../src/core/integrity/test-data.ts";
import { judgeUntouched } from "../../../src/core/integrity/untouched.ts";

const read = (tests: readonly string[], product: readonly string[] = [], texts: readonly string[] = []) =>
  dataOfTests(["data/may.csv"], { tests: new Set(tests), product: new Set(product), texts }).has("data/may.csv");

test.each<[string, boolean, boolean]>([
  ["a test names it", read(["data/may.csv"]), true],
  ["a test names it from its own folder", read(["../data/may.csv"]), true],
  ["nobody names it", read(["4.0"]), false],
  ["the program names it", read(["data/may.csv"], ["data/may.csv"]), false],
  ["the program reads its folder", read(["data/may.csv"], ["./data"]), false],
  ["a document names it", read(["data/may.csv"], [], ["run it on may.csv"]), false],
])("data of the tests: %s", (_name, found, expected) => {
  expect(found).toBe(expected);
});

const run = "tests: python3 -m unittest";
const trial = (holds: boolean) => ({ criterion: run, holds, said: "", counts: null });
const change = (path: string) => ({ path, kind: "changed", before: "a", after: "b" }) as const;

function judged(title: string, paths: readonly string[], testData: readonly string[], held = false) {
  return judgeUntouched({
    ...{ changes: paths.map(change), task: { title, objective: "", criteria: [], context: [] }, failedAtBase: new Set([run]) },
    ...{ before: [trial(held)], own: [trial(true)], productNames: new Set(["total", "rain"]), testData: new Set(testData) },
  }).map(({ rule, path }) => `${rule} ${path}`);
}

test.each<[string, string, readonly string[], readonly string[], readonly string[]]>([
  [
    "data of the tests alone, in a task of code",
    "total() must do without gaps",
    ["data/may.csv"],
    ["data/may.csv"],
    ["only-checks-changed data/may.csv"],
  ],
  ["data that others read too", "total() must do without gaps", ["data/may.csv"], [], []],
  ["data and code", "total() must do without gaps", ["data/may.csv", "rain.py"], ["data/may.csv"], []],
  ["a task that is about the data", "The rows of May are wrong: total() fails", ["data/may.csv"], ["data/may.csv"], []],
  ["a task that writes no function", "The rain of May is wrong", ["data/may.csv"], ["data/may.csv"], []],
  ["tests alone", "total() must do without gaps", ["test_rain.py"], [], ["only-checks-changed test_rain.py"]],
])("nothing but %s was changed", (_name, title, paths, data, expected) => {
  expect(judged(title, paths, data)).toEqual(expected);
});

test("a task that asks for a recording is about checks", () => {
  expect(judged("A recording of total()", ["recordings/total.txt"], [], true)).toEqual([]);
  expect(judged("total() must do without gaps", ["recordings/total.txt"], [], true)).toEqual(["only-checks-changed recordings/total.txt"]);
});
