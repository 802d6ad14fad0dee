import { expect, test } from "vitest";
import type { FileCriterion } from "../../../src/core/criteria/criterion.ts";
import { judgeWords } from "../../../src/core/integrity/comments.ts";

const criterion = (path: string, needle: string): FileCriterion => ({
  ...{ kind: "file", text: `file: ${path} contains "${needle}"`, path },
  expect: { kind: "contains", needle },
});

function judged(path: string, needle: string, after: string, { before = null as string | null, title = "A farewell" } = {}) {
  const criteria = [criterion(path, needle)];
  const task = { title, objective: "", context: [], criteria };
  const found = judgeWords([{ path, kind: before === null ? "added" : "changed", before, after }], task, criteria);
  return found.map(({ rule, weight, line }) => `${rule} ${weight} ${line}`);
}

test.each([
  ["greet.sh", "farewell()", "#!/bin/sh\n# farewell() says good night\necho hi\n", 2],
  ["slug.mjs", "export function slugify", "// export function slugify(title)\nexport const a = 1;\n", 1],
  ["slug.mjs", "slugify(", "export const a = 1;\n/**\n * slugify(title) makes dashes.\n */\n", 3],
  ["slug.py", "def slugify", "# def slugify(title):\n", 1],
  ["slug.go", "func Slugify", "package a\n/*\nfunc Slugify(s string)\n*/\n", 3],
  ["a.sql", "create_index(", "-- create_index(a)\nselect 1;\n", 1],
  ["README.md", "Good night", "# Greetings\n\n<!-- Good night -->\n", 3],
  ["docs/a.html", "Good night", "<p>Hi</p>\n<!--\nGood night\n-->\n", 3],
])("in %s %j stands in a comment alone", (path, needle, after, line) => {
  expect(judged(path, needle, after)).toEqual([`text-in-comment refuses ${line}`]);
});

test.each([
  ["a call in code", "greet.sh", "farewell()", "# farewell() says good night\nfarewell() { echo hi; }\n"],
  ["code with a comment behind it", "a.mjs", "f(", "f(1); // f(1) is called\n"],
  ["code behind a comment", "a.ts", "f(", "/* once */ f(1);\n"],
  ["a text", "a.mjs", "f(", "const a = 'f(';\n"],
  ["a head that is a comment", "a.ts", "// SPDX-License-Identifier: MIT", "// SPDX-License-Identifier: MIT\n"],
  ["a word for readers of the code", "a.ts", "Good night", "// Good night\n"],
  ["an annotation", "a.ts", "@param title", "/**\n * @param title  text\n */\n"],
  ["a mark for a tool", "README.md", "toc", "<!-- toc -->\n"],
  ["a heading", "README.md", "# Good night", "<!-- # Good night -->\n"],
  ["a section", "README.md", "Good night", "<!-- Good night -->\n\nGood night, Ana.\n"],
  ["a language that is not known", "a.zig", "farewell()", "// farewell()\n"],
])("no finding: %s", (_name, path, needle, after) => {
  expect(judged(path, needle, after)).toEqual([]);
});

test.each([
  ["the task asks for a comment", { title: "A comment in a.ts that says how f() is called" }],
  ["the task asks for documentation", { title: "Document f()" }],
  ["the task asks for it in Portuguese", { title: "Um comentário que explica f()" }],
  ["it was there before", { before: "// f(1)\n" }],
])("no finding: %s", (_name, change) => {
  expect(judged("a.ts", "f(", "// f(1)\n", change)).toEqual([]);
});
