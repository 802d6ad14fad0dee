/** The whole file is refused, with the line and the reason; no form and no input makes it throw or load in part. */
import { expect, test } from "vitest";
import { plans } from "../../src/adapters/plans/plans.ts";
import { taskKey } from "../../src/core/ids.ts";
import { broken, fixtures, readFixture } from "./plans-values.ts";

const threeForms =
  "there is no task in it: write check boxes (`- [ ] T-01 Title`), or the headings OBJECTIVE, COMPLETION CRITERIA and CONTEXT, or a prd.json with userStories";
const forms = 'write `file: PATH exists`, `file: PATH absent` or `file: PATH contains "TEXT"`, with quotes round a path that has spaces';
const outside =
  "a check box stands outside OBJECTIVE, COMPLETION CRITERIA and CONTEXT: give it a heading and these sections, or make the whole file a list of check boxes";
const section = "## OBJECTIVE\nb\n## CRITERIA\nc\n";

test.each<[string, string, number, string]>([
  ["an empty file", "", 0, threeForms],
  ["a file without tasks", "# Notes\n- one\n", 0, threeForms],
  ["boxes that have no titles", "- [ ]\n", 0, threeForms],
  [
    "a merge that is not settled (B094)",
    "- [ ] a\n<<<<<<< HEAD\n- [ ] b\n=======\n- [ ] c\n>>>>>>> other\n",
    2,
    "a merge conflict is not settled: a conflict marker stands here",
  ],
  ["the end of a merge alone (B094)", "- [ ] a\n\n>>>>>>> other\r\n", 3, "a merge conflict is not settled: a conflict marker stands here"],
  ["a key that stands twice", "- [ ] T1 a\n- [ ] b\n- [ ] t1: c\n", 3, "the key t1 stands twice: first in line 1"],
  ["a dependency on an unknown key (B149)", "- [ ] T1 a\n- [ ] T2 b\n  - after: T1, T9\n", 3, "T2 waits for T9, which is not in the list"],
  ["a dependency on words (B149)", "- [ ] T1 a\n  - after: the other one\n", 2, "T1 waits for the other one, which is not in the list"],
  ["a task that waits for itself (B146)", "- [ ] T1 a\n  after: T1\n", 1, "tasks wait for each other: T1 -> T1"],
  [
    "tasks that wait for each other (B146)",
    "- [ ] A-1 a\n  after: C-1\n- [ ] B-1 b\n  after: A-1\n- [ ] C-1 c\n  after: B-1\n",
    1,
    "tasks wait for each other: A-1 -> C-1 -> B-1 -> A-1",
  ],
  [
    "a circle behind others is shown without them (B146)",
    "- [ ] A-1 a\n  after: B-1\n- [ ] B-1 b\n  after: C-1\n- [ ] C-1 c\n  after: B-1\n",
    3,
    "tasks wait for each other: B-1 -> C-1 -> B-1",
  ],
  [
    "a task that waits for the one it is in (B146)",
    "- [ ] T1 a\n  - [ ] T2 b\n    after: T1\n",
    1,
    "tasks wait for each other: T1 -> T2 -> T1",
  ],
  ["a NUL byte", "- [ ] a\n- [ ] \0b\n", 2, "it is not text: a NUL byte"],
  ["bytes that were not UTF-8", "- [ ] a\n- [ ] \ufffd\n", 2, "it is not UTF-8: writing it back would lose what stands here"],
  ["a code block that is never closed", "- [ ] a\n```\n- [ ] b\n", 2, "a code block opens here and is never closed"],
  ["a comment that is never closed", "- [ ] a\n<!--\n- [ ] b\n", 2, "a comment opens here and is never closed"],
  ["a box that is none", "- [ ] a\n- [-] b\n", 2, "[-] is no check box: write [ ] for open, [x] for done"],
  ["an empty box", "- [ ] a\n- [] b\n", 2, "[] is no check box: write [ ] for open, [x] for done"],
  ["a wide box", "- [ ] a\n- [ x ] b\n", 2, "[ x ] is no check box: write [ ] for open, [x] for done"],
  ["a box that is none, and no other", "- [~] a\n", 1, "[~] is no check box: write [ ] for open, [x] for done"],
  ["a criterion that cannot be understood", "- [ ] a\n  - file: b contains\n", 2, `\`file: b contains\` cannot be checked: ${forms}`],
  [
    "a file outside of the tree",
    "- [ ] a\n  - check: file: ../b\n",
    2,
    "`file: ../b` cannot be checked: the path ../b leaves the repository",
  ],
  ["a command without a command", "- [ ] a\n  - criteria:\n    - run:\n", 3, "`run:` cannot be checked: there is no command to run"],
  [
    "an allowance that is none",
    "- [ ] a\n  - allow: delete ../b\n",
    2,
    "`allow: delete ../b` cannot be granted: a path to delete lies below the top of the tree, without patterns",
  ],
  [
    "an allowance of everything",
    "- [ ] a\n  - allow: everything\n",
    2,
    "`allow: everything` cannot be granted: write `delete dist/`, `force-push feature/x` or `run COMMAND`",
  ],
  [
    "an allowance in prd.json that is none",
    '{"userStories": [{"title": "a", "allow": ["delete *"]}]}',
    1,
    "`allow: delete *` cannot be granted: a path to delete lies below the top of the tree, without patterns",
  ],
  [
    "a priority that is none",
    "- [ ] a\n  - priority: urgent\n",
    2,
    "`urgent` is no priority: write a whole number from 0, or high, medium, low",
  ],
  [
    "a task file's priority that is none",
    `# T-1 a\nPRIORITY: -1\n${section}`,
    2,
    "`-1` is no priority: write a whole number from 0, or high, medium, low",
  ],
  ["an objective without criteria", "# a\n\n## OBJECTIVE\nb\n", 3, "it has an OBJECTIVE and no COMPLETION CRITERIA"],
  ["a task without an objective", `# T-1 a\n${section}# T-2 d\n## CRITERIA\ne\n`, 6, "T-2 has no OBJECTIVE"],
  ["a task with nothing but a heading", `# T-1 a\n${section}# T-2 d\ntext\n`, 6, "T-2 has no OBJECTIVE"],
  [
    "two objectives in one task",
    `# T-1 a\n${section}## OBJECTIVE\nd\n`,
    6,
    "a second OBJECTIVE in T-1: give each task a heading above its sections",
  ],
  ["check boxes beside the sections of a task file", `# T-1 a\n${section}## Tasks\n- [ ] d\n`, 7, outside],
  ["check boxes above the sections of a task file", `- [ ] d\n\n# T-1 a\n${section}`, 1, outside],
  ["a heading's box that is none", `## [] T-1 a\n${section}`, 1, "[] is no check box: write [ ] for open, [x] for done"],
  ["a key that stands twice in a task file", `# T-1 a\n${section}# T-1 b\n${section}`, 6, "the key T-1 stands twice: first in line 1"],
])("%s", (_name, text, line, reason) => {
  expect(plans.parse("plan.md", text)).toEqual(broken(line, reason));
});

