/** A recorded answer that does not fit meets a person's word: the model is asked anew, it is said what that costs, and the proof tells it from a second payment. */
import { expect, test } from "vitest";
import type { BatchSettings } from "../../src/core/batch/settings.ts";
import { type BatchNight, batch, makeBatchNight } from "./night-batch.ts";

const work: BatchSettings["work"] = {
  ...{ kind: "prompt" as const, provider: "anthropic" as const, model: "scripted", template: "Judge {{id}}.", maxOutputTokens: 100 },
  schema: { type: "object", properties: { verdict: { enum: ["yes", "no"] } }, required: ["verdict"], additionalProperties: false },
};

/** A model that says what it is told to, until it is told otherwise. */
async function makePromptNight(ids: readonly string[], said: Readonly<Record<string, unknown>>) {
  const mind = { says: said };
  const steps = () => ({ tools: [{ name: "answer", input: mind.says }], usage: { input: 7, output: 20 }, costMicroUsd: 400 });
  const night = await makeBatchNight({ jobs: ids.map((id) => ({ id })), settings: { work, slots: 2 }, conversations: [{ steps }] });
  return { ...night, mind, command: (...args: readonly string[]) => night.run(["batch", ...args], { cwd: night.folder }) };
}

const run = async (night: BatchNight) => (await night.supervise().ended).code;

test("an answer that does not fit its schema is served at each try, until a person has it asked anew", async () => {
  const night = await makePromptNight(["1"], { verdict: "perhaps" });
  expect(await run(night)).toBe(7);
  expect(await night.command("retry", batch)).toMatchObject({
    ...{ code: 0, stdout: "1 job of batch night will be tried again\n" },
    stderr: expect.stringContaining("1 recorded answer will be served again at no cost; with --anew"),
  });
  night.mind.says = { verdict: "yes" };
  expect(await run(night)).toBe(7);
  expect(night.invoice()).toHaveLength(1);

  const why = 'exit code 1: midwatch: the answer does not satisfy the schema: verdict: Invalid option: expected one of "yes"|"no"';
  const shown = JSON.parse((await night.command("show", batch, "1", "--json")).stdout);
  expect(shown).toMatchObject({ answer: null, failure: { attempt: 3, round: 0, answer: '{"verdict":"perhaps"}', answerBytes: 21 } });
  expect((await night.command("show", batch, "1")).stdout).toContain(
    `\nrefused answer of attempt 3: ${shown.failure.reason}\n  {"verdict":"perhaps"}\n`,
  );
  expect(shown.failure.reason.replaceAll("\\", "")).toBe(why);

  const dry = await night.command("retry", batch, "1", "--anew", "--dry-run");
  expect(dry).toMatchObject({ code: 0, stdout: "1 job of batch night would be asked anew; nothing was changed\n" });
  expect(dry.stderr).toMatch(
    /1 call of 1 job will be asked and paid again: they cost \$0\.0004 before, now at most \$0\.\d+; the cap of the batch leaves/,
  );
  expect(await night.job("1")).toMatchObject({ state: "failed", round: 0 });

  const marked = await night.command("retry", batch, "1", "--anew");
  expect(marked).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("will be asked and paid again"),
    stdout: expect.stringContaining("will be asked anew"),
  });
  expect(await run(night)).toBe(0);
  expect(await night.answer("1")).toEqual({ verdict: "yes" });
  expect(night.invoice()).toHaveLength(2);
  expect((await night.rows()).map(({ key, state }) => [key.seq, key.try, state])).toEqual([
    [1, 1, "done"],
    [1, 2, "done"],
  ]);
});

test("what was paid anew is listed as such, with and without a witness, and the proof holds", async () => {
  const night = await makePromptNight(["1", "2"], { verdict: "perhaps" });
  await run(night);
  const told = await night.command("retry", batch, "--anew", "--json");
  expect(JSON.parse(told.stdout)).toMatchObject({ retried: 2, anew: { jobs: 2, calls: 2, costMicroUsd: 800 } });
  night.mind.says = { verdict: "no" };
  expect(await run(night)).toBe(0);
  const said = /; 2 calls were paid anew on a person's word, for \$0\.0008\n/;
  const listed =
    / {2}paid anew, for a person asked for it with batch retry --anew: 2 calls\n(?: {4}night:2.*\n)? {4}night:1:v1#1\.2 {2}round 1 {2}\$0\.0004\n/;
  for (const args of [
    ["prove", batch],
    ["prove", batch, "--witness", night.invoicePath],
  ]) {
    const { code, stdout } = await night.command(...args);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(said) });
    expect(stdout).toMatch(listed);
  }
  expect(await night.run(["ledger", "prove", "--batch", batch], { cwd: night.folder })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(said),
  });
  await night.command("archive", batch);
  expect(await night.command("prove", batch, "--job", "1")).toMatchObject({ code: 0, stdout: expect.stringMatching(said) });
});

test("two supervisors that go on after that word pay each call once", async () => {
  const ids = ["1", "2", "3", "4", "5", "6"];
  const night = await makePromptNight(ids, { verdict: "perhaps" });
  await run(night);
  await night.command("retry", batch, "--anew");
  night.mind.says = { verdict: "yes" };
  const ends = await Promise.all([night.supervise().ended, night.supervise().ended]);
  expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  expect((await night.jobs()).map(({ state, round }) => [state, round])).toEqual(ids.map(() => ["done", 1]));
  expect(night.invoice()).toHaveLength(2 * ids.length);
});
