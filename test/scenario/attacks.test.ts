/** Agents that claim too much, or the wrong thing. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agent, makeNight } from "./kit.ts";

test("claims that nobody waits for any more are not checked one after another", async () => {
  const plan = "- [ ] T-1 Never\n  - run: echo x >> ../runs; false\n- [ ] T-2 Never\n  - run: echo x >> ../runs; false\n";
  const night = makeNight({ plan, agent: agent("claim-storm.mjs") });
  const end = await night.run(["run", "--json", "--windows", "1"]);
  expect(end).toMatchObject({ code: 8, report: { tasks: { open: 2 } } });
  expect(readFileSync(join(night.repo.path, "../runs"), "utf8").length).toBeLessThanOrEqual(4);
});

test("work on another branch than the run's is not done, and the branch is asked about", async () => {
  const plan = "- [ ] T-1 Write it\n  - file: T-1.txt exists\n";
  const night = makeNight({ plan, agent: agent("claim-elsewhere.mjs") });
  const end = await night.run(["run", "--json"]);
  const [answer] = JSON.parse(readFileSync(join(night.folder, "answers-1"), "utf8"));
  expect(answer).toMatchObject({ kind: "refused", reason: expect.stringMatching(/^side is checked out, and the run works on /) });
  expect(end).toMatchObject({ code: 3, report: { tasks: { open: 1, verified: 0 } } });
});
