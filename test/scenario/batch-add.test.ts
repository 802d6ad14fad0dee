/** `midwatch batch add` in the built program: what is taken, and what is refused before anything is written. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type BatchNight, echo, makeBatchNight } from "./batch-books-kit.ts";
import { writeProgram } from "./kit.ts";

const jobs = '{"id":1,"q":"a"}\n{"id":2,"q":"b"}\n';

test("a list is added, added again, and grows; nothing is started", async () => {
  const night = makeBatchNight();
  const add = () => night.batchJson("add", "b", "--jobs", night.put("jobs.jsonl", jobs), "--version", "v3", "--", ...echo);
  expect(await add()).toEqual({ batch: "b", version: "v3", jobs: 2, added: 2, known: 0 });
  expect(await add()).toEqual({ batch: "b", version: "v3", jobs: 2, added: 0, known: 2 });
  const more = await night.batch("add", "b", "--jobs", night.put("more.jsonl", `${jobs}{"id":3}\n`), "--version", "v3", "--", ...echo);
  expect(more).toMatchObject({ code: 0, stdout: "batch b, version v3: 3 jobs, 2 known\n" });
  expect(await night.batchJson("status", "b")).toMatchObject({
    ...{ batch: "b", version: "v3", state: "open", jobs: 3, seats: [], slots: 4 },
    counts: { pending: 3, running: 0, done: 0, failed: 0, attempts: 0 },
    money: { spentMicroUsd: 0, capMicroUsd: 150_000_000, calls: 0, unknown: 0 },
  });
});

test("without --version it is the hash of the command, and the command is kept byte for byte", async () => {
  const night = makeBatchNight();
  const list = night.put("jobs.jsonl", jobs);
  const version = async (name: string, ...command: readonly string[]) =>
    (await night.batchJson("add", name, "--jobs", list, "--", ...command))["version"];
  const first = await version("a", "cat", "--version", "--", "-x");
  expect(first).toMatch(/^[0-9a-f]{12}$/);
  expect(await version("b", "cat", "--version", "--", "-x")).toBe(first);
  expect(await version("c", "cat", "--version", "-x")).not.toBe(first);
});

test("CSV files and folders are lists too", async () => {
  const night = makeBatchNight();
  expect(
    await night.batchJson("add", "csv", "--jobs", night.put("jobs.csv", 'n,q\r\n7,"a, b"\r\n'), "--id", "n", "--", ...echo),
  ).toMatchObject({ added: 1 });
  mkdirSync(join(night.folder, "list"));
  night.put("list/one.txt", "1");
  night.put("list/two.txt", "2");
  expect(await night.batchJson("add", "dir", "--jobs", "list", "--", ...echo)).toMatchObject({ added: 2 });
});

type Row = readonly [title: string, args: (night: BatchNight) => readonly string[], message: RegExp];
const list = (night: BatchNight, text = jobs) => night.put("jobs.jsonl", text);

test.each<Row>([
  ["a broken line", (n) => ["b", "--jobs", list(n, '{"id":1}\n{"id":2\n'), "--", ...echo], /jobs\.jsonl:2: this is no JSON/],
  ["twins", (n) => ["b", "--jobs", list(n, '{"id":1}\n{"id":1}\n'), "--", ...echo], /jobs\.jsonl:2: the id "1" is in line 1 already/],
  ["a list that is not there", () => ["b", "--jobs", "none.jsonl", "--", ...echo], /none\.jsonl: there is no such file or folder/],
  ["no list", () => ["b", "--", ...echo], /a batch needs its list of jobs/],
  ["no command", (n) => ["b", "--jobs", list(n)], /nothing says what answers a job/],
  [
    "a command that does not exist",
    (n) => ["b", "--jobs", list(n), "--", "no-such-program"],
    /there is no program "no-such-program" in PATH/,
  ],
  [
    "a command that may not be run",
    (n) => ["b", "--jobs", list(n), "--", n.put("plain.txt", "text")],
    /plain\.txt is not a program that may be run/,
  ],
  ["a name with a slash", (n) => ["../b", "--jobs", list(n), "--", ...echo], /the name of a batch has 1 to 100 of/],
  ["a version with a colon", (n) => ["b", "--jobs", list(n), "--version", "a:b", "--", ...echo], /a version has 1 to 100 of/],
  ["a name that stands after the dashes", (n) => ["--jobs", list(n), "--", "b", ...echo], /the name of the batch stands before --/],
  ["slots without end", (n) => ["b", "--jobs", list(n), "--slots", "1000", "--", ...echo], /--slots.*whole number from 1 to 64/],
  ["a lease in words", (n) => ["b", "--jobs", list(n), "--lease", "long", "--", ...echo], /--lease.*must be a duration/],
  ["a folder that is none", (n) => ["b", "--jobs", list(n), "--cwd", "nowhere", "--", ...echo], /--cwd "nowhere" is no folder/],
  [
    "a field that is no pointer",
    (n) => ["b", "--jobs", list(n), "--volatile", "user", "--", ...echo],
    /--volatile "user" is no JSON pointer/,
  ],
  [
    "two ways to name jobs",
    (n) => ["b", "--jobs", list(n), "--id", "q", "--by-line", "--", ...echo],
    /give --id FIELD or --by-line, not both/,
  ],
  [
    "a command and a prompt",
    (n) => ["b", "--jobs", list(n), "--prompt", "p.md", "--", ...echo],
    /give a command after -- or --prompt FILE, not both/,
  ],
  ["a model for a command", (n) => ["b", "--jobs", list(n), "--model", "m", "--", ...echo], /--model goes with --prompt FILE/],
  ["a prompt without a model", (n) => ["b", "--jobs", list(n), "--prompt", n.put("p.md", "{{q}}")], /--prompt needs --model NAME/],
  [
    "a prompt that is not there",
    (n) => ["b", "--jobs", list(n), "--prompt", "p.md", "--model", "claude-sonnet-4-5"],
    /p\.md: there is no such file/,
  ],
  [
    "a prompt for a field that no job has",
    (n) => ["b", "--jobs", list(n), "--prompt", n.put("p.md", "{{x}}"), "--model", "claude-sonnet-4-5"],
    /job 1 has no field x, which the prompt asks for/,
  ],
  [
    "a model without a price",
    (n) => ["b", "--jobs", list(n), "--prompt", n.put("p.md", "{{q}}"), "--model", "nobody-knows"],
    /no price of nobody-knows at anthropic is known/,
  ],
  [
    "a schema that is no JSON",
    (n) => ["b", "--jobs", list(n), "--prompt", n.put("p.md", "{{q}}"), "--model", "claude-sonnet-4-5", "--schema", n.put("s.json", "{")],
    /s\.json: this is no JSON/,
  ],
  [
    "a schema that is none",
    (n) => [
      "b",
      "--jobs",
      list(n),
      "--prompt",
      n.put("p.md", "{{q}}"),
      "--model",
      "claude-sonnet-4-5",
      "--schema",
      n.put("s.json", '{"type":"objekt"}'),
    ],
    /s\.json: this is no JSON Schema/,
  ],
])("%s is one line, and nothing is written", async (_title, args, message) => {
  const night = makeBatchNight();
  const { code, stdout, stderr } = await night.batch("add", ...args(night));
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  const [line, next, ...rest] = stderr.split("\n");
  expect(line).toMatch(message);
  expect(line).toMatch(/^midwatch: /);
  expect(next).toMatch(/^( {2}next: .+)?$/);
  expect(rest.join("")).toBe("");
  expect(existsSync(join(night.folder, "state/midwatch/midwatch.db"))).toBe(false);
});

test("a prompt batch is added when its model has a price", async () => {
  const night = makeBatchNight();
  const prompt = night.put("p.md", "Answer: {{q}}");
  const schema = night.put("s.json", '{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}');
  const args = ["--jobs", list(night), "--prompt", prompt, "--model", "my-model", "--schema", schema];
  expect(await night.batch("add", "p", ...args)).toMatchObject({ code: 2 });
  expect(await night.run(["prices", "set", "my-model", "--input", "1", "--output", "2"])).toMatchObject({ code: 0 });
  expect(await night.batch("add", "p", ...args)).toMatchObject({ code: 0 });
});

test("a changed job under the same key is refused with its id, and nothing of the list is added", async () => {
  const night = makeBatchNight();
  await night.batch("add", "b", "--jobs", list(night), "--", ...echo);
  const changed = await night.batch("add", "b", "--jobs", list(night, '{"id":3}\n{"id":2,"q":"other"}\n'), "--", ...echo);
  expect(changed).toMatchObject({ code: 2, stderr: expect.stringContaining("1 job of batch b would be changed: 2\n") });
  expect(changed.stderr).toContain("--version");
  expect(await night.batchJson("status", "b")).toMatchObject({ jobs: 2 });
});

test("another command, or another setting in words, is another batch", async () => {
  const night = makeBatchNight();
  await night.batch("add", "b", "--jobs", list(night), "--slots", "2", "--", ...echo);
  const again = (...more: readonly string[]) => night.batch("add", "b", "--jobs", list(night), ...more);
  expect(await again("--", "cat", "-u")).toMatchObject({ code: 2, stderr: expect.stringContaining("is there in version") });
  expect(await again("--slots", "3", "--", ...echo)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("was added with slots 2, not 3"),
  });
  expect(await again("--", ...echo)).toMatchObject({ code: 0 });
});

test("a program in the batch's folder is found by its path", async () => {
  const night = makeBatchNight();
  writeProgram(join(night.folder, "answer.sh"), "#!/bin/sh\ncat\n");
  expect(await night.batch("add", "b", "--jobs", list(night), "--", "./answer.sh")).toMatchObject({ code: 0 });
  expect(await night.batch("add", "c", "--jobs", list(night), "--cwd", "/", "--", "./answer.sh")).toMatchObject({ code: 2 });
});

test("without any batch each command says how to begin", async () => {
  const night = makeBatchNight();
  for (const args of [["status"], ["report", "b"], ["prove", "b"], ["archive", "b"]])
    expect(await night.batch(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining("midwatch batch add NAME") });
});
