/** The bill of a real night beside its ledger: they agree call by call, also when answers were cut, the provider failed, or everything was killed in the midst of a call. */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCalls } from "./booked.ts";
import { makeSpendNight, type SpendNight } from "./money-kit.ts";

async function reconcile(night: SpendNight, path = night.invoicePath) {
  const { code, stdout } = await night.run(["ledger", "reconcile", path, "--run", "last", "--json"]);
  return { code, ...JSON.parse(stdout) };
}

test("a night in both formats, streamed and not, agrees with its bill, and proves itself", async () => {
  const both = (["anthropic", "openai"] as const).flatMap((format) => [
    { max: 100, format, times: 2 },
    { max: 100, format, stream: true },
  ]);
  const night = await makeSpendNight({ windows: { 1: both } });
  await night.play();
  expect(await reconcile(night)).toMatchObject({
    code: 0,
    agrees: true,
    log: { format: "invoice", unreadable: 0 },
    result: { calls: 6, charges: 6, differences: [], explanations: [] },
  });
  expect(await night.run(["ledger", "prove", "--run", "last", "--witness", night.invoicePath])).toMatchObject({ code: 0 });
  expect(await night.run(["ledger", "sum", "--run", "last", "--by", "window"])).toMatchObject({
    code: 0,
    stderr: "US$ 0.012 for certain\n",
  });
});

test("what the agent itself says of its cost stands beside ours, with the difference", async () => {
  // This agent says at its end that it cost nothing.
  const night = await makeSpendNight({ windows: { 1: [{ max: 100 }] } });
  await night.play();
  const { stdout } = await night.run(["ledger", "sum", "--run", "last", "--by", "window"]);
  expect(stdout).toMatch(/^w1 .*\$0\.002 .*\$0\.00 \(-\$0\.002\)$/m);
});

test("a bill that somebody changed does not agree", async () => {
  const night = await makeSpendNight({ windows: { 1: [{ max: 100, times: 2 }] } });
  await night.play();
  const lines = readFileSync(night.invoicePath, "utf8").trimEnd().split("\n");
  const changed = join(night.folder, "changed.jsonl");
  writeFileSync(changed, `${lines[0]}\n${lines[1]?.replace('"output_tokens":100', '"output_tokens":101')}\n`);
  expect(await reconcile(night, changed)).toMatchObject({ code: 10, result: { differences: [{ kind: "tokens-differ" }] } });
  appendFileSync(night.invoicePath, `${lines[1]}\n`);
  expect(await reconcile(night)).toMatchObject({ code: 10, result: { differences: [{ kind: "charged-twice" }] } });
});

test("cut answers were charged, errors of the provider were not, and the bill says so of each", async () => {
  const usage = { input: 7, output: 50 };
  const night = await makeSpendNight({
    windows: {
      1: [
        { max: 100, say: "break", heedless: true },
        { max: 100, say: "crowd", heedless: true },
        { max: 100 },
        { max: 100, say: "cut me", stream: true },
      ],
    },
    conversations: [
      { when: { prompt: "cut me" }, steps: [{ text: "It begins and", usage, fault: { kind: "cut", afterEvents: 3 } }] },
      { when: { prompt: "break" }, steps: [{ text: "", fault: { kind: "server-error" } }] },
      { when: { prompt: "crowd" }, steps: [{ text: "", fault: { kind: "overloaded" } }] },
    ],
  });
  await night.play();
  const told = await reconcile(night);
  expect(told).toMatchObject({ code: 0, agrees: true, result: { differences: [] } });
  const kinds = told.result.explanations.map(
    ({ kind, call }: { kind: string; call: { state: string; failure: string } }) => `${kind} ${call.state} ${call.failure}`,
  );
  expect(kinds).toEqual(["never-charged failed server-error", "was-charged cut cut-by-provider"]);
});

test("when all is killed in the midst of a call, the bill's charge is that of the one unknown row", async () => {
  const night = await makeSpendNight({
    windows: { 1: [{ max: 100 }, { max: 100, say: "wait", stream: true }], 2: [{ max: 100 }] },
    limits: { windows: 2 },
    conversations: [
      {
        when: { prompt: "wait" },
        steps: [{ text: "A long time", usage: { input: 7, output: 60 }, fault: { kind: "stall", afterEvents: 1 } }],
      },
    ],
  });
  const killed = night.begin();
  await expect.poll(() => readFileSync(night.invoicePath, "utf8").trimEnd().split("\n").length, { timeout: 20_000 }).toBe(2);
  await killed.kill();
  await night.play();
  expect((await readCalls(night)).map(({ state }) => state)).toEqual(["done", "unknown", "done"]);
  expect(await reconcile(night)).toMatchObject({
    code: 0,
    result: { calls: 3, charges: 3, explanations: [{ kind: "was-charged", by: "body", call: { state: "unknown", failure: "died" } }] },
  });
});
