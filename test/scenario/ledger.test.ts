/** `midwatch ledger` in the built program, over a ledger with calls of every end, and beside the bills of others. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { asked, closing, intent, run } from "../contract/ledger-kit.ts";
import { newWindow, startRun } from "../contract/store-samples.ts";
import { makeNight, type Night } from "./kit.ts";

const day = Date.parse("2026-11-30T00:00:00Z");
const at = (second: number): number => day + second * 1000;
const call = (number: number, id = `c${number}`) => {
  const one = intent(id, { sentAt: at(number * 10), place: { kind: "counted", seq: number, try: 1 } });
  return { ...one, request: { ...one.request, hash: `body-${number}` } };
};
const end = (number: number, result: Parameters<typeof closing>[1] = {}, cost: number | null = 16_400) =>
  closing(
    `c${number}`,
    { providerRequestId: `req_${number}`, messageId: `msg_${number}`, ...result },
    { at: at(number * 10 + 5), costMicroUsd: cost },
  );

/** Two paid calls, a cut one, one that was refused and one whose end nobody saw. */
async function makeLedger(): Promise<Night> {
  const night = makeNight();
  const store = await openStore({ folder: join(night.folder, "state/midwatch") });
  await startRun(store, "run-1", { worktree: night.repo.path });
  await store.openWindow(newWindow(), day);
  await store.ledger.open([1, 2, 3, 4, 5].map((number) => call(number)));
  await store.ledger.close([
    end(1),
    end(2),
    end(
      3,
      {
        end: "cut",
        failure: "cut-by-client",
        usage: { input: 100, output: 1, cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0, searches: 0 },
      },
      315,
    ),
    end(4, { end: "failed", failure: "limited", status: 429, usage: null, messageId: null }, null),
  ]);
  await store.ledger.giveUp({ run }, at(55));
  await store.close();
  return night;
}

/** As the provider wrote it down; the call whose end nobody saw was charged too. */
const bill = [1, 2, 3, 5].map((number) => ({
  at: new Date(at(number * 10 + 1)).toISOString(),
  request: `req_${number}`,
  message: `msg_${number}`,
  model: "claude-sonnet-4-5-20250929",
  ...(number < 3 ? { input_tokens: 1_200, cache_read_input_tokens: 30_000, cache_creation_input_tokens: 900, output_tokens: 700 } : {}),
  micro_usd: number < 3 ? 16_400 : 20_000,
  body_sha256: `body-${number}`,
}));

