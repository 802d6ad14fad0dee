/** `midwatch ledger reconcile FILE --settle`: unknown calls are closed by what the provider wrote down, and what it does not prove stays held. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { closing, intent, run } from "../contract/ledger-kit.ts";
import { newWindow, startRun } from "../contract/store-samples.ts";
import { readSpend, withStoreOf } from "./booked.ts";
import { makeNight, type Night } from "./kit.ts";

const day = Date.parse("2026-11-30T00:00:00Z");
const at = (second: number): number => day + second * 1000;

/** Calls 1 and 9 were paid, 3 was cut, nobody saw the end of 2 and 4. */
async function makeLedger(): Promise<Night> {
  const night = makeNight();
  await withStoreOf(night, async (store) => {
    await startRun(store, "run-1", { worktree: night.repo.path });
    await store.openWindow(newWindow(), day);
    const open = (number: number) => {
      const one = intent(`c${number}`, { sentAt: at(number * 10), place: { kind: "counted", seq: number, try: 1 } });
      return store.ledger.open([{ ...one, request: { ...one.request, hash: `body-${number}` } }]);
    };
    const close = (number: number, result: Parameters<typeof closing>[1] = {}, cost = 16_400) => {
      const names = { providerRequestId: `req_${number}`, messageId: `msg_${number}` };
      return store.ledger.close([closing(`c${number}`, { ...names, ...result }, { at: at(number * 10 + 5), costMicroUsd: cost })]);
    };
    for (const number of [1, 2, 3, 4]) await open(number);
    await close(1);
    await close(3, { end: "cut", failure: "cut-by-client", usage: null }, 300);
    await store.ledger.giveUp({ run }, at(50));
    await open(9);
    await close(9);
  });
  return night;
}

const charged = (number: number, more: object = {}) => ({
  ...{ at: new Date(at(number * 10 + 1)).toISOString(), request: `req_${number}`, message: `msg_${number}` },
  ...{ model: "claude-sonnet-4-5-20250929", micro_usd: 16_400, body_sha256: `body-${number}`, ...more },
});

function write(night: Night, lines: readonly (object | string)[]): string {
  const path = join(night.folder, "bill.jsonl");
  writeFileSync(path, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
  return path;
}

const spendOf = (night: Night) => readSpend(night, { kind: "run", id: run });
const flat = (text: string): string => text.replaceAll(/\n +/g, " ");
const settle = (night: Night, lines: readonly (object | string)[]) =>
  night.run(["ledger", "reconcile", write(night, lines), "--run", "last", "--settle"]);
const bill = [charged(1), charged(2, { micro_usd: 20_000 }), charged(3), charged(9)];

test("what was charged costs what the witness says, what was not costs nothing, and neither holds a cap any longer", async () => {
  const night = await makeLedger();
  expect(await spendOf(night)).toMatchObject({ spentMicroUsd: 33_100, heldMicroUsd: 599_700, unknown: 3 });
  const { code, stdout } = await settle(night, bill);
  expect(code).toBe(0);
  expect(stdout).toContain("settled 2 unknown calls: US$ 0.02 spent, nothing held for them any longer");
  expect(stdout).toContain("  w1 T1 #2.1: charged $0.02\n  w1 T1 #4.1: not charged, costs nothing\n");
  expect(flat(stdout)).toContain("1 unknown call stays held as before");
  expect(flat(stdout)).toContain("w1 T1 #3.1: its row is closed with what was seen of it and is not changed again");
  expect(await spendOf(night)).toMatchObject({ spentMicroUsd: 53_100, heldMicroUsd: 199_700, unknown: 1 });
  const list = (await night.run(["ledger", "list"])).stdout;
  expect(list).toMatch(/#2\.1 .*\$0\.02 +settled: charged, its answer was lost\n/);
  expect(list).toMatch(/#4\.1 .*\$0\.00 +settled: not charged\n/);
});

test("settled once, the same witness agrees and has nothing left to settle", async () => {
  const night = await makeLedger();
  await settle(night, bill);
  const again = await settle(night, bill);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("nothing was settled") });
  expect(await night.run(["ledger", "prove", "--witness", write(night, bill)])).toMatchObject({ code: 0 });
});

test("without --settle nothing is changed, and the command is told", async () => {
  const night = await makeLedger();
  const path = write(night, bill);
  const { stdout } = await night.run(["ledger", "reconcile", path, "--run", "last"]);
  expect(flat(stdout)).toContain(`settle them with: midwatch ledger reconcile ${path} --run last --settle`);
  expect(await spendOf(night)).toMatchObject({ heldMicroUsd: 599_700, unknown: 3 });
});

test.each<readonly [title: string, lines: readonly (object | string)[], reason: string]>([
  ["that ends before the call was over", bill.slice(0, 3), "shows no charge of its provider from before and after it"],
  ["that was not read whole", [...bill, "{"], "the witness was not read whole"],
  [
    "with a charge of that time that is nobody's",
    [...bill, charged(5, { request: "req_x", message: "msg_x", model: "other", body_sha256: undefined })],
    "a charge of that time belongs to nobody, and may be its",
  ],
])("a witness %s does not prove that a call was not charged", async (_title, lines, reason) => {
  const night = await makeLedger();
  const { stdout } = await settle(night, lines);
  expect(flat(stdout)).toContain(`w1 T1 #4.1: `);
  expect(flat(stdout)).toContain(reason);
  expect(stdout).not.toContain("not charged, costs nothing");
});

test("sums settle nothing, and that is said", async () => {
  const night = await makeLedger();
  const from = "2026-11-30T00:00:00Z";
  const page = { data: [{ starting_at: from, ending_at: "2026-11-30T01:00:00Z", results: [] }], has_more: false };
  expect(await settle(night, [page])).toMatchObject({ code: 2, stderr: expect.stringContaining("explain no single call") });
});

test("a file of somebody else is told with how to say which calls are meant", async () => {
  const night = await makeLedger();
  const others = [1, 2, 3, 4].map((number) =>
    charged(number, { request: `x_${number}`, message: `y_${number}`, body_sha256: `z_${number}` }),
  );
  const { code, stderr } = await night.run(["ledger", "reconcile", write(night, others)]);
  expect(code).toBe(10);
  expect(stderr).toMatch(/\nnext: most charges are of nobody here: .*--run ID, --batch NAME or --since TIME/s);
});
