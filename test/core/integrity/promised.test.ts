import { expect, test } from "vitest";
import { asksForProduct } from "../../../src/core/integrity/promised.ts";
import type { SourceFacts } from "../../../src/core/integrity/source.ts";
import type { ChangedSource } from "../../../src/core/integrity/source-change.ts";
import { aFunction, assertion, aTest, changed, file, judged } from "./source-facts.ts";

const has = (...names: readonly string[]): SourceFacts => file({ functions: names.map((name) => aFunction({ name })) });
const uses = (facts: SourceFacts, ...names: readonly string[]): SourceFacts => ({ ...facts, names: new Set(names) });
const removed = (path: string, before: SourceFacts): ChangedSource => ({
  path,
  kind: "removed",
  before,
  after: { kind: "unknown" },
  addedLines: [],
});

/** @param product  what is at HEAD */
function promised(words: string, files: readonly ChangedSource[], product: Readonly<Record<string, SourceFacts>>, isWhole = true) {
  return judged(files, { words, product: asksForProduct(files, words) ? { product: new Map(Object.entries(product)), isWhole } : null });
}

const there = { "index.js": has("metres", "old") };

test.each([
  "Take out old(), say so in CHANGELOG.md",
  "Remove the deprecated `old()`.",
  "Release 2.0.0: delete the function old() and say so",
  "Tirar a função old(); nada mais",
])("it is where it was: %s", (words) => {
  expect(promised(words, [], there)).toEqual(["not-taken-out refuses index.js:1"]);
});

test.each<[string, string, readonly ChangedSource[], Readonly<Record<string, SourceFacts>>]>([
  ["it went", "Remove old()", [changed("index.js", has("metres"), has("metres", "old"))], { "index.js": has("metres") }],
  ["one of two went", "Remove old()", [changed("a.js", has(), has("old"))], { "index.js": has("old"), "a.js": has() }],
  ["it was moved", "Remove old()", [changed("a.js", has(), has("old")), changed("legacy.js", has("old"))], { "legacy.js": has("old") }],
  ["a mention of it is to go", "Remove old() from the README", [], there],
  ["a part of it is to go", "Remove old()'s log line", [], there],
  ["it is to move", "Take out old() into a file of its own", [], there],
  ["something else is to go", "delete() must not throw, as old() does", [], there],
  ["there was none", "Remove older()", [], there],
])("no finding: %s", (_name, words, files, product) => {
  expect(promised(words, files, product)).toEqual([]);
});

const tested = (...names: readonly string[]) =>
  file({
    tests: names.map((name) =>
      aTest({ name, line: 7, body: `() => equal(${name}(1), 2)`, assertions: [assertion(`equal(${name}(1), 2)`)] }),
    ),
  });
const test_ = (after: SourceFacts, before = tested("upper", "indent", "dedent")) => changed("test/text.test.mjs", after, before, []);
const split = (...kept: readonly string[]) => [
  removed("text.mjs", has("upper", "indent", "dedent")),
  changed("lines.mjs", has(...kept)),
  changed("words.mjs", has("upper")),
];
const words = "Split text.mjs in two; nothing else changes";
const head = { "lines.mjs": has("indent"), "words.mjs": has("upper") };

test("a function and its test are lost in a move", () => {
  expect(promised(words, [...split("indent"), test_(tested("upper", "indent"))], head)).toEqual([
    "lost-in-move refuses test/text.test.mjs:7",
  ]);
});

test.each<[string, string, readonly ChangedSource[], Readonly<Record<string, SourceFacts>>]>([
  ["nothing is lost", words, [...split("indent", "dedent"), test_(tested("upper", "indent", "dedent"))], head],
  ["it was renamed, its test too", words, [...split("indent", "outdent"), test_(tested("upper", "indent", "outdent"))], head],
  ["it had no test", words, [...split("indent"), test_(tested("upper", "indent"), tested("upper", "indent", "third"))], head],
  ["the task takes it away", "Split text.mjs, and remove what is unused", [...split("indent"), test_(tested("upper", "indent"))], head],
  ["the task names it", "Split text.mjs; dedent goes to @acme/text", [...split("indent"), test_(tested("upper", "indent"))], head],
  ["the task is no move", "Quicker text", [...split("indent"), test_(tested("upper", "indent"))], head],
  [
    "all of them left for a package",
    "Move the helpers to @acme/text",
    [removed("text.mjs", has("upper", "dedent")), test_(tested(), tested("upper", "dedent"))],
    {},
  ],
  [
    "something still speaks of it",
    words,
    [...split("indent"), test_(tested("upper", "indent"))],
    { ...head, "a.mjs": uses(has(), "dedent") },
  ],
])("no finding: %s", (_name, task, files, product) => {
  expect(promised(task, files, product)).toEqual([]);
});

test("of a tree that is too large nothing is called lost or unused", () => {
  expect(promised(words, [...split("indent"), test_(tested("upper", "indent"))], head, false)).toEqual([]);
});

const slug = changed("src/slug.mjs", has("slugify"));
const tree = (router: SourceFacts, own = has("slugify")) => ({ "src/slug.mjs": own, "src/router.mjs": router });

test.each([
  "Every route is made with slugify(title), in a file of its own",
  "routeOf uses slugify(title)",
  "The router calls `slugify(title)` for each title",
  "Routes go through slugify(title)",
])("nothing uses it: %s", (task) => {
  expect(promised(task, [slug], tree(has("routeOf")))).toEqual(["not-used refuses src/slug.mjs:1"]);
});

test.each<[string, string, Readonly<Record<string, SourceFacts>>]>([
  ["it is used", "Every route is made with slugify(title)", tree(uses(has("routeOf"), "slugify"))],
  [
    "it is used by another name",
    "Every route is made with slugify(title)",
    tree({ ...has("routeOf"), imports: [{ module: "./slug.mjs", line: 1 }] }),
  ],
  [
    "it is used in its own file",
    "Every route is made with slugify(title)",
    tree(has("routeOf"), uses(has("slugify", "routesOf"), "slugify")),
  ],
  ["people use it", "Slugs are made with slugify(title)", tree(has("routeOf"))],
  ["the task only names it", "Add slugify(title) for the router", tree(has("routeOf"))],
  ["it uses something", "slugify(title) uses routeOf(title)", tree(has("routeOf"))],
])("no finding: %s", (_name, task, product) => {
  expect(promised(task, [slug], product)).toEqual([]);
});
