/** Whatever the file holds, there is an answer, and soon. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { plans } from "../../src/adapters/plans/plans.ts";
import { taskKey } from "../../src/core/ids.ts";
import { fixtures, readFixture } from "./plans-values.ts";

/** Both doors, on both kinds of name: they answer alike, and what one writes the other reads. */
function knock(path: string, text: string): void {
  const read = plans.parse(path, text);
  if (read.kind === "broken") {
    expect(plans.withMarks(path, text, new Map([[taskKey("T1"), true]]))).toEqual({ text, missing: ["T1"] });
    return;
  }
  const done = new Map(read.tasks.map((task) => [task.key, true]));
  const { text: written, missing } = plans.withMarks(path, text, done);
  expect([missing, done.size]).toEqual([[], read.tasks.length]);
  const marked = read.plan === "task-file" ? expect.any(Boolean) : true;
  expect(plans.parse(path, written)).toEqual({ ...read, tasks: read.tasks.map((task) => ({ ...task, ticked: marked })) });
}

const path = fc.constantFrom("plan.md", "prd.json");

test("every text has an answer", () => {
  fc.assert(
    fc.property(
      path,
      fc.oneof(
        fc.string({ unit: "grapheme-ascii" }),
        fc.string({ unit: "binary-ascii" }),
        fc.uint8Array().map((bytes) => new TextDecoder("latin1").decode(bytes)),
      ),
      knock,
    ),
  );
});

const markdownPieces = [
  "- [ ] ",
  "- [x] ",
  "  ",
  "\t",
  "\n",
  "\r\n",
  "\r",
  "\n\n",
  "T1 ",
  "T-2: ",
  "1. ",
  "* ",
  "- ",
  "# ",
  "## [ ] ",
  "===\n",
  "---\n",
  "```\n",
  "~~~\n",
  "<!--",
  "-->",
  "`",
  "OBJECTIVE:",
  "## CRITERIA\n",
  "CONTEXT:\n",
  "after: T1\n",
  "priority: 2\n",
  "run: a\n",
  "file: b\n",
  "file: c contains",
  "criteria:\n",
  "[",
  "]",
  "(",
  ")",
  "**",
  "> ",
  "é",
  "\ufeff",
  "(after T1)\n",
];
const jsonPieces = [
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"',
  '"userStories":[',
  '{"title":"a"',
  '"id":"A"',
  '"passes":true',
  '"dependsOn":["A"]',
  '"priority":',
  "1",
  "null",
  "\\",
  "\\u0000",
  "\ud800",
  "//",
  "\n",
  " ",
];

test("every jumble of what plans are made of has an answer", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...markdownPieces), { maxLength: 40 }), (pieces) => knock("plan.md", pieces.join(""))),
    { numRuns: 600 },
  );
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...jsonPieces), { maxLength: 25 }), (pieces) => knock("prd.json", pieces.join(""))),
    { numRuns: 300 },
  );
});

const change = fc.record({ at: fc.nat(), length: fc.nat({ max: 30 }), text: fc.constantFrom("", "", ...markdownPieces, ...jsonPieces) });

test.each(fixtures)("every spoilt %s has an answer", (name) => {
  const text = readFixture(name);
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      const spoilt = changes.reduce((whole, { at, length, text: put }) => {
        const from = at % (whole.length + 1);
        return whole.slice(0, from) + put + whole.slice(from + length);
      }, text);
      knock(name, spoilt);
    }),
    { numRuns: 150 },
  );
});

const tenThousand = Array.from({ length: 10_000 }, (_unused, index) => index);
const large: Readonly<Record<string, string>> = {
  "boxes.md": tenThousand
    .map((n) => `- [ ] T-${n} Do the thing\n  - run: npm test -- ${n}\n  - after: ${n === 0 ? "none" : `T-${n - 1}`}\n  - With care.\n`)
    .join(""),
  "file.md": tenThousand
    .map((n) => `## [ ] T-${n} Do the thing\nOBJECTIVE: The thing is done.\nCRITERIA:\n- run: npm test -- ${n}\n`)
    .join(""),
  "prd.json": JSON.stringify({
    userStories: tenThousand.map((n) => ({
      id: `U-${n}`,
      title: "Do the thing",
      acceptanceCriteria: ["run: npm test"],
      passes: false,
      dependsOn: n === 0 ? [] : [`U-${n - 1}`],
    })),
  }),
};

test.each(Object.keys(large))("10,000 tasks are read in under 200 ms, however long their chain (B152): %s", (name) => {
  const text = large[name] ?? "";
  let fastestMs = Number.POSITIVE_INFINITY;
  // The machine may be busy with other tests: one quiet moment is enough, and time in which others had the processor is not ours.
  for (let tries = 0; tries < 25 && fastestMs >= 200; tries += 1) {
    const [startedAt, before] = [performance.now(), process.cpuUsage()];
    const read = plans.parse(name, text);
    const { user, system } = process.cpuUsage(before);
    fastestMs = Math.min(fastestMs, performance.now() - startedAt, (user + system) / 1000);
    expect(read.kind === "plan" && read.tasks.length).toBe(10_000);
  }
  expect(fastestMs).toBeLessThan(200);
});

const size = 400_000;
test.each<[string, string, string]>([
  ["spaces", "a.md", " ".repeat(size)],
  ["a line of backticks", "a.md", `- [ ] ${"`".repeat(size)}`],
  [
    "runs of backticks, each longer than the last",
    "a.md",
    `- [ ] ${Array.from({ length: 1400 }, (_unused, n) => "`".repeat(n)).join(" ")} <!-- -->`,
  ],
  ["comments in a line", "a.md", `- [ ] a ${"<!-- a -->".repeat(size / 10)}`],
  ["comments that only open", "a.md", `- [ ] a ${"<!-- ".repeat(size / 5)}`],
  ["line ends", "a.md", "\r".repeat(size)],
  ["brackets", "a.md", `- [ ] ${"(".repeat(60_000)}${")".repeat(60_000)}`],
  ["list marks", "a.md", "- ".repeat(size / 2)],
  ["heading marks", "a.md", "# ".repeat(size / 2)],
  ["headings", "a.md", "# a\n".repeat(size / 4)],
  ["ever deeper lists", "a.md", Array.from({ length: 1400 }, (_unused, n) => `${" ".repeat(n)}- [ ] T-${n} a\n`).join("")],
  ["one key again and again", "a.md", "- [ ] T1 a\n".repeat(size / 11)],
  ["names that nobody has", "a.md", "- [ ] a (after Z-1)\n".repeat(size / 20)],
  ["a list of names", "a.md", `- [ ] a\n- [ ] b\n  after: ${"T1,".repeat(60_000)}`],
  ["a key that goes on", "a.md", `- [ ] ${"A-".repeat(60_000)}1: a`],
  ["sections without tasks", "a.md", `${"OBJECTIVE:\n".repeat(size / 11)}CRITERIA: a`],
  ["front matter that goes on", "a.md", `---\na: b\n${"c\n".repeat(size / 2)}`],
  ["a deep nest", "a.json", "[".repeat(size)],
  ["fields without end", "a.json", `{"userStories":[{${'"a":1,'.repeat(size / 6)}"title":"b"}]}`],
  ["stories that are none", "a.json", `{"userStories":[${"{},".repeat(size / 3)}{}]}`],
])("400 KB of %s have an answer in a moment", (_name, name, text) => {
  const startedAt = performance.now();
  knock(name, text);
  expect(performance.now() - startedAt).toBeLessThan(5000);
});
