/** What is a key at the start of a title, and which key a task without one gets. */
import { expect, test } from "vitest";
import { readTitle } from "../../src/core/task-title.ts";
import { tasksOf } from "./plans-values.ts";

test.each<[string, string | null, string]>([
  ["T-040 Home screen", "T-040", "Home screen"],
  ["T1 Home", "T1", "Home"],
  ["T001 [P] [US1] Home", "T001", "[P] [US1] Home"],
  ["US-001 Home", "US-001", "Home"],
  ["US-AUTH-001 Home", "US-AUTH-001", "Home"],
  ["TASK-7: Home", "TASK-7", "Home"],
  ["TASK-7 : Home", "TASK-7", "Home"],
  ["1.1 Home", "1.1", "Home"],
  ["1.2.3. Home", "1.2.3", "Home"],
  ["3. Home", "3", "Home"],
  ["3) Home", "3", "Home"],
  ["T-040 - Home", "T-040", "Home"],
  ["T-040 — Home", "T-040", "Home"],
  ["T-040. Home", "T-040", "Home"],
  ["**T-040** Home", "T-040", "Home"],
  ["**T-040**: Home", "T-040", "Home"],
  ["**T-040:** Home", "T-040", "Home"],
  ["**T-040: Home**", "T-040", "Home"],
  ["**T-040 Home** and more", "T-040", "Home and more"],
  ["__T-040__ Home", "T-040", "Home"],
  ["[T-040] Home", "T-040", "Home"],
  ["[T-040](docs/t.md) Home", "T-040", "Home"],
  ["(T-040) Home", "T-040", "Home"],
  ["`T-040` Home", "T-040", "Home"],
  ["[S3] Home", "S3", "Home"],
  ["S3: Home", "S3", "Home"],
  ["step2: Home", "step2", "Home"],
  ["Task 7: Home", "T7", "Home"],
  ["Tarefa 7 - Home", "T7", "Home"],
  ["T-2a Home", "T-2a", "Home"],
  ["T-040", "T-040", "T-040"],
  ["T-040:", "T-040", "T-040"],
  ["Task 7", "T7", "T7"],
  ["  T-040   Home \t screen ", "T-040", "Home screen"],
  ["UTF-8 support", null, "UTF-8 support"],
  ["ISO-8601 dates", null, "ISO-8601 dates"],
  ["S3 upload", null, "S3 upload"],
  ["OAuth2 sign-in", null, "OAuth2 sign-in"],
  ["H1 heading", null, "H1 heading"],
  ["IPv6 addresses", null, "IPv6 addresses"],
  ["2 more tests", null, "2 more tests"],
  ["10:30 is the time", null, "10:30 is the time"],
  ["Note: write it down", null, "Note: write it down"],
  ["Follow T-040", null, "Follow T-040"],
  ["Task seven: Home", null, "Task seven: Home"],
  ["**S3** upload", null, "**S3** upload"],
  ["**Home screen**", null, "Home screen"],
  ["[x] in brackets", null, "[x] in brackets"],
  ["T1000000000000 is too long", null, "T1000000000000 is too long"],
])("%j has the key %j", (text, key, title) => {
  expect(readTitle(text)).toEqual({ key, title });
});

test.each<[string, string, string[]]>([
  ["made keys count the tasks without one", "- [ ] a\n- [ ] T-9 b\n- [ ] c", ["T1", "T-9", "T2"]],
  [
    "made keys leave out those that are taken, also further down and in another case (B114)",
    "- [ ] a\n- [ ] b\n- [ ] c\n- [ ] t1: d\n- [ ] T3 e",
    ["T2", "T4", "T5", "t1", "T3"],
  ],
])("%s", (_name, text, keys) => {
  expect(tasksOf("plan.md", text).map((task) => task.key)).toEqual(keys);
});

test("a dependency may name a made key, and is known by the list's own spelling", () => {
  expect(tasksOf("plan.md", "- [ ] a\n- [ ] T-9 b\n  after: t1\n- [ ] c\n  after: t-9").map((task) => task.dependsOn)).toEqual([
    [],
    ["T1"],
    ["T-9"],
  ]);
});
