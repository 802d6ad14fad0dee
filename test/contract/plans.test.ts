/** What the three forms of a plan say, and which form a file has. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plans } from "../../src/adapters/plans/plans.ts";
import type { PlannedTask } from "../../src/core/task.ts";
import type { PlanKind } from "../../src/ports/plans.ts";
import { absentFile, command, file, fixtures, prose, readFixture, task, tasksOf, unkeyed } from "./plans-values.ts";

const expected: Readonly<Record<(typeof fixtures)[number], readonly [PlanKind, readonly PlannedTask[]]>> = {
  "check-boxes.md": [
    "check-boxes",
    [
      task("T-01", "Add slugify", { ticked: true }),
      task("T-02", "Use it in the router", {
        objective:
          "Spaces become one dash.\n\nKeep the public function's name:\n```ts\n// - [ ] T-99 not a task\nexport function link(title: string): string;\n```",
        criteria: [
          command("run: npm test", "npm test"),
          command("`npm run lint`", "npm run lint"),
          file('file: src/router.ts contains "slugify("', "src/router.ts", "slugify("),
          prose("The old links still work, also those with capitals"),
        ],
        context: ["docs/links.md"],
        after: ["T-01"],
        priority: 1,
      }),
      unkeyed("T1", "Write the changelog", {
        objective: "- Mention the dashes.\n  - Briefly.",
        criteria: [prose("one line a change"), file("file: CHANGELOG.md", "CHANGELOG.md")],
      }),
      task("1.1", "Look at the logs (after T-01)", { ticked: true, after: ["T-01"] }),
      task("T-03", "Clean up", {
        criteria: [command("$ npm run knip", "npm run knip"), prose("The folder is empty")],
        context: ["src/old", "docs/old.md"],
        after: ["T-03.1", "T-03.2"],
      }),
      task("T-03.1", "Remove the old router", { after: ["T-02"] }),
      task("T-03.2", "Remove the old links", { ticked: true }),
      unkeyed("T2", "Say goodbye"),
    ],
  ],
  "check-boxes-pt.md": [
    "check-boxes",
    [
      task("T1", "Somar números", { criteria: [command("`npm test`", "npm test")], priority: 3 }),
      task("T2", "Ler o ficheiro", { ticked: true }),
      task("T3", "Mostrar a soma", {
        criteria: [
          file('arquivo: src/soma.ts contém "export"', "src/soma.ts", "export"),
          absentFile("arquivo: rascunho.txt ausente", "rascunho.txt"),
          prose("A soma fica alinhada"),
        ],
        context: ["docs/soma.md"],
        after: ["T1", "T2"],
      }),
    ],
  ],
  "task-file.md": [
    "task-file",
    [
      task("T-01", "Add slugify", {
        objective:
          'A small thing.\n\nA function `slugify(title)` in src/slug.ts.\n\nDetails\nDashes between words:\n\n```\n# COMPLETION CRITERIA is not here\n"Two words" -> "two-words"\n```\n\nAFTERTHOUGHTS\nNone yet.',
        criteria: [
          command("run: npm test", "npm test"),
          file('file: src/slug.ts contains "export function slugify"', "src/slug.ts", "export function slugify"),
          prose("Names are in English"),
          prose("All of it is documented."),
        ],
        context: ["src/router.ts", "docs/links.md", "See also the issue about links, and its answers."],
      }),
    ],
  ],
  "task-file-several.md": [
    "task-file",
    [
      task("T-01", "Add slugify", { objective: "A function.", criteria: [command("`npm test`", "npm test")], ticked: true }),
      task("T-02", "Use it in the router", {
        objective: "Every route.",
        criteria: [command("run: npm test", "npm test"), file("file: docs/links.md", "docs/links.md")],
        context: ["src/router.ts"],
        after: ["T-01"],
        priority: 2,
      }),
      task("T3", "Say so", {
        objective: "a line in the changelog",
        criteria: [file('file: CHANGELOG.md contains "slugify"', "CHANGELOG.md", "slugify")],
        after: ["T-01", "T-02"],
      }),
    ],
  ],
  "tarefas.md": [
    "task-file",
    [
      unkeyed("T1", "Somar os números de um ficheiro.", {
        objective: "Somar os números de um ficheiro.",
        criteria: [command("comando: npm test", "npm test"), prose("A saída tem uma linha")],
        context: ["src/soma.ts"],
      }),
    ],
  ],
  "prd.json": [
    "prd-json",
    [
      task("US-001", "Add slugify", {
        objective: "As a reader\nI see a clean address",
        criteria: [command("run: npm test", "npm test"), prose("Names are in English")],
        context: ["see docs/links.md"],
        priority: 1,
        ticked: true,
      }),
      task("US-002", "Use it", { priority: 2, after: ["US-001"] }),
      unkeyed("T1", "Say so", { after: ["US-002"] }),
      unkeyed("T2", "Sleep"),
    ],
  ],
  "prd-short.json": ["prd-json", [task("7", "Seven"), unkeyed("T1", "Eight", { ticked: true, priority: 1 }), unkeyed("T2", "Nine")]],
};

test.each(fixtures)("%s says what a person reads in it", (name) => {
  const [plan, tasks] = expected[name];
  expect(plans.parse(name, readFixture(name))).toEqual({ kind: "plan", plan, tasks, notes: [] });
});

test.each(fixtures)("%s says the same with CRLF, mixed ends, lone CR, a byte order mark and no last line end (B143)", (name) => {
  const text = readFixture(name);
  let line = 0;
  const mixed = text.replaceAll("\n", () => ["\n", "\r", "\r\n"][line++ % 3] ?? "\n");
  for (const variant of [text.replaceAll("\n", "\r\n"), mixed, text.replaceAll("\n", "\r"), `\ufeff${text}`, text.trimEnd()])
    expect(tasksOf(name, variant)).toEqual(expected[name][1]);
});

const taskFile = "OBJECTIVE: a\nCRITERIA:\n- b\n";

test.each<[string, string, string, PlanKind]>([
  ["a name in .json is a prd.json", "plan.JSON", '{"userStories":[{"title":"a"}]}', "prd-json"],
  ["a brace at the start is a prd.json under any name", "plan", ' \n{"userStories":[{"title":"a"}]}', "prd-json"],
  ["both headings make a task file, boxes or not", "plan.md", "OBJECTIVE: a\nCRITERIA:\n- [ ] b\n", "task-file"],
  ["a task file needs no CONTEXT", "plan.md", taskFile, "task-file"],
  ["a box makes check boxes", "notes.txt", "- [ ] a", "check-boxes"],
  ["an objective over check boxes changes nothing", "plan.md", "## Objective\nA release\n## Tasks\n- [ ] a\n", "check-boxes"],
  ["headings inside a task's text change nothing", "plan.md", "- [ ] a\n  OBJECTIVE: b\n  CRITERIA:\n  - c\n", "check-boxes"],
])("%s", (_name, path, text, plan) => {
  expect(plans.parse(path, text)).toMatchObject({ kind: "plan", plan });
});

test.each<[string, string, PlannedTask[]]>([
  [
    "every list marker counts",
    "- [ ] a\n* [ ] b\n+ [X] c\n1. [x] d\n2) [ ] e",
    [
      unkeyed("T1", "a"),
      unkeyed("T2", "b"),
      unkeyed("T3", "c", { ticked: true }),
      unkeyed("T4", "d", { ticked: true }),
      unkeyed("T5", "e"),
    ],
  ],
  ["a quoted box is no task", "- [ ] a\n\n> - [ ] b\n", [unkeyed("T1", "a")]],
  [
    "a box in code, fenced with ~ or in a list, is no task",
    "- [ ] a\n\n~~~\n- [ ] b\n```\n~~~\n- ```\n  - [ ] c\n  ```\n- [ ] d",
    [unkeyed("T1", "a"), unkeyed("T2", "d")],
  ],
  ["a box in a comment is no task", "- [ ] a <!-- - [ ] b -->\n<!-- - [ ] c -->\n<!--\n- [ ] d\n-->\n", [unkeyed("T1", "a")]],
  [
    "a comment's mark in a code span is text",
    "- [ ] a\n  - run: `grep '<!--' x`\n  - run: `grep '-->' x`\n",
    [unkeyed("T1", "a", { criteria: [command("run: `grep '<!--' x`", "grep '<!--' x"), command("run: `grep '-->' x`", "grep '-->' x")] })],
  ],
  [
    "words for done are no mark (B024)",
    "- [ ] ~~a~~ done, DONE, complete\n- [ ] b\n  This task is complete. STATUS: DONE\n",
    [unkeyed("T1", "~~a~~ done, DONE, complete"), unkeyed("T2", "b", { objective: "This task is complete. STATUS: DONE" })],
  ],
  ["front matter is for other programs", "---\nobjective: x\ncriteria: y\n---\n- [ ] a", [unkeyed("T1", "a")]],
  ["a rule over tasks is no front matter", "---\n- [ ] a\n---\n- [ ] b", [unkeyed("T1", "a"), unkeyed("T2", "b")]],
  [
    "a list below a plain item is a list of tasks",
    "- Phase 1\n  - [ ] a\n  - [x] b\n",
    [unkeyed("T1", "a"), unkeyed("T2", "b", { ticked: true })],
  ],
  ["boxes indented by one column are beside, not below", "- [ ] a\n - [ ] b\n", [unkeyed("T1", "a"), unkeyed("T2", "b")]],
  ["tabs indent", "- [ ] a\n\t- run: b\n", [unkeyed("T1", "a", { criteria: [command("run: b", "b")] })]],
  ["a title that goes on is objective", "- [ ] a\nb\n", [unkeyed("T1", "a", { objective: "b" })]],
  ["text after a blank line, not indented, belongs to nobody", "- [ ] a\n\nb\n", [unkeyed("T1", "a")]],
  ["a heading ends a task", "- [ ] a\n# b\n  - run: c\n", [unkeyed("T1", "a")]],
  [
    "a criterion needs no list marker",
    "- [ ] a\n  run: b\n  file: c absent\n",
    [unkeyed("T1", "a", { criteria: [command("run: b", "b"), absentFile("file: c absent", "c")] })],
  ],
  [
    "a label on the task's own column does not swallow the tasks below",
    "- [ ] a\ncriteria:\n- [ ] b\n",
    [unkeyed("T1", "a", { objective: "criteria:" }), unkeyed("T2", "b")],
  ],
  [
    "a label on a line of its own ends with its list",
    "- [ ] a\n  criteria:\n  - b\n  context:\n  - c\n\n  d\n",
    [unkeyed("T1", "a", { criteria: [prose("b")], context: ["c"], objective: "d" })],
  ],
  [
    "labels may be bold",
    "- [ ] a\n  - **After:** none\n  - **Context**: c\n  - __priority:__ P2\n",
    [unkeyed("T1", "a", { context: ["c"], priority: 2 })],
  ],
  [
    "what the guards may let pass, as it is worded",
    "- [ ] a\n  - allow: delete dist/, build\n  - allow: run `npm publish --tag next`\n- [ ] b\n  - permitir: force-push feature/x\n",
    [
      { ...unkeyed("T1", "a"), allows: ["delete dist/, build", "run `npm publish --tag next`"] },
      { ...unkeyed("T2", "b"), allows: ["force-push feature/x"] },
    ],
  ],
  [
    "the same in a task file",
    "# T-1 a\nALLOW: delete dist/\n## OBJECTIVE\nb\n## COMPLETION CRITERIA\nc\n",
    [{ ...task("T-1", "a", { objective: "b", criteria: [prose("c")] }), allows: ["delete dist/"] }],
  ],
  ["the last priority counts", "- [ ] a\n  - priority: 1\n  - priority: low\n", [unkeyed("T1", "a", { priority: 3 })]],
  ["an objective may be labelled", "- [ ] a\n  - objective: b\n", [unkeyed("T1", "a", { objective: "b" })]],
  [
    "a dependency may be named in any case, with words, twice",
    "- [ ] T-1 a\n- [ ] T-2 b\n- [ ] c\n  - after: t-1 (the first), **T-2** and T-1.\n",
    [task("T-1", "a"), task("T-2", "b"), unkeyed("T1", "c", { after: ["T-1", "T-2"] })],
  ],
  [
    "names may be parted by spaces",
    "- [ ] T-1 a\n- [ ] T-2 b\n- [ ] c\n  - after: T-1 T-2\n",
    [task("T-1", "a"), task("T-2", "b"), unkeyed("T1", "c", { after: ["T-1", "T-2"] })],
  ],
  [
    "brackets in a title that hold more than keys are words",
    "- [ ] a (after all, T-9)\n- [ ] b (after 3 days)",
    [unkeyed("T1", "a (after all, T-9)"), unkeyed("T2", "b (after 3 days)")],
  ],
  [
    "a box without a key is a criterion, and its mark is nobody's",
    "- [ ] a\n  - [x] run: b\n  - [ ] c\n",
    [unkeyed("T1", "a", { criteria: [command("run: b", "b"), prose("c")] })],
  ],
  [
    "a box with a key below `criteria:` is a criterion",
    "- [ ] a\n  - criteria:\n    - [ ] T-1 b\n",
    [unkeyed("T1", "a", { criteria: [prose("T-1 b")] })],
  ],
])("in check boxes %s", (_name, text, tasks) => {
  expect(tasksOf("plan.md", text)).toEqual(tasks);
});

const ab = { objective: "a", criteria: [prose("b")] };

test.each<[string, string, PlannedTask[]]>([
  ["label lines are enough", taskFile, [unkeyed("T1", "a", ab)]],
  ["the first heading is the task", `# T-7: Do it\n${taskFile}`, [task("T-7", "Do it", ab)]],
  [
    "headings may be of one level",
    "# T-7 Do it\n# OBJECTIVE\na\n# CRITERIA\n- b\n# T-8 Do more\n# OBJECTIVE\na\n# CRITERIA\n- b\n",
    [task("T-7", "Do it", ab), task("T-8", "Do more", ab)],
  ],
  ["headings may be numbered and end in a colon", "# x\n## 1. Objective:\na\n## 2) Completion criteria:\n* b\n", [unkeyed("T1", "x", ab)]],
  [
    "headings above a task's own are for people",
    "# The plan\nWords.\n## Phase 1\nWords.\n### T-7 Do it\n#### OBJECTIVE\na\n#### CRITERIA\nb\n## Phase 2\nWords.\n",
    [task("T-7", "Do it", ab)],
  ],
  [
    "text and headings before OBJECTIVE are part of it",
    "# T-7 Do it\nwhy\n## Background\nwho\n## OBJECTIVE\na\n## CRITERIA\n- b\n",
    [task("T-7", "Do it", { objective: "why\n\nBackground\nwho\n\na", criteria: [prose("b")] })],
  ],
  [
    "the order of the sections does not matter",
    "# x\n## CONTEXT\nc\n## CRITERIA\n- b\n## OBJECTIVE\na\n",
    [unkeyed("T1", "x", { ...ab, context: ["c"] })],
  ],
  [
    "sections may be written twice, but for OBJECTIVE",
    "# x\n## OBJECTIVE\na\n## CRITERIA\n- b\n## CONTEXT\nc\n## CRITERIA\n- d\n",
    [unkeyed("T1", "x", { objective: "a", criteria: [prose("b"), prose("d")], context: ["c"] })],
  ],
  [
    "code in CONTEXT is one pointer, kept as it is",
    "# x\n## OBJECTIVE\na\n## CRITERIA\n- b\n## CONTEXT\n- `c`\n\n```\nd\n  e\n```\n",
    [unkeyed("T1", "x", { ...ab, context: ["c", "```\nd\n  e\n```"] })],
  ],
  [
    "boxes in OBJECTIVE and CRITERIA mean nothing",
    "# x\n## OBJECTIVE\n- [ ] a\n## CRITERIA\n- [x] b\n- [-] c\n",
    [unkeyed("T1", "x", { objective: "- [ ] a", criteria: [prose("b"), prose("[-] c")] })],
  ],
  [
    "a long first line makes a short title",
    `OBJECTIVE: ${"a".repeat(150)}\nCRITERIA:\n- b\n`,
    [unkeyed("T1", `${"a".repeat(100)}…`, { objective: "a".repeat(150), criteria: [prose("b")] })],
  ],
  ["accents and case do not matter", "# x\n## Objetivo\na\n## criterios de conclusão\n- b\n", [unkeyed("T1", "x", ab)]],
])("in a task file %s", (_name, text, tasks) => {
  expect(tasksOf("plan.md", text)).toEqual(tasks);
});

test.each<[string, string]>([
  ["- [ ] a\n  - check: npm test\n", "line 2: `npm test` is prose and is not checked; write `run: npm test` to have it run"],
  ["- [ ] a\n  - criteria:\n    ```\n    npm test\n    ```\n", "line 3: a code block is no criterion; write `run: …`"],
  ["- [ ] a\n- [ ]\n", "line 2: a check box without a title is no task"],
  ["# T-1 a\n## OBJECTIVE\nb\n## CRITERIA\n```\nnpm test\n```\n", "line 5: a code block is no criterion; write `run: …`"],
  [
    "# T-1 a\n## OBJECTIVE\nb\n## CRITERIA\nc\n# T-2 d\n## OBJECTIVE\ne\n",
    "line 6: T-2 has no COMPLETION CRITERIA: a claim will be taken for it",
  ],
])("a slip that costs a check is noted: %j", (text, note) => {
  expect(plans.parse("plan.md", text)).toMatchObject({ kind: "plan", notes: [note] });
});

test("of many notes twenty are said, and the number of the others", () => {
  const read = plans.parse("plan.md", "- [ ] a\n  - check: npm test\n".repeat(25));
  expect(read.kind === "plan" && [read.notes.length, read.notes.at(-1)]).toEqual([21, "and 5 more notes"]);
});

test("every example in the document is a plan", () => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/spec/plan.md"), "utf8");
  const examples = [...text.matchAll(/^```(markdown|json)\n([\s\S]*?)^```$/gm)];
  expect(examples.map(([, kind = "", example = ""]) => plans.parse(`plan.${kind}`, example).kind)).toEqual([
    "plan",
    "plan",
    "plan",
    "plan",
  ]);
});
