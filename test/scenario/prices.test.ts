/** `midwatch prices` in the built program: a person's prices, the table, and that commands which need neither do not load it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeNight } from "./kit.ts";

test("a price is set, shown and removed again", async () => {
  const night = makeNight();
  const set = await night.run(["prices", "set", "my-model", "--input", "0.3", "--output", "1.5", "--provider", "work"]);
  expect(set).toMatchObject({ code: 0 });
  const shown = await night.run(["prices", "show", "my-model", "--json"]);
  expect(JSON.parse(shown.stdout)).toMatchObject({
    prices: [
      {
        provider: "work",
        origin: "own",
        price: { tiers: [{ above: -1, prices: { input: 300_000, output: 1_500_000, cacheRead: 300_000 } }] },
      },
    ],
  });
  expect(await night.run(["prices", "unset", "my-model"])).toMatchObject({ code: 1 });
  expect(await night.run(["prices", "unset", "my-model", "--provider", "work"])).toMatchObject({ code: 0 });
  expect(await night.run(["prices", "show", "my-model"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("no price of my-model is known"),
  });
});

test("a model of the table is shown with its tiers, and the table with its date", async () => {
  const { code, stdout, stderr } = await makeNight().run(["prices", "show", "claude-sonnet-4-5", "--provider", "anthropic"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /claude-sonnet-4-5 +anthropic +3 +15 +0\.3 +3\.75 +6 +10 +up to 200000 tokens +table\n +6 +22\.5 .*above 200000 tokens/,
  );
  expect(stderr).toMatch(/^table: genai-prices \d\S+ \(\d{4}-\d\d-\d\d\)/);
});

test.each([
  [["set", "m", "--input", "3"], "a price needs --input and --output"],
  [["set", "m", "--input", "-3", "--output", "1"], "--input -3 is no price"],
  [["set", "m", "--input", "3", "--output", "1e99"], "--output 1e99 is no price"],
])("prices %j is a usage mistake that says what is missing", async (args, message) => {
  expect(await makeNight().run(["prices", ...args])).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});

test("an update that cannot be had keeps the table and says so", async () => {
  const update = await makeNight().run(["prices", "update", "--from", "http://127.0.0.1:9/data.json", "--json"]);
  expect(update).toMatchObject({ code: 1, stderr: expect.stringContaining("the table stays as it is") });
  expect(JSON.parse(update.stdout)).toMatchObject({ kind: "kept" });
});

const dist = join(import.meta.dirname, "../../dist");

/** Files that are loaded when the program starts, whatever it is asked. */
function loadedAtOnce(file = "midwatch.js", seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(join(dist, file), "utf8");
  for (const [, name] of text.matchAll(/(?:from|import)"\.\/((?:chunks\/)?[\w-]+\.js)"/g))
    loadedAtOnce(name?.startsWith("chunks/") || file === "midwatch.js" ? (name ?? "") : `chunks/${name}`, seen);
  return seen;
}

test("the table is in no file that every command loads", () => {
  const holding = readdirSync(join(dist, "chunks")).filter((name) =>
    readFileSync(join(dist, "chunks", name), "utf8").includes("claude-3-5-haiku-latest"),
  );
  expect(holding).toHaveLength(1);
  expect([...loadedAtOnce()]).not.toContain(`chunks/${holding[0]}`);
  expect(readFileSync(join(dist, "midwatch.js"), "utf8")).not.toContain("claude-3-5-haiku-latest");
});