test.each<[string, string, number, string]>([
  ["no JSON", "nothing", 1, "it is not valid JSON: invalid symbol"],
  ["a comma too many", '{"userStories": [\n{"title": "a"},\n]}', 3, "it is not valid JSON: value expected"],
  ["a comment", '{"userStories": [ // two\n]}', 1, "it is not valid JSON: invalid comment token"],
  ["a merge that is not settled (B094)", "{\n<<<<<<< HEAD\n}", 2, "a merge conflict is not settled: a conflict marker stands here"],
  ["an empty file", "", 1, "it is not valid JSON: value expected"],
  ["a list at the top", "[]", 1, "$ must be an object with userStories"],
  ["no stories", '{"stories": []}', 1, "$.userStories is missing: write a list of stories there"],
  ["an empty list", '{"userStories": []}', 0, threeForms],
  ["stories that are no list", '{"userStories": {}}', 1, "$.userStories must be a list"],
  ["a story that is none", '{"userStories": [{"title": "a"},\n7]}', 2, "$.userStories[1] must be an object"],
  ["a story without a title", '{"userStories": [{"id": "a"}]}', 1, "$.userStories[0].title is missing or empty"],
  ["an empty title", '{"userStories": [{"title": " "}]}', 1, "$.userStories[0].title is missing or empty"],
  ["a title that is no text", '{"userStories": [\n{"title": 7}]}', 2, "$.userStories[0].title must be text"],
  [
    "an id that is none",
    '{"userStories": [{"title": "a", "id": ["b"]}]}',
    1,
    "$.userStories[0].id must be one line of text, at most 100 characters",
  ],
  [
    "an id of two lines",
    '{"userStories": [{"title": "a", "id": "b\\nc"}]}',
    1,
    "$.userStories[0].id must be one line of text, at most 100 characters",
  ],
  [
    "a null where a mark is due (B070)",
    '{"userStories": [{"title": "a", "passes": null}]}',
    1,
    "$.userStories[0].passes must be true or false",
  ],
  [
    "criteria that are no list",
    '{"userStories": [{"title": "a", "acceptanceCriteria": "b"}]}',
    1,
    "$.userStories[0].acceptanceCriteria must be a list",
  ],
  [
    "a criterion that is no text",
    '{"userStories": [{"title": "a", "acceptanceCriteria": ["b",\n{}]}]}',
    2,
    "$.userStories[0].acceptanceCriteria[1] must be text",
  ],
  [
    "a criterion that cannot be understood",
    '{"userStories": [{"title": "a", "acceptanceCriteria": [\n"file: /b"]}]}',
    2,
    "`file: /b` cannot be checked: the path /b is absolute: write it from the root of the repository",
  ],
  ["a NUL that JSON can spell", '{"userStories": [{"title": "a", "notes": "\\u0000"}]}', 1, "$.userStories[0].notes must be text"],
  [
    "half a priority",
    '{"userStories": [{"title": "a", "priority": 1.5}]}',
    1,
    "$.userStories[0].priority must be a whole number from 0, or high, medium, low",
  ],
  [
    "a dependency that is no id",
    '{"userStories": [{"title": "a", "dependsOn": [null]}]}',
    1,
    "$.userStories[0].dependsOn[0] must be the id of a story",
  ],
  [
    "a dependency on an unknown id (B149)",
    '{"userStories": [{"id": "A", "title": "a",\n"dependsOn": ["B"]}]}',
    2,
    "A waits for B, which is not in the list",
  ],
  [
    "stories that wait for each other (B146)",
    '{"userStories": [{"id": "A", "title": "a", "dependsOn": ["B"]}, {"id": "B", "title": "b", "dependencies": ["A"]}]}',
    1,
    "tasks wait for each other: A -> B -> A",
  ],
  [
    "an id that stands twice",
    '{"userStories": [{"id": "A", "title": "a"},\n{"id": "a", "title": "b"}]}',
    2,
    "the key a stands twice: first in line 1",
  ],
  [
    "a field that stands twice",
    '{"userStories": [{"title": "a", "passes": true, "passes": false}]}',
    1,
    "$.userStories[0].passes stands twice",
  ],
  ["a deep nest", `{"userStories": ${"[".repeat(100)}`, 1, "it is nested more than 100 deep"],
])("prd.json: %s", (_name, text, line, reason) => {
  expect(plans.parse("prd.json", text)).toEqual(broken(line, reason));
});

