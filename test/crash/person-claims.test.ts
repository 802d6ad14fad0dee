/** Claims that ask a person: killed at each step between the evidence and the move, a person is asked once, and what they said is carried out once. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { Night } from "./night.ts";
import { command } from "./program.ts";

vi.setConfig({ maxConcurrency: 2, testTimeout: 120_000 });

const steps = [
  ...["claim.checked", "store.recordClaim.before-commit", "store.recordClaim.after-commit"],
  ...["store.ask.before-commit", "store.ask.after-commit", "approval.asked", "returns.asked"],
  ...["store.endWindow.after-commit"],
];

/** Starts until the run waits for a person, or is over. */
async function startUntilAsked(night: Night): Promise<number | null> {
  for (let starts = 0; starts < 8; starts += 1) {
    const { code, signal } = await night.start(command).ended;
    if (signal === null) return code;
  }
  return null;
}

const openQuestions = (night: Night) => night.ledger().questions.filter(({ state }) => state === "open");

const approval = "- [ ] T-1 Write T-1.txt\n  - file: T-1.txt exists\n  - approval: It looks right\n";

test.concurrent.for(steps.filter((step) => step !== "returns.asked"))("an approval, killed at %s", async (step, { onTestFinished }) => {
  const night = new Night({ plan: approval });
  onTestFinished(night.close);
  expect((await night.start(command, { MIDWATCH_FAULT: `kill:${step}` }).ended).signal).toBe("SIGKILL");
  expect(await startUntilAsked(night)).toBe(3);
  expect(openQuestions(night)).toMatchObject([{ source: "approval", task: "T-1" }]);
  await night.start(["answer", `Q${openQuestions(night)[0]?.["number"]}`, "yes"]).ended;
  expect(await startUntilAsked(night)).toBe(0);
  const { questions, moves, tasks } = night.ledger();
  expect(questions).toHaveLength(1);
  expect(moves.filter(({ move }) => move === "close")).toHaveLength(1);
  expect(tasks).toMatchObject([{ key: "T-1", state: "done", done_by: "verified" }]);
});

test.concurrent.for([...steps.slice(0, 3), "plan.before-write", "plan.written", "run.before-end"])(
  "a yes that is carried out, killed at %s",
  async (step, { onTestFinished }) => {
    const night = new Night({ plan: approval });
    onTestFinished(night.close);
    expect(await startUntilAsked(night)).toBe(3);
    await night.start(["answer", "Q1", "yes"]).ended;
    expect((await night.start(command, { MIDWATCH_FAULT: `kill:${step}` }).ended).signal).toBe("SIGKILL");
    expect(await startUntilAsked(night)).toBe(0);
    const { questions, moves, claims, tasks } = night.ledger();
    expect(questions).toHaveLength(1);
    expect(moves.filter(({ move }) => move === "close")).toHaveLength(1);
    expect(claims).toHaveLength(2);
    expect(tasks).toMatchObject([{ key: "T-1", state: "done", done_by: "verified" }]);
    expect(readFileSync(join(night.repo.path, "tasks.md"), "utf8")).toContain("[x] T-1");
  },
);

test.concurrent.for([
  "claim.checked:3",
  "store.recordClaim.after-commit:3",
  "store.ask.before-commit",
  "store.ask.after-commit",
  "returns.asked",
])("the third return, killed at %s", async (step, { onTestFinished }) => {
  const plan = "- [ ] T-1 Write T-1.txt\n  - file: never.txt exists\n";
  const night = new Night({ plan, limits: { idleWindows: 9, windowsWithoutTask: 9, attemptsPerTask: 9 } });
  onTestFinished(night.close);
  expect((await night.start(command, { MIDWATCH_FAULT: `kill:${step}` }).ended).signal).toBe("SIGKILL");
  expect(await startUntilAsked(night)).toBe(3);
  expect(openQuestions(night)).toMatchObject([{ source: "returns", task: "T-1" }]);
  await night.start(["answer", `Q${openQuestions(night)[0]?.["number"]}`, "accept as it is"]).ended;
  expect(await startUntilAsked(night)).toBe(0);
  expect(night.ledger().questions).toHaveLength(1);
  expect(night.ledger().tasks).toMatchObject([{ key: "T-1", state: "done", done_by: "person" }]);
});
