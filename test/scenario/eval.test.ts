/** `midwatch eval` in the built program: its price, its key, its store, its scores, two versions beside each other, and what never mixes. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeBatchNight } from "./batch-books-kit.ts";
import { atTerminal, hasTerminal } from "./cli-terminal.ts";
import { makeEvaluation } from "./eval-kit.ts";
import { writeProgram } from "./kit.ts";

test("the price is said and agreed to, the answers are scored, and what has not changed is not paid again", async () => {
  const scene = await makeEvaluation();
  expect(await scene.add("v1", "right")).toMatchObject({ code: 0, stdout: "evaluation capitals, version v1: 4 jobs\n" });

  const unasked = await scene.eval("run", "capitals");
  expect(unasked).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("nobody is here to say yes to the price: 4 jobs of unknown price"),
  });
  expect(scene.charges()).toEqual([]);

  const first = await scene.eval("run", "capitals", "--yes");
  expect(first).toMatchObject({ code: 0 });
  expect(first.stderr).toContain("4 jobs of unknown price: at most US$ 50.00, which is what its cap leaves");
  expect(first.stdout).toMatch(/mean score\s+0\.750 over 4 jobs, by exact/);
  expect(first.stdout).toMatch(/failures\s+0 of 4 jobs gave no answer/);
  expect(first.stdout).toMatch(/cost\s+US\$ 0\.0024 in 4 calls/);
  expect(first.stdout).toContain("  4  0.000  it is another answer");
  expect(scene.charges()).toHaveLength(4);

  // Unchanged: nothing is asked, paid or needed, not even the key.
  const again = await scene.eval("run", "capitals", { env: { MIDWATCH_EVAL_KEY: undefined } });
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("has not changed since it was answered: nothing is paid") });
  expect(scene.charges()).toHaveLength(4);

  // Another version: its price is what a job cost the last time.
  await scene.add("v2", "wrong");
  const second = await scene.eval("run", "capitals", "--yes");
  expect(second.stderr).toContain("4 x US$ 0.0006 = US$ 0.0024 (by the last run, of version v1)");
  expect(scene.charges()).toHaveLength(8);
});

test("every call goes out with the evaluations' own key, and the program sees neither keys nor references", async () => {
  const scene = await makeEvaluation();
  await scene.add("v1", "spy");
  expect(await scene.eval("run", "capitals", "--yes")).toMatchObject({ code: 0 });
  expect(new Set(scene.keys())).toEqual(new Set(["sk-eval"]));
  const seen = readFileSync(join(scene.folder, "seen.txt"), "utf8");
  expect(seen).toContain('{"id":"1","country":"France"}');
  expect(seen).not.toMatch(/expected|Paris|sk-eval|sk-night/);
});

test("without its key an evaluation does not begin, whatever other keys there are", async () => {
  const scene = await makeEvaluation();
  await scene.add("v1", "right");
  const refused = await scene.eval("run", "capitals", "--yes", { env: { MIDWATCH_EVAL_KEY: undefined } });
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("an evaluation has a key of its own, and MIDWATCH_EVAL_KEY is not set"),
  });
  expect(scene.charges()).toEqual([]);
});

test("nothing of an evaluation is in the store of the night, and a batch refuses its jobs", async () => {
  const scene = await makeEvaluation();
  await scene.add("v1", "right");
  await scene.eval("run", "capitals", "--yes");
  expect(existsSync(join(scene.state, "eval/midwatch.db"))).toBe(true);
  expect(existsSync(join(scene.state, "midwatch.db"))).toBe(false);

  // The same lines; without references and in another order; and under other names.
  const bare = scene.put("bare.jsonl", '{"country":"Spain","id":"2"}\n{"id":"9","country":"Japan"}\n');
  const lists: readonly (readonly [string, readonly string[], string])[] = [
    [scene.set, [], "1, 2, 3, 4"],
    [bare, [], "2"],
    [bare, ["--by-line"], "1"],
  ];
  for (const [list, more, ids] of lists)
    expect(await scene.batch("add", "night", "--jobs", list, ...more, "--", "cat")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(new RegExp(`jobs? of the list ask what evaluation capitals asks: ${ids}\\n`)),
    });
  const other = scene.put("other.jsonl", '{"id":"9","country":"Japan"}\n');
  expect(await scene.batch("add", "night", "--jobs", other, "--", "cat")).toMatchObject({ code: 0 });
  expect(await scene.batchJson("status")).toMatchObject({ batches: [{ batch: "night", money: { calls: 0 } }] });
  expect((await scene.evalJson("status"))["evaluations"]).toMatchObject([{ evaluation: "capitals", version: "v1", meanScore: 0.75 }]);
});

test("two versions beside each other: wins, losses, ties, mean and spread", async () => {
  const scene = await makeEvaluation();
  for (const [version, how] of [
    ["v1", "wrong"],
    ["v2", "right"],
  ] as const) {
    await scene.add(version, how);
    await scene.eval("run", "capitals", "--yes");
  }
  expect(await scene.evalJson("compare", "capitals", "v1", "v2")).toMatchObject({
    ...{ a: "v1", b: "v2", wins: 3, losses: 0, ties: 1, leftOut: [], meanA: 0, meanB: 0.75, spread: 0.5, pValue: expect.closeTo(0.25, 9) },
    costMicroUsd: { a: 2400, b: 2400 },
  });
  const { stdout } = await scene.eval("compare", "capitals", "v1", "v2");
  for (const part of [/^capitals {2}v2 beside v1, by exact/, /1 +0\.000 +1\.000 +\+1\.000/, /3 wins, 0 losses, 1 tie/, /p = 0\.25/])
    expect(stdout).toMatch(part);
});

test("references and scorers may change: answers are scored anew and not paid anew", async () => {
  const scene = await makeEvaluation();
  await scene.add("v1", "right");
  await scene.eval("run", "capitals", "--yes");
  scene.put("set.jsonl", readFileSync(scene.set, "utf8").replace("Bern", "Paris"));
  expect((await scene.add("v1", "right")).stdout).toBe("evaluation capitals, version v1: 4 jobs, 4 known, 1 reference changed\n");
  expect((await scene.eval("run", "capitals")).stdout).toMatch(/mean score\s+1\.000/);

  const scorer = writeProgram(
    join(scene.folder, "score.mjs"),
    `#!${process.execPath}
import { readFileSync } from "node:fs";
const { job, expected, answer } = JSON.parse(readFileSync(0, "utf8"));
if (job.id === "3") process.exit(3);
console.log(JSON.stringify({ score: answer.trim() === expected ? 0.5 : 0, why: Object.keys(process.env).filter((name) => /KEY|ANTHROPIC/.test(name)).join() }));
`,
  );
  await scene.add("v1", "right", `program:${scorer}`);
  expect(await scene.eval("run", "capitals")).toMatchObject({
    code: 7,
    stdout: expect.stringMatching(/unscored\s+1 answer: the scorer could not tell/),
  });
  expect(await scene.evalJson("report", "capitals")).toMatchObject({
    ...{ meanScore: 0.5, unscored: 1, calls: 4 },
    lines: [
      { score: 0.5, why: "" },
      { score: 0.5 },
      { score: null, why: expect.stringContaining("the scorer failed: exit code 3") },
      { score: 0.5 },
    ],
  });
  expect(scene.charges()).toHaveLength(4);
});

test("a job that fails has a score of 0, and its cap ends an evaluation as it ends a batch", async () => {
  const scene = await makeEvaluation();
  await scene.add("v1", "fails");
  expect(await scene.eval("run", "capitals", "--yes")).toMatchObject({
    code: 7,
    stdout: expect.stringMatching(/mean score\s+0\.500 over 4 jobs[\s\S]*failures\s+1 of 4 jobs gave no answer, and have a score of 0/),
  });
  await scene.add("v2", "right", "exact", "--cap", "0.001");
  const capped = await scene.eval("run", "capitals", "--yes");
  expect(capped).toMatchObject({ code: 4, stderr: expect.stringContaining("; it pauses at US$ 0.001") });
});

test("of a prompt the price is an upper estimate before it has run, and what was paid is below it", async () => {
  const scene = await makeEvaluation();
  const prompt = scene.put("prompt.md", "The capital of {{country}}, in one word.");
  const words = ["add", "capitals", "--set", scene.set, "--score", "regex", "--prompt", prompt, "--model", "claude-sonnet-4-5"];
  expect(await scene.eval(...words, "--max-tokens", "50", "--version", "p")).toMatchObject({ code: 0 });
  const { code, stdout, stderr } = await scene.eval("run", "capitals", "--yes", "--json");
  const lines = [
    stdout
      .trimEnd()
      .split("\n")
      .map((text) => JSON.parse(text)),
  ].flat();
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(lines[0]).toMatchObject({ kind: "price", jobs: 4, each: { kind: "estimate" } });
  expect(lines.at(-1)).toMatchObject({ kind: "report", jobs: 4, failed: 0, meanScore: 0, costMicroUsd: 2400 });
  expect(lines[0].totalMicroUsd).toBeGreaterThan(2400);
  expect(new Set(scene.keys())).toEqual(new Set(["sk-eval"]));
});

test.runIf(hasTerminal)("at a terminal it asks, and takes no silence for a yes", async () => {
  const scene = await makeEvaluation();
  await scene.add("v1", "right");
  const repo = { ...scene.repo, path: scene.folder };
  const asked = atTerminal({ env: { ...scene.env, ...scene.keysIn }, repo }, "eval run capitals");
  await expect.poll(asked.shown, { timeout: 20_000 }).toContain("Pay that? [y/N]");
  asked.type("\n");
  expect(await asked.code()).toBe(2);
  expect(asked.shown()).toContain("the price was not agreed to");
  expect(scene.charges()).toEqual([]);
});

type Row = readonly [title: string, set: string, args: readonly string[], message: RegExp];
const line = '{"id":"1","q":"?","expected":"a("}\n';

test.each<Row>([
  ["a line without a reference", `${line}{"id":"2"}\n`, ["--score", "exact", "--", "cat"], /job 2 of the set: it has no field expected/],
  ["a pattern that is none", line, ["--score", "regex", "--", "cat"], /job 1 of the set: its expected is no pattern/],
  ["fields of no object", line, ["--score", "json:a", "--", "cat"], /job 1 of the set: its expected is no JSON object/],
  ["no scorer", line, ["--", "cat"], /nothing says what answers are held against/],
  ["a scorer that is none", line, ["--score", "best", "--", "cat"], /--score "best" is no scorer/],
  ["a scorer that is not there", line, ["--score", "program:none.sh", "--", "cat"], /none\.sh/],
  ["no command", line, ["--score", "exact"], /nothing says what answers a job/],
  ["a broken line", '{"id":1\n', ["--score", "exact", "--", "cat"], /set\.jsonl:1: this is no JSON/],
])("%s is refused in one line, and nothing is added", async (_title, set, args, message) => {
  const night = makeBatchNight();
  const refused = await night.run(["eval", "add", "e", "--set", night.put("set.jsonl", set), ...args], { cwd: night.folder });
  expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(message) });
  expect(await night.run(["eval", "status"], { cwd: night.folder })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("there is no evaluation yet"),
  });
});
