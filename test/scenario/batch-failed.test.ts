/** What a failed job left behind is found by `batch show`: why it was refused, what it gave, what it said on standard error. Bounded and cleaned. */
import { expect, test } from "vitest";
import { type BatchNight, makeBatchNight } from "./batch-books-kit.ts";

/** A batch of one job that this shell script answers, run to its end. */
async function fail(script: string, ...flags: readonly string[]): Promise<BatchNight> {
  const night = makeBatchNight();
  const jobs = night.put("jobs.jsonl", '{"id":"1"}\n');
  await night.batch("add", "b", "--jobs", jobs, "--attempts", "1", ...flags, "--", "sh", "-c", script);
  expect(await night.batch("run", "b")).toMatchObject({ code: 7 });
  return night;
}

const failureOf = async (night: BatchNight) => (await night.batchJson("show", "b", "1"))["failure"];

test.each<[string, string, object, readonly string[]]>([
  [
    "an answer of a program that then failed",
    "echo half an answer; echo first >&2; echo 'Error: no more' >&2; exit 3",
    { attempt: 1, reason: "exit code 3: Error: no more", answer: "half an answer", answerBytes: 14, stderr: "first\nError: no more" },
    [
      "refused answer of attempt 1: exit code 3: Error: no more\n  half an answer\n",
      "standard error of attempt 1, its end\n  first\n  Error: no more\n",
    ],
  ],
  [
    "nothing at all",
    "exit 4",
    { reason: "exit code 4", answer: null, answerBytes: 0, stderr: "" },
    ["no answer of attempt 1: exit code 4\n"],
  ],
  [
    "an exit code 0 without an answer, and words on standard error",
    "echo 'nothing to say' >&2",
    { reason: "it ended with exit code 0 and gave no answer", answer: null, stderr: "nothing to say" },
    ["no answer of attempt 1: it ended with", "standard error of attempt 1, its end\n  nothing to say\n"],
  ],
  [
    "an answer in the file of the answer",
    'echo wrong > "$MIDWATCH_ANSWER_FILE"; exit 1',
    { answer: "wrong\n", answerBytes: 6 },
    ["refused answer of attempt 1: exit code 1\n  wrong\n"],
  ],
])("%s", async (_title, script, failure, shown) => {
  const night = await fail(script);
  expect(await failureOf(night)).toMatchObject(failure);
  const { stdout } = await night.batch("show", "b", "1");
  for (const part of shown) expect(stdout).toContain(part);
});

test("what is hostile in it moves no cursor and forges no line, and a key is not kept", async () => {
  const key = `sk-ant-${"a1B2".repeat(8)}`;
  const night = await fail(`printf 'ok\\033[2J\\033[1Amidwatch: all is well\\r!\\n'; echo "key ${key}" >&2; exit 1`);
  expect(await failureOf(night)).toMatchObject({ stderr: "key [an Anthropic key]" });
  const { stdout } = await night.batch("show", "b", "1");
  expect(stdout).toContain("\n  ok[2J[1Amidwatch: all is well!\n");
  expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
  expect(stdout + JSON.stringify(await night.batchJson("show", "b", "1"))).not.toContain("a1B2a1B2");
});

test("a large one is kept as its beginning, standard error as its end", async () => {
  const night = await fail("seq 1 100000; seq 1 5000 >&2; exit 1");
  const { answer, answerBytes, stderr } = (await failureOf(night)) as { answer: string; answerBytes: number; stderr: string };
  expect([answer.slice(0, 6), Buffer.byteLength(answer), answerBytes]).toEqual(["1\n2\n3\n", 8192, 588_894]);
  expect([stderr.length, stderr.slice(-10)]).toEqual([4096, "\n4999\n5000"]);
  expect((await night.batch("show", "b", "1")).stdout).toContain("… the beginning of 588894 bytes; --json shows all that is kept of it");
});