function write(night: Night, lines: readonly (object | string)[], name = "bill.jsonl"): string {
  const path = join(night.folder, name);
  writeFileSync(path, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
  return path;
}

const json = async (night: Night, ...args: readonly string[]) => {
  const { code, stdout } = await night.run(["ledger", ...args, "--json"]);
  return { code, ...JSON.parse(stdout) };
};

test("the calls are listed, and those of unknown cost are marked with their bounds", async () => {
  const night = await makeLedger();
  const { code, stdout } = await night.run(["ledger", "list"]);
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(5);
  expect(lines[0]).toMatch(/w1 T1 +#1\.1 +claude-sonnet-4-5-20250929 +32100 in \(30000 cached\), 700 out +\$0\.0164 +done$/);
  expect(lines[2]).toMatch(/\$0\.000315 to \$0\.20 +\? cut, cut-by-client$/);
  expect(lines[3]).toMatch(/\$0\.00 +failed, limited$/);
  expect(lines[4]).toMatch(/- +\$0\.00 to \$0\.20 +\? unknown, died$/);
});

test.each([
  [
    ["--state", "unknown,cut"],
    ["c3", "c5"],
  ],
  [
    ["--window", "1", "--limit", "2"],
    ["c4", "c5"],
  ],
  [
    ["--run", "last", "--since", "2026-11-30T00:00:20Z", "--until", "2026-11-30T00:00:40Z"],
    ["c2", "c3"],
  ],
  [
    ["--key", "window:window-1", "--state", "done"],
    ["c1", "c2"],
  ],
  [["--batch", "none"], []],
])("ledger list %j", async (flags, ids) => {
  const { calls } = await json(await makeLedger(), "list", ...flags);
  expect(calls.map(({ id }: { readonly id: string }) => id)).toEqual(ids);
});

test("sums say what is certain, and what it comes to if every unknown call was charged", async () => {
  const night = await makeLedger();
  expect(await night.run(["ledger", "sum", "--by", "state"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/cut +1 +100 +0 +1 +\$0\.000315 +1 +\$0\.199685/),
    stderr: expect.stringContaining("at least US$ 0.033115; up to US$ 0.4328 if every unknown call was charged"),
  });
  expect(await json(night, "sum", "--by", "model")).toMatchObject({
    atLeastMicroUsd: 33_115,
    atMostMicroUsd: 432_800,
    total: { calls: 5, unknown: 2 },
  });
});

test("prove shows its questions and answers, and that it speaks of our own books only", async () => {
  const night = await makeLedger();
  const { code, stdout } = await night.run(["ledger", "prove"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^our own books hold: no answer that we had was paid for again; 2 unknown calls may have been charged, for at most \$0\.40, and/,
  );
  expect(stdout.replaceAll("\n", " ").replaceAll(/ +/g, " ")).toContain(`the file ${join(night.folder, "state/midwatch/midwatch.db")}`);
  expect(stdout).toContain("SELECT key, seq, count(*) AS charges");
  expect(stdout).toContain("each is the sum of its rows");
  expect(stdout).toContain("This proves our own books only.");
});

test("prove fails when a request was paid twice", async () => {
  const night = await makeLedger();
  const store = await openStore({ folder: join(night.folder, "state/midwatch") });
  await store.ledger.open([{ ...call(1, "c9"), place: { kind: "counted", seq: 1, try: 2 } }]);
  await store.ledger.close([closing("c9")]);
  await store.close();
  expect(await night.run(["ledger", "prove"])).toMatchObject({
    code: 10,
    stdout: expect.stringMatching(/^it does NOT hold: by our own books 1 request was paid more than once[\s\S]+run-1 w1 T1 #1: 2 times/),
  });
});

test("the books agree with a bill that charges the unknown calls, and say what became of them", async () => {
  const night = await makeLedger();
  const { code, stdout, stderr } = await night.run(["ledger", "reconcile", write(night, bill), "--run", "last"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "the books agree with the witness\n" });
  expect(stdout).toContain("ledger: 5 calls, $0.033115 for certain; witness: 4 charges, $0.0728");
  expect(stdout).toContain("  w1 T1 #5.1: charged $0.02, line 4 (found by its request's body)");
});

test.each<readonly [title: string, lines: readonly (object | string)[], told: string, next: string]>([
  [
    "a charge that nobody booked",
    [...bill, { ...bill[0], request: "req_8", message: "msg_8", body_sha256: "other" }],
    "charged, and nobody booked it: line 5, req_8",
    "find what else uses this key",
  ],
  ["a charge twice", [...bill, bill[1]!], "charged 2 times: run-1 w1 T1 #2.1", "one request was billed twice"],
  ["a missing charge", bill.slice(1), "booked as paid, and not charged: run-1 w1 T1 #1.1", "fetch the file again later"],
  [
    "another amount",
    [{ ...bill[0], micro_usd: 20_000 }, ...bill.slice(1)],
    "$0.0164 in the ledger, $0.02 charged: run-1 w1 T1 #1.1, line 1",
    "an old price: midwatch prices show",
  ],
  [
    "a line that cannot be read",
    [...bill, '{"at": "2026-'],
    "1 record could not be read, so nothing is proved of them: line 5",
    "fetch the file again, whole",
  ],
])("the books do not agree with %s", async (_title, lines, told, next) => {
  const night = await makeLedger();
  const result = await night.run(["ledger", "reconcile", write(night, lines)]);
  expect(result).toMatchObject({ code: 10, stdout: expect.stringContaining(told) });
  expect(result.stderr).toContain(`the books do not agree with the witness\nnext: `);
  expect(result.stderr).toContain(next);
});

test("prove takes a witness too", async () => {
  const night = await makeLedger();
  expect(await night.run(["ledger", "prove", "--witness", write(night, bill)])).toMatchObject({ code: 0 });
  expect(await json(night, "prove", "--witness", write(night, bill.slice(1)))).toMatchObject({
    code: 10,
    holds: true,
    witness: { agrees: false },
  });
});

test("spend logs of LiteLLM agree, as JSON and as CSV", async () => {
  const night = await makeLedger();
  const spend = [1, 2, 3, 5].map((number) => ({
    request_id: `msg_${number}`,
    spend: number < 3 ? 0.0164 : 0.02,
    startTime: `2026-11-30 00:00:${number}1.000`,
    model: "claude-sonnet-4-5-20250929",
    request_tags: number === 5 ? '["call:c5"]' : "[]",
  }));
  const refused = { ...spend[0], request_id: "failure-1", spend: 0, status: "failure" };
  const list = write(night, [JSON.stringify([...spend, refused], null, 2)], "spend.json");
  expect(await json(night, "reconcile", list)).toMatchObject({ code: 0, agrees: true, log: { format: "litellm", records: 5, free: 1 } });
  const cell = (value: unknown) => `"${String(value).replaceAll('"', '""')}"`;
  const table = [Object.keys(spend[0]!).join(","), ...spend.map((row) => Object.values(row).map(cell).join(","))];
  expect(await json(night, "reconcile", write(night, table, "spend.csv"))).toMatchObject({
    code: 0,
    agrees: true,
    log: { format: "litellm", records: 4 },
  });
});

test("a usage export is held against sums: what the unknown calls explain agrees, and no more", async () => {
  const night = await makeLedger();
  const page = (output: number) => ({
    data: [
      {
        starting_at: "2026-11-30T00:00:00Z",
        ending_at: "2026-11-30T01:00:00Z",
        results: [
          {
            uncached_input_tokens: 2_500,
            cache_read_input_tokens: 60_000,
            cache_creation: { ephemeral_5m_input_tokens: 1_800 },
            output_tokens: output,
          },
        ],
      },
    ],
    has_more: false,
  });
  const reconcile = (output: number) =>
    night.run(["ledger", "reconcile", write(night, [JSON.stringify(page(output), null, 1)], "usage.json")]);
  expect(await reconcile(1_401)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("output tokens 1401 at the provider, 1401 in the ledger; 0 apart"),
  });
  expect(await reconcile(1_401 + 31_999 + 32_000)).toMatchObject({ code: 0 });
  expect(await reconcile(1_401 + 31_999 + 32_001)).toMatchObject({ code: 10 });
  expect(await reconcile(1_400)).toMatchObject({ code: 10, stdout: expect.stringContaining("-1 apart") });
});

test.each([
  [["reconcile", "nothing.jsonl"], 2, "there is no such file"],
  [["reconcile", "tasks.md"], 2, "of a log or export that is known"],
  [["reconcile", ".", "--format", "excel"], 2, "--format excel is not known"],
  [["reconcile", "."], 2, "it is a folder, not a file"],
  [["list", "--state", "lost"], 2, "there is no state lost"],
  [["list", "--since", "yesterday"], 2, "--since yesterday is no time"],
  [["list", "--run", "run-9"], 2, "there is no run run-9"],
  [["list", "--window", "7"], 2, "has no window 7"],
  [["sum", "--by", "colour"], 2, "--by colour is no way to sum up"],
])("ledger %j is a mistake that says what is wrong and what to do", async (args, code, message) => {
  const end = await (await makeLedger()).run(["ledger", ...args]);
  expect(end).toMatchObject({ code, stderr: expect.stringContaining(message) });
  expect(end.stderr).toContain("next: ");
});

test("an empty bill beside an empty ledger agrees", async () => {
  const night = makeNight();
  const store = await openStore({ folder: join(night.folder, "state/midwatch") });
  await store.close();
  expect(await night.run(["ledger", "reconcile", write(night, [])])).toMatchObject({ code: 0 });
});

test("a batch's calls are compared by its own charges", async () => {
  const night = await makeLedger();
  const store = await openStore({ folder: join(night.folder, "state/midwatch") });
  await store.ledger.open([{ ...asked("j1", 1), sentAt: at(600) }]);
  await store.ledger.close([closing("j1", { providerRequestId: "req_j", messageId: "msg_j" }, { at: at(605) })]);
  await store.close();
  const lines = [...bill, { ...bill[0], at: new Date(at(601)).toISOString(), request: "req_j", message: "msg_j" }];
  expect(await json(night, "reconcile", write(night, lines), "--batch", "2026-11")).toMatchObject({
    code: 0,
    result: { calls: 1, charges: 1, aside: { charges: 4 } },
  });
  expect(await night.run(["ledger", "reconcile", write(night, lines), "--batch", "2026-12"])).toMatchObject({ code: 2 });
});
