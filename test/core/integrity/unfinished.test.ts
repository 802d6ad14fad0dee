import { expect, test } from "vitest";
import type { FunctionFacts, SourceFacts } from "../../../src/core/integrity/source.ts";
import type { SourcesInput } from "../../../src/core/integrity/source-rules.ts";
import { aFunction, changed, file, judged } from "./source-facts.ts";

const path = "src/parse.mjs";
const functions = (...all: readonly FunctionFacts[]): SourceFacts => file({ functions: all });
const stub = functions(aFunction({ name: "parse", stub: { owner: null } }));
const words = "parse(text) gives the colour";

test.each<[string, SourceFacts, SourceFacts | null, Partial<SourcesInput>, readonly string[]]>([
  ["of what the task names", stub, null, { words }, [`unfinished refuses ${path}:1`]],
  ["of a helper that the task does not name", stub, null, { words: "parser(text) gives the colour" }, [`unfinished remark ${path}:1`]],
  ["that the task asks for", stub, null, { words: "A stub of parse(text)" }, [`unfinished remark ${path}:1`]],
  ["that the task asks for in Portuguese", stub, null, { words: "parse(text): só o esqueleto" }, [`unfinished remark ${path}:1`]],
  [
    "of a class, both named",
    functions(aFunction({ name: "parse", stub: { owner: "Roman" } })),
    null,
    { words: "A class Roman with parse(text)" },
    [`unfinished refuses ${path}:1`],
  ],
  [
    "of a class that the task does not name",
    functions(aFunction({ name: "parse", stub: { owner: "Base" } })),
    null,
    { words },
    [`unfinished remark ${path}:1`],
  ],
  [
    "of a base class",
    functions(aFunction({ name: "parse", stub: { owner: "Roman" } })),
    null,
    { words: "A base class Roman whose parse(text) is for others" },
    [`unfinished remark ${path}:1`],
  ],
  ["that was there before", stub, stub, { words }, []],
  [
    "beside the function of that name for another system",
    functions(aFunction({ name: "parse" }), aFunction({ name: "parse", stub: { owner: null } })),
    null,
    { words },
    [],
  ],
  ["no stub", functions(aFunction({ name: "parse" })), null, { words }, []],
])("a stub: %s", (_name, after, before, input, expected) => {
  expect(judged([changed(path, after, before, before === null ? undefined : [])], input)).toEqual(expected);
});

test("a stub in a test is the test's own", () => {
  expect(judged([changed("test/parse.mjs", stub)], { words })).toEqual([]);
});

const empty = file({ isEmpty: true });

test.each<[string, string, Partial<SourcesInput>, readonly string[]]>([
  ["of comments that the task names", "backup.py", { words: "backup.py copies" }, ["unfinished refuses backup.py:all"]],
  ["that the task does not name", "backup.py", { named: new Set(), words: "A backup" }, []],
  ["that the task wants empty", "backup.py", { words: "An empty backup.py" }, []],
  ["that the task wants as comments", "settings.example.py", { words: "settings.example.py with each setting in a comment" }, []],
  ["that marks a package", "pkg/__init__.py", { words: "pkg/__init__.py" }, []],
  ["of types alone", "src/a.d.ts", { words: "src/a.d.ts" }, []],
])("a file without a statement: %s", (_name, where, input, expected) => {
  expect(judged([changed(where, empty)], { named: new Set([where]), ...input })).toEqual(expected);
});

test("an emptied file is no new one", () => {
  expect(judged([changed("backup.py", empty, file())], { named: new Set(["backup.py"]) })).toEqual([]);
});

const off = (definedAt: number) => functions(aFunction({ name: "isQuiet", offSwitch: { name: "enabled", line: 4, definedAt } }));

test.each<[string, SourceFacts, readonly number[], string, readonly string[]]>([
  ["that came with it", off(2), [2, 3, 4, 5], "isQuiet(hour) is true at night", ["never-runs refuses src/notify.ts:4"]],
  ["that the task asks for", off(2), [2, 3, 4, 5], "isQuiet(hour), off by default", ["never-runs remark src/notify.ts:4"]],
  ["that the task asks for in Portuguese", off(2), [2, 3, 4, 5], "isQuiet(hour), com uma opção", ["never-runs remark src/notify.ts:4"]],
  ["that was there before", off(2), [3, 4, 5], "isQuiet(hour) is true at night", []],
  ["of code that was there before", off(2), [2, 5], "isQuiet(hour) is true at night", []],
])("a switch that is off: %s", (_name, after, lines, task, expected) => {
  expect(judged([changed("src/notify.ts", after, file(), lines)], { words: task })).toEqual(expected);
});

const yes = (owner: string) => file({ yesToAll: [{ owner, line: 5 }] });

test.each<[string, string, SourceFacts, SourceFacts | null, string, readonly string[]]>([
  ["of a class with fields", "vector.py", yes("Vector"), null, "Vectors: == by value", ["yes-to-all refuses vector.py:5"]],
  ["of a wildcard", "match.py", yes("AnyOf"), null, "A matcher", ["yes-to-all remark match.py:5"]],
  ["that the task asks for", "vector.py", yes("Zero"), null, "Zero is equal to everything", ["yes-to-all remark vector.py:5"]],
  ["that was so before", "vector.py", yes("Vector"), yes("Vector"), "Vectors: == by value", []],
  ["of a helper of tests", "tests/any.py", yes("Vector"), null, "Vectors: == by value", []],
])("an equality that says yes to all: %s", (_name, where, after, before, task, expected) => {
  expect(judged([changed(where, after, before)], { words: task })).toEqual(expected);
});
