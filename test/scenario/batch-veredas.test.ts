/** The example `veredas` does what its README says, command by command, with a few of its jobs. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseScript } from "../../src/cli/provider-script.ts";
import { startProvider } from "../../src/provider/server.ts";
import { readInvoice } from "./booked.ts";
import { makeNight } from "./kit.ts";

const example = join(import.meta.dirname, "../../examples/veredas");
const jobs = 6;
const python = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).stdout?.trim() ?? "";

const make = (count: string) => execFileSync(process.execPath, [join(example, "make-jobs.mjs"), count], { encoding: "utf8" });

test("its generator writes 400 jobs, always the same, each with an id of its own", () => {
  const lines = make("400").trim().split("\n");
  expect(make("400").trim().split("\n")).toEqual(lines);
  expect(new Set(lines.map((line) => JSON.parse(line).id)).size).toBe(400);
});

test.each([
  ["in Node", process.execPath, "solve.mjs"],
  ["in Python", python, "solve.py"],
])(
  "its program %s asks 25 times a job, for US$ 0.41, and the books and the provider's invoice say the same",
  async (title, interpreter, file) => {
    if (interpreter === "") return void process.stdout.write(`examples: no python3 here, so nothing was tried ${title}\n`);
    const night = makeNight({ plan: null, config: null });
    const [list, invoicePath] = [join(night.folder, "jobs.jsonl"), join(night.folder, "charges.jsonl")];
    const script = parseScript(readFileSync(join(example, "provider.json"), "utf8"), "provider.json");
    const provider = await startProvider({ script, invoicePath });
    onTestFinished(() => provider.close());
    writeFileSync(list, make(String(jobs)));
    const env = { ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: "any" };
    const say = (...args: readonly string[]) => night.run(args, { env });
    expect(await say("prices", "set", "veredas-1", "--input", "10", "--output", "40")).toMatchObject({ code: 0 });
    const added = await say("batch", "add", "veredas", "--jobs", list, "--", interpreter, join(example, file));
    expect(added.code, added.stderr).toBe(0);
    const end = await say("batch", "run", "veredas");
    expect(end.code, end.stderr).toBe(0);
    const charges = readInvoice(invoicePath);
    expect(charges).toHaveLength(25 * jobs);
    expect(new Set(charges.map((charge) => charge.body_sha256)).size).toBe(25 * jobs);
    const proof = await say("batch", "prove", "veredas", "--witness", invoicePath);
    expect(proof.code, `${proof.stdout}${proof.stderr}`).toBe(0);
    const told = await say("batch", "export", "veredas", join(night.folder, "answers.jsonl"));
    expect(told.code, told.stderr).toBe(0);
    expect(readFileSync(join(night.folder, "answers.jsonl"), "utf8").match(/by the ridge, and over the second ford/g)).toHaveLength(jobs);
  },
);
