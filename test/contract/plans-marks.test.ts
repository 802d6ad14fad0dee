/** Writing marks: the marks' own characters change, and nothing else does. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plans } from "../../src/adapters/plans/plans.ts";
import { type TaskKey, taskKey } from "../../src/core/ids.ts";
import { fixtures, readFixture, tasksOf } from "./plans-values.ts";

const marks = (set: Readonly<Record<string, boolean>>): Map<TaskKey, boolean> =>
  new Map(Object.entries(set).map(([key, done]) => [taskKey(key), done]));

test.each<[string, string, string, Record<string, boolean>, string]>([
  ["a box is ticked", "plan.md", "- [ ] T1 a\n- [ ] T2 b\n", { T2: true }, "- [ ] T1 a\n- [x] T2 b\n"],
  ["a box is opened, in capitals too", "plan.md", "* [X] a\r\n1. [x] b", { T1: false, T2: false }, "* [ ] a\r\n1. [ ] b"],
  ["a capital that says the same stays", "plan.md", "- [X] a", { T1: true }, "- [X] a"],
  ["a key is found in any case", "plan.md", "- [ ] T-a1: a", { "t-A1": true }, "- [x] T-a1: a"],
  [
    "a box inside a task is not the task's",
    "plan.md",
    "- [ ] a\n  - [ ] b\n  - [ ] T-2 c\n",
    { T1: true },
    "- [x] a\n  - [ ] b\n  - [ ] T-2 c\n",
  ],
  [
    "a byte order mark and a comment before the title move nothing",
    "plan.md",
    "\ufeff- [ ] <!-- new --> T-1 a <!-- [ ] -->",
    { "T-1": true },
    "\ufeff- [x] <!-- new --> T-1 a <!-- [ ] -->",
  ],
  [
    "a heading's box is the task's",
    "plan.md",
    "# [ ] T-1 a #\nOBJECTIVE: b\nCRITERIA:\n- [ ] c\n",
    { "T-1": true },
    "# [x] T-1 a #\nOBJECTIVE: b\nCRITERIA:\n- [ ] c\n",
  ],
  [
    "an underlined heading's box too",
    "plan.md",
    "[x] T-1 a\n===\nOBJECTIVE: b\nCRITERIA: c\n",
    { "T-1": false },
    "[ ] T-1 a\n===\nOBJECTIVE: b\nCRITERIA: c\n",
  ],
  [
    "a heading without a box gets one where others have it",
    "plan.md",
    "# [ ] a\nOBJECTIVE: b\nCRITERIA: c\n#  T-2 d\nOBJECTIVE: e\nCRITERIA: f",
    { "T-2": true },
    "# [ ] a\nOBJECTIVE: b\nCRITERIA: c\n#  [x] T-2 d\nOBJECTIVE: e\nCRITERIA: f",
  ],
  [
    "a heading without a box that is open stays as it is",
    "plan.md",
    "# [ ] a\nOBJECTIVE: b\nCRITERIA: c\n# T-2 d\nOBJECTIVE: e\nCRITERIA: f",
    { "T-2": false },
    "# [ ] a\nOBJECTIVE: b\nCRITERIA: c\n# T-2 d\nOBJECTIVE: e\nCRITERIA: f",
  ],
  [
    "a task file without boxes has no marks",
    "plan.md",
    "# T-1 a\nOBJECTIVE: b\nCRITERIA: c\n",
    { "T-1": true },
    "# T-1 a\nOBJECTIVE: b\nCRITERIA: c\n",
  ],
  [
    "passes is turned",
    "prd.json",
    '{"userStories" : [{"passes":false ,"title":"a"},{"title":"b","passes" : true}]}',
    { T1: true, T2: false },
    '{"userStories" : [{"passes":true ,"title":"a"},{"title":"b","passes" : false}]}',
  ],
  [
    "a missing passes is put in, in a story on one line",
    "prd.json",
    '{"userStories": [{ "id": "A", "title": "a" }, {"title":"b"}]}',
    { A: true, T1: true },
    '{"userStories": [{ "id": "A", "title": "a", "passes": true }, {"title":"b","passes":true}]}',
  ],
  [
    "a missing passes is put in, in a story on several lines",
    "prd.json",
    '{"userStories": [\r\n\t{\r\n\t\t"id" : "A",\r\n\t\t"title" : "a"\r\n\t}\r\n]}',
    { A: true },
    '{"userStories": [\r\n\t{\r\n\t\t"id" : "A",\r\n\t\t"title" : "a",\r\n\t\t"passes" : true\r\n\t}\r\n]}',
  ],
  [
    "a missing passes that is false stays missing",
    "prd.json",
    '{"userStories": [{"title": "a"}]}',
    { T1: false },
    '{"userStories": [{"title": "a"}]}',
  ],
  [
    "fields of others with the same name stay",
    "prd.json",
    '{"passes":false,"userStories":[{"title":"a \\"passes\\": false","meta":{"passes":false},"passes":false}]}',
    { T1: true },
    '{"passes":false,"userStories":[{"title":"a \\"passes\\": false","meta":{"passes":false},"passes":true}]}',
  ],
  ["a plan that is refused is not touched", "plan.md", "- [ ] a\n- [-] b\n", {}, "- [ ] a\n- [-] b\n"],
])("%s", (_name, path, text, set, written) => {
  expect(plans.withMarks(path, text, marks(set))).toEqual({ text: written, missing: [] });
});

test("keys that are not in the file are named, and the others are written", () => {
  expect(plans.withMarks("plan.md", "- [ ] T1 a\n", marks({ T9: true, T1: true, T8: false }))).toEqual({
    text: "- [x] T1 a\n",
    missing: ["T9", "T8"],
  });
});

test("a file that is refused has none of the tasks", () => {
  expect(plans.withMarks("plan.md", "- [ ] T1 a\n- [ ] T1 b\n", marks({ T1: true }))).toEqual({
    text: "- [ ] T1 a\n- [ ] T1 b\n",
    missing: ["T1"],
  });
});

/** What is left of a text when its marks are taken out. */
const unmarked: Readonly<Record<string, RegExp>> = { md: /\[[ xX]\] /g, json: /,?\s*"passes"\s*:\s*(?:true|false)/g };