test("every trouble is named with its line, in the file's order", () => {
  const text = "- [ ] T1 a\n- [-] T2 b\n- [ ] c\n  - file: ../x\n  - priority: soon\n";
  expect(plans.parse("plan.md", text)).toEqual({
    ...broken(2, "[-] is no check box: write [ ] for open, [x] for done"),
    more: [
      { line: 4, reason: "`file: ../x` cannot be checked: the path ../x leaves the repository" },
      { line: 5, reason: "`soon` is no priority: write a whole number from 0, or high, medium, low" },
    ],
  });
});

test("links, twins and ways round are named together", () => {
  const text = "- [ ] T1 a\n  - after: T9\n- [ ] T2 b\n  - after: T2\n- [ ] t1: c\n";
  expect(plans.parse("plan.md", text)).toMatchObject({ line: 2, more: [{ line: 3 }, { line: 5 }] });
  const stories = '{"userStories": [{"title": 7},\n{"title": "a", "passes": 1},\n{"title": "b", "dependsOn": 3}]}';
  expect(plans.parse("prd.json", stories)).toMatchObject({ line: 1, more: [{ line: 2 }, { line: 3 }] });
});

test("past twenty troubles nobody reads them", () => {
  const read = plans.parse("plan.md", "- [-] a\n".repeat(10_000));
  expect(read.kind === "broken" ? read.more : []).toHaveLength(19);
});

test.each<[string, string, string, number, string]>([
  ["a file over 5 MB (B153)", "plan.md", "- [ ] a\n".repeat(700_000), 0, "it has 5.3 MB; 5.0 MB is the limit"],
  [
    "a task over 256 KB (B153)",
    "plan.md",
    `- [ ] a\n- [ ] b\n  ${"c".repeat(300 * 1024)}\n- [ ] d\n`,
    2,
    "T2 has 301 KB of text; 256 KB is the limit for a task",
  ],
  [
    "a task over 256 KB in bytes alone (B153)",
    "plan.md",
    `- [ ] ${"€".repeat(100 * 1024)}\n`,
    1,
    "T1 has 301 KB of text; 256 KB is the limit for a task",
  ],
  [
    "a story over 256 KB (B153)",
    "prd.json",
    `{"userStories": [{"id": "A", "title": "a", "notes": "${"c".repeat(300 * 1024)}"}]}`,
    1,
    "A has 301 KB of text; 256 KB is the limit for a task",
  ],
  [
    "a section over 256 KB (B153)",
    "plan.md",
    `# T-1 a\n${section}${"c".repeat(300 * 1024)}\n`,
    1,
    "T-1 has 301 KB of text; 256 KB is the limit for a task",
  ],
])("%s", (_name, path, text, line, reason) => {
  expect(plans.parse(path, text)).toEqual(broken(line, reason));
});

test.each(fixtures)("%s that is cut short or in bits is a plan or refused, never an exception, and never half a write", (name) => {
  const text = readFixture(name);
  const marks = new Map([[taskKey("T1"), true]]);
  for (let cut = 0; cut <= text.length; cut += 7) {
    for (const piece of [text.slice(0, cut), text.slice(cut)]) {
      const read = plans.parse(name, piece);
      const written = plans.withMarks(name, piece, marks);
      if (read.kind === "broken") expect(written).toEqual({ text: piece, missing: ["T1"] });
    }
  }
});
