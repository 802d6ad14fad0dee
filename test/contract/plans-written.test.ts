/** A list that we write reads back as the same tasks, or is not written at all. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { plans } from "../../src/adapters/plans/plans.ts";
import { parseCriterion } from "../../src/core/criteria/parse.ts";
import { taskKey } from "../../src/core/ids.ts";
import type { PlannedTask } from "../../src/core/task.ts";
import { command, fixtures, prose, readFixture, task, tasksOf } from "./plans-values.ts";

/** What a board holds of a list's task: its key is its own there. */
const onBoard = (one: PlannedTask): PlannedTask => ({ ...one, keyGiven: true });

function written(tasks: readonly PlannedTask[]): string {
  const format = plans.format(tasks);
  if (format.kind === "unwritable") throw new Error(`unwritable: ${format.keys.join(", ")}`);
  return format.text;
}

test("a list of check boxes says what a person would write", () => {
  const tasks = [
    task("T-01", "Add slugify", { ticked: true, criteria: [command("run: npm test", "npm test")] }),
    task("T-02", "Use it", {
      after: ["T-01"],
      priority: 1,
      criteria: [prose("Names are in English")],
      context: ["docs/a.md"],
      objective: "Every route.\n\n- one\n- two",
    }),
  ];
  expect(written(tasks)).toBe(
    "# Tasks\n\n- [x] T-01 Add slugify\n  - run: npm test\n- [ ] T-02 Use it\n  - after: T-01\n  - priority: 1\n  - check: Names are in English\n" +
      "  - context: docs/a.md\n  Every route.\n\n  - one\n  - two\n",
  );
});

test.each(fixtures.filter((name) => !name.startsWith("prd")))("%s that was imported is written and reads back the same", (name) => {
  const tasks = tasksOf(name, readFixture(name)).map(onBoard);
  expect(tasksOf("list.md", written(tasks))).toEqual(tasks);
});

test.each<[string, PlannedTask]>([
  ["headings in an objective", task("T1", "a", { objective: "# One\ntext\n## Two" })],
  ["a box in an objective", task("T1", "a", { objective: "- [ ] not a task" })],
  ["a label in an objective", task("T1", "a", { objective: "After: lunch\nrun: it" })],
  ["code in an objective", task("T1", "a", { objective: "```\n- [ ] T9 code\n```" })],
  ["a title that starts like a key", task("T1", "T2 is first")],
  ["a title that is its key", task("T-1", "T-1")],
  ["a numbered key", task("1.2", "a")],
])("%s: it reads back the same, or is named as unwritable", (_name, one) => {
  const format = plans.format([one, task("T-99", "another")]);
  if (format.kind === "unwritable") expect(format.keys).toEqual([one.key]);
  else expect(tasksOf("list.md", format.text)[0]).toEqual(one);
});

const word = fc.constantFrom("the", "menu", "UTF-8", "`slug()`", "Olá", "S3", "*bold*", "(one)", "50%", "a:b", '"x"', "#3", "[1]", "x.ts");
const line = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(" "));
const check = fc.oneof(
  line.map((text) => `run: ${text}`),
  line.map((text) => `tests: \`${text.replaceAll("`", "")}\`, at least 3`),
  fc.constantFrom(
    "file: src/a.ts exists",
    'file: "a b.ts" contains "x"',
    "$ npm test",
    "`npm test`",
    "approval: it looks right",
    "from 2: run: npm test",
  ),
  line,
);
const boards = fc.array(
  fc.record({
    prefix: fc.constantFrom("T", "T-", "US-"),
    title: line,
    objective: fc.array(fc.oneof(line, fc.constant("")), { maxLength: 3 }).map((lines) => lines.join("\n").trim()),
    checks: fc.array(check, { maxLength: 3 }),
    context: fc.array(line, { maxLength: 2 }),
    priority: fc.constantFrom(0, 1, 7, 1000),
    ticked: fc.boolean(),
    after: fc.array(fc.nat(20), { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 6 },
);

/** Each waits only for those above it. */
const toTasks = (rows: typeof boards extends fc.Arbitrary<infer Rows> ? Rows : never): readonly PlannedTask[] => {
  const key = (index: number) => `${rows[index]?.prefix}${index + 1}`;
  return rows.map(({ title, objective, checks, context, priority, ticked, after }, index) =>
    task(key(index), title, {
      ...{ objective, context, priority, ticked },
      criteria: checks.map(parseCriterion).flatMap((one) => (one.kind === "malformed" ? [] : [one])),
      after: [...new Set(index === 0 ? [] : after.map((n) => key(n % index)))],
    }),
  );
};

test("whatever a board holds, what is written reads back as the board, and what cannot be is named", () => {
  let read = 0;
  fc.assert(
    fc.property(boards, (rows) => {
      const tasks = toTasks(rows);
      const format = plans.format(tasks);
      if (format.kind === "unwritable") {
        expect(format.keys.length).toBeGreaterThan(0);
        return;
      }
      read += 1;
      expect(tasksOf("list.md", format.text)).toEqual(tasks);
      const again = plans.withMarks("list.md", format.text, new Map([[taskKey(tasks[0]?.key ?? ""), !tasks[0]?.ticked]]));
      expect(again.text).toHaveLength(format.text.length);
    }),
    { numRuns: 300 },
  );
  expect(read).toBeGreaterThan(150);
});