const marked = fixtures.filter(
  (name) =>
    plans.withMarks(name, readFixture(name), new Map(tasksOf(name, readFixture(name)).map((task) => [task.key, !task.ticked]))).text !==
    readFixture(name),
);

test("all fixtures but the task files without boxes have marks", () => {
  expect(fixtures.filter((name) => !marked.includes(name))).toEqual(["task-file.md", "tarefas.md"]);
});

const ends = fc.constantFrom("\n", "\r\n", "\r");
/** A lone CR before an empty line would make one end of two. */
const endOf = (stream: fc.Stream<string>, nextLine: string | undefined): string => {
  const end = stream.next().value ?? "\n";
  return end === "\r" && nextLine === "" ? "\r\n" : end;
};
const variant = fc.record({ bom: fc.constantFrom("", "\ufeff"), ends: fc.infiniteStream(ends), last: fc.boolean() });

describe.each(fixtures)("%s", (name) => {
  const kind = name.slice(name.lastIndexOf(".") + 1);
  const textOf = fc.record({ variant }).map(({ variant: { bom, ends: stream, last } }) => {
    const lines = readFixture(name).split("\n");
    return bom + lines.map((line, index) => line + (index < lines.length - 1 || last ? endOf(stream, lines[index + 1]) : "")).join("");
  });
  const keys = tasksOf(name, readFixture(name)).map((task) => task.key);
  const someMarks = fc
    .array(fc.boolean(), { minLength: keys.length, maxLength: keys.length })
    .map((done) => new Map(keys.map((key, index) => [key, done[index] ?? false])));

  test("the marks it has give the same text back", () => {
    fc.assert(
      fc.property(textOf, (text) => {
        const present = new Map(tasksOf(name, text).map((task) => [task.key, task.ticked]));
        expect(plans.withMarks(name, text, present)).toEqual({ text, missing: [] });
      }),
    );
  });

  test("marks that are written are read back, with all the rest as it was", () => {
    fc.assert(
      fc.property(textOf, someMarks, (text, set) => {
        const written = plans.withMarks(name, text, set).text;
        const before = tasksOf(name, text);
        const expected = marked.includes(name) ? before.map((task) => ({ ...task, ticked: set.get(task.key) ?? false })) : before;
        expect(tasksOf(name, written)).toEqual(expected);
        expect(plans.withMarks(name, written, set).text).toBe(written);
      }),
    );
  });

  test("nothing but marks changes", () => {
    fc.assert(
      fc.property(textOf, someMarks, (text, set) => {
        const strip = (whole: string): string => whole.replace(unmarked[kind] ?? /$/, "");
        expect(strip(plans.withMarks(name, text, set).text)).toBe(strip(text));
      }),
    );
  });
});
