/** `midwatch guard` by hand: one command, the verdict and how it was read. */
import { expect, test } from "vitest";
import { makeNight } from "./kit.ts";

const plan = "- [ ] T-1 Clean up\n  - allow: delete dist/\n";
const night = () =>
  makeNight({
    plan,
    config: { guard: { deny: [{ command: "terraform apply", reason: "the state is shared" }] } },
    personal: { guard: { allow: [{ command: "npm publish --tag *", reason: "releases" }] } },
  });

test("guard test says whether a command passes, by its exit code too", async () => {
  const { run } = night();
  const rows = [
    ["npm test", []],
    ["rm -rf dist", []],
    ["rm -rf dist", ["--task", "t-1"]],
    ["rm -rf src", ["--task", "T-1"]],
    ["terraform apply", []],
    ["npm publish --tag next", []],
  ] as const;
  const seen = await Promise.all(rows.map(async ([command, flags]) => (await run(["guard", "test", ...flags, command])).code));
  expect(seen).toEqual([0, 11, 0, 11, 11, 0]);
});

test("guard explain shows the commands inside, the variables, the rule and what a person would have to write", async () => {
  const { run } = night();
  const { stdout, code } = await run(["guard", "explain", 'd=dist; sudo sh -c "rm -rf $d"']);
  expect(code).toBe(11);
  for (const part of ["delete-trees/rm", "sudo sh -c rm -rf dist", "d = dist", "allow: delete dist"]) expect(stdout).toContain(part);
  const told = await run(["guard", "explain", "--json", "terraform plan; terraform apply"]);
  expect(JSON.parse(told.stdout)).toMatchObject({
    verdict: { rule: "policy/command" },
    commands: [{ words: "terraform plan", rule: null }, { rule: "policy/command" }],
  });
});

test("guard prove says so where an agent has no guard", async () => {
  const { stderr, code } = await night().run(["guard", "prove"]);
  expect([code, stderr]).toEqual([6, expect.stringContaining("offers no guard")]);
});
