/** `midwatch batch prove` after a death with calls on their way: what was bought twice is said, and settled by the invoice. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { type BatchNight, callMicroUsd, makeBatchNight } from "./night-batch.ts";

vi.setConfig({ testTimeout: 60_000 });

const jobs = ["1", "2", "3"].map((id) => ({ id, calls: 3 }));

function writeInvoice(night: BatchNight, change: (line: object) => object = (line) => line): string {
  const path = join(night.folder, "invoice.jsonl");
  writeFileSync(
    path,
    night
      .invoice()
      .map((line) => `${JSON.stringify(change(line))}\n`)
      .join(""),
  );
  return path;
}

/** Lines as if the terminal were wide. */
const flat = (text: string): string => text.replaceAll(/\n +/g, " ");

async function makeDisturbed(): Promise<BatchNight> {
  const night = await makeBatchNight({ jobs, settings: { slots: 2 }, firstByteMs: 20 });
  const fault = { MIDWATCH_FAULT: "kill:call.answered:4" };
  expect((await night.supervise({ faults: true, env: fault }).ended).signal).toBe("SIGKILL");
  expect(await night.supervise().ended).toMatchObject({ code: 0 });
  return night;
}

test("after a death with answers on their way the proof says how many were bought again, and what they cost", async () => {
  const night = await makeDisturbed();
  const lost = night.invoice().length - 9;
  expect(lost).toBeGreaterThan(0);
  const { code, stdout } = await night.run(["batch", "prove", "night", "--witness", writeInvoice(night)]);
  const answers = lost === 1 ? "1 lost answer was" : `${lost} lost answers were`;
  const cost = `$${((lost * callMicroUsd) / 1e6).toFixed(6).replace(/0{1,4}$/, "")}`;
  expect(code).toBe(0);
  expect(stdout).not.toContain("nothing was paid twice");
  expect(flat(stdout)).toMatch(/^it holds: no answer that we had was paid for again; /);
  expect(flat(stdout)).toContain(`${answers} bought again, for ${cost}`);
  expect(stdout).toContain(
    `witness:   ${lost === 1 ? "1 request was" : `${lost} requests were`} charged twice: ${lost === 1 ? "its" : "their"} first try was on its way when a supervisor died; what was lost cost ${cost}`,
  );
  const unknown = (await night.rows()).find(({ state }) => state === "unknown");
  expect(stdout).toContain(`${unknown?.key.key}#${unknown?.key.seq}.1`);
  const proof = JSON.parse((await night.run(["batch", "prove", "night", "--json", "--witness", writeInvoice(night)])).stdout);
  expect(proof.witness.all.result.boughtAgain).toHaveLength(lost);
});

test("a settled invoice frees what the unknown calls held, and the proof still says what was bought again", async () => {
  const night = await makeDisturbed();
  const invoice = writeInvoice(night);
  const scope = [{ kind: "batch", id: "night" }] as const;
  const spend = () => night.withStore(async ({ ledger }) => (await ledger.spend(scope))[0]);
  expect((await spend())?.heldMicroUsd).toBeGreaterThan(0);
  const offer = await night.run(["ledger", "reconcile", invoice, "--batch", "night"]);
  expect(flat(offer.stdout)).toContain(`settle them with: midwatch ledger reconcile ${invoice} --batch night --settle`);
  expect((await spend())?.heldMicroUsd).toBeGreaterThan(0);

  const settled = await night.run(["ledger", "reconcile", invoice, "--batch", "night", "--settle"]);
  expect(settled).toMatchObject({ code: 0, stdout: expect.stringMatching(/settled \d unknown calls?: US\$ 0\.\d+ spent, nothing held/) });
  expect(await spend()).toMatchObject({ spentMicroUsd: night.invoice().length * callMicroUsd, heldMicroUsd: 0, unknown: 0 });

  const proof = await night.run(["batch", "prove", "night", "--witness", invoice]);
  expect(proof).toMatchObject({ code: 0, stdout: expect.stringContaining("bought again") });
  expect(await night.supervise().ended).toMatchObject({ code: 0 });
  expect(await night.run(["ledger", "reconcile", invoice, "--settle"])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("nothing was settled"),
  });
});

test("an undisturbed night is told as one in which nothing was paid twice, and the first line says it", async () => {
  const night = await makeBatchNight({ jobs, settings: { slots: 2 } });
  await night.supervise().ended;
  const untold = writeInvoice(night, ({ micro_usd: _amount, ...line }: { micro_usd?: number }) => line);
  const { code, stdout } = await night.run(["batch", "prove", "night", "--witness", untold]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^it holds: nothing was paid twice\n/);
  expect(stdout).toContain("witness:   9 charges, amounts that the witness does not tell ($0.0036 by tokens at our prices)");
  expect(flat(stdout)).toContain(join(night.state, "midwatch.db"));
});

test("jobs that made no call are no mistake: one that did is shown, and a named one is answered", async () => {
  const night = await makeBatchNight({
    jobs: [
      { id: "0", calls: 0 },
      { id: "1", calls: 1 },
      { id: "2", calls: 0 },
    ],
    settings: { slots: 1 },
  });
  await night.supervise().ended;
  const invoice = writeInvoice(night);
  const shown = await night.run(["batch", "prove", "night", "--witness", invoice]);
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining("What happened to job 1?") });
  const named = await night.run(["batch", "prove", "night", "--witness", invoice, "--job", "2"]);
  expect(named).toMatchObject({ code: 0, stdout: expect.stringContaining("witness:   nothing to compare: this job made no call") });
});

test("a batch that made no call at all is answered", async () => {
  const night = await makeBatchNight({ jobs: [{ id: "0", calls: 0 }], settings: { slots: 1 } });
  await night.supervise().ended;
  const proof = await night.run(["batch", "prove", "night", "--witness", writeInvoice(night)]);
  expect(proof).toMatchObject({ code: 0, stdout: expect.stringMatching(/^this batch made no call, so nothing was paid\n/) });
});
