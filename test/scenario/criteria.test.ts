/** Criteria that measure, in the built program: what an agent is told, what a person is asked, and what the answers do. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agent, makeNight, type Night } from "./kit.ts";
import { finish } from "./program.ts";

const answers = (night: Night, window = 1) => JSON.parse(readFileSync(join(night.folder, `answers-${window}`), "utf8"));
const testFile = 'import { test } from "node:test"; test("one", () => {}); test("two", () => {});\n';

test("a claim is measured by the report of its tests, and the report shows the figures", async () => {
  const plan = "- [ ] T-1 Write it\n  - tests: `node --test a.test.mjs` at least 2, skipped 0\n  - git: changed T-1.txt\n";
  const night = makeNight({ plan, agent: agent("claim-ready.mjs"), files: { "a.test.mjs": testFile } });
  const end = await night.run(["run", "--json"]);
  expect(answers(night)).toMatchObject([
    {
      kind: "done",
      doneBy: "verified",
      evidence: [
        {
          kind: "tests",
          verdict: "holds",
          detail: "2 passed, 0 failed, 0 skipped (node:test)",
          figures: { passed: 2, failed: 0, skipped: 0 },
        },
        { kind: "git", verdict: "holds" },
      ],
    },
  ]);
  expect(end).toMatchObject({
    code: 0,
    report: { tasks: { verified: 1, list: [{ evidence: [{ kind: "tests", figures: { passed: 2 } }, { kind: "git" }] }] } },
  });
  expect((await night.run(["report"])).stdout).toContain(
    "tests: `node --test a.test.mjs` at least 2, skipped 0: 2 passed, 0 failed, 0 skipped",
  );
});

test("a count that is not met goes back to the agent with the figures", async () => {
  const plan = "- [ ] T-1 Write it\n  - tests: `node --test a.test.mjs` at least 3\n";
  const night = makeNight({ plan, agent: agent("claim-ready.mjs"), files: { "a.test.mjs": testFile } });
  await night.run(["run", "--json", "--windows", "2"]);
  expect(night.prompt(1)).toContain("at least 3 (the harness runs it and reads the report)");
  expect(night.prompt(2)).toMatch(
    /\| tests: .* at least 3: fails at \w+: at least 3 must pass: 2 passed, 0 failed, 0 skipped \(node:test\)/,
  );
});

test("new tests that no copy can be made for are not told apart, and none of them counts", async () => {
  const plan = "- [ ] T-1 Write it\n  - tests: `node --test a.test.mjs` at least 2, new 1\n";
  const night = makeNight({ plan, agent: agent("claim-ready.mjs"), files: { "a.test.mjs": testFile } });
  mkdirSync(join(night.folder, "state/midwatch"), { recursive: true });
  writeFileSync(join(night.folder, "state/midwatch/scratch"), "in the way\n");
  await night.run(["run", "--json", "--windows", "1"]);
  expect(answers(night)).toMatchObject([{ kind: "refused", reason: expect.stringContaining("which tests are new was not measured here") }]);
});

const approvalPlan = "- [ ] T-1 Write it\n  - file: T-1.txt exists\n  - approval: The page looks right, show T-1.txt\n";

async function asked(plan = approvalPlan, ready: readonly string[] = ["1"]): Promise<Night> {
  const night = makeNight({ plan, agent: agent("claim-ready.mjs", ...ready) });
  expect(await night.run(["run", "--json"])).toMatchObject({ code: 3, report: { tasks: { blocked: 1 } } });
  return night;
}

test("what only a person can approve waits as a question, with the change and what is to be seen", async () => {
  const night = await asked();
  expect(answers(night)).toMatchObject([
    { kind: "waits", question: "Q1", evidence: [{ verdict: "holds" }, { kind: "approval", verdict: "cannot-tell" }] },
  ]);
  const { questions, taskList } = await night.status();
  expect(questions).toMatchObject([
    {
      ...{ id: "Q1", source: "approval", task: "T-1", text: "T-1 waits for your yes: The page looks right", options: ["yes", "no"] },
      context: expect.stringContaining(`look at: ${join(night.repo.path, "T-1.txt")}\n`),
    },
  ]);
  expect(questions[0]?.context).toContain("changed since the run began: T-1.txt");
  expect(taskList).toMatchObject([{ state: "waiting-person", attempts: 0, reason: expect.stringContaining("Q1: ") }]);
});

test("a yes closes the task without another window, and the plan has its mark", async () => {
  const night = await asked();
  expect(await night.run(["answer", "Q1", "yes"])).toMatchObject({ code: 0 });
  const end = await night.run(["resume", "--json"]);
  expect(end).toMatchObject({ code: 0, report: { tasks: { verified: 1 }, stopReason: "finished" } });
  expect(end.report?.windows).toHaveLength(1);
  expect(night.read("tasks.md")).toContain("- [x] T-1");
});

test("a no goes back to the agent with the person's words, and the next change is asked about anew", async () => {
  const night = await asked(approvalPlan, ["1", "again"]);
  expect(await night.run(["answer", "Q1", "no,", "the", "logo", "is", "wrong"])).toMatchObject({
    code: 0,
    stdout: "Q1: no: the logo is wrong\n",
  });
  expect(await night.run(["resume", "--json"])).toMatchObject({ code: 3 });
  expect(night.prompt(2)).toContain("| approval: The page looks right, show T-1.txt: fails at ");
  expect(night.prompt(2)).toContain("a person said no: the logo is wrong");
  expect((await night.status()).questions).toMatchObject([{ id: "Q2", source: "approval" }]);
  await night.run(["answer", "Q2", "1"]);
  expect(await night.run(["resume", "--json"])).toMatchObject({ code: 0, report: { tasks: { verified: 1 } } });
});

test("a yes to another tree than the one that is there is asked for again", async () => {
  const night = await asked();
  await night.run(["answer", "Q1", "yes"]);
  night.repo.commit("a person's own change", { "other.txt": "1" });
  expect(await night.run(["resume", "--json"])).toMatchObject({ code: 3 });
  expect((await night.status()).questions).toMatchObject([{ id: "Q2", source: "approval" }]);
  await night.run(["answer", "Q2", "yes"]);
  night.repo.commit("the plan alone", { "tasks.md": `${night.read("tasks.md")}\nA word.\n` });
  expect(await night.run(["resume", "--json"])).toMatchObject({ code: 0, report: { tasks: { verified: 1 } } });
});

test("an answer to an approval is yes, or no with a reason, and nothing in between", async () => {
  const night = await asked();
  for (const words of ["maybe", "nope", "3", "yes but"])
    expect(await night.run(["answer", "Q1", words])).toMatchObject({ code: 2, stderr: expect.stringContaining("takes one of: yes, no") });
  expect((await night.status()).questions).toHaveLength(1);
});

test("nobody is asked to approve what does not hold otherwise", async () => {
  const night = makeNight({
    plan: "- [ ] T-1 Write it\n  - file: other.txt\n  - approval: It looks right\n",
    agent: agent("claim-ready.mjs"),
  });
  await night.run(["run", "--json", "--windows", "1"]);
  expect(answers(night)).toMatchObject([{ kind: "refused", evidence: [{ verdict: "fails" }, { verdict: "cannot-tell" }] }]);
  expect((await night.status()).questions).toEqual([]);
});

test("a criterion counts from its window on: before it is told, and refuses nothing", async () => {
  const plan = "- [ ] T-1 Write it\n  - file: T-1.txt\n  - from 2: file: other.txt exists\n";
  const early = makeNight({ plan, agent: agent("claim-ready.mjs") });
  const end = await early.run(["run", "--json"]);
  expect(answers(early)).toMatchObject([
    { kind: "done", doneBy: "verified", evidence: [{ verdict: "holds" }, { verdict: "fails", countsFrom: 2 }] },
  ]);
  expect(end).toMatchObject({ code: 0, report: { tasks: { verified: 1 } } });
  expect(early.prompt(1)).toContain("from 2: file: other.txt exists (the harness looks; counts from window 2 on)");

  const late = makeNight({ plan, agent: agent("claim-ready.mjs", "0,1") });
  await late.run(["run", "--json", "--windows", "2"]);
  expect(answers(late, 2)).toMatchObject([{ kind: "refused", evidence: [{ verdict: "holds" }, { verdict: "fails" }] }]);
  expect(answers(late, 2)[0].evidence[1]).not.toHaveProperty("countsFrom");
});

test("measuring by hand needs no agent to be named", async () => {
  const night = makeNight({ config: null });
  expect(await night.run(["criteria", "try", "file: a.txt exists"])).toMatchObject({ code: 0 });
  expect(await night.run(["criteria", "check", "T-1", "--plan", "tasks.md"])).toMatchObject({ code: 1 });
});

const neverPlan = "- [ ] T-1 Write it\n  - file: never.txt exists\n- [ ] T-2 After it\n  - after: T-1\n  - file: T-1.txt\n";

/** Three refused claims in one window: the task waits for a person. */
async function returned(): Promise<Night> {
  const night = makeNight({ plan: neverPlan, agent: agent("claim-ready.mjs", "4") });
  expect(await night.run(["run", "--json"])).toMatchObject({ code: 3, report: { tasks: { blocked: 1, open: 1 } } });
  return night;
}

test("the third return of a task asks a person, with the evidence", async () => {
  const night = await returned();
  expect(answers(night)).toMatchObject([
    { kind: "refused", reason: expect.not.stringContaining("waits") },
    { kind: "refused", reason: expect.not.stringContaining("waits") },
    { kind: "refused", reason: expect.stringContaining("T-1 waits for a person, who says what becomes of it (Q1)") },
    { kind: "refused", reason: expect.stringContaining("T-1 waits for a person: Q1: "), evidence: [] },
  ]);
  expect((await night.status()).questions).toMatchObject([
    {
      ...{ id: "Q1", source: "returns", task: "T-1", options: ["go on", "accept as it is", "set aside"] },
      context: expect.stringContaining("never.txt is not there"),
    },
  ]);
  expect((await night.run(["why"])).stdout).toContain("file: never.txt exists: fails at");
});

test("accept as it is: the task is done by a person, and what comes after it goes on", async () => {
  const night = await returned();
  await night.run(["answer", "Q1", "accept as it is"]);
  const end = await night.run(["resume", "--json"]);
  expect(end.report?.tasks.list).toMatchObject([{ key: "T-1", state: "done", doneBy: "person" }, { key: "T-2" }]);
  expect(night.read("tasks.md")).toContain("- [x] T-1");
});

test("set aside: the task has failed, and what comes after it is named with it", async () => {
  const night = await returned();
  await night.run(["answer", "Q1", "3"]);
  expect(await night.run(["resume", "--json"])).toMatchObject({ code: 7 });
  expect((await night.report()).tasks.list).toMatchObject([
    { key: "T-1", state: "failed", reason: "a person set it aside (Q1)" },
    { key: "T-2", reason: expect.stringContaining("T-1") },
  ]);
});

test("go on: its attempts and returns are counted from none again", async () => {
  const night = await returned();
  await night.run(["answer", "Q1", "go on"]);
  expect((await night.status()).taskList[0]).toMatchObject({ state: "pending", attempts: 0 });
  expect(await night.run(["resume", "--json"])).toMatchObject({ code: 3 });
  expect((await night.status()).questions).toMatchObject([{ id: "Q2", source: "returns" }]);
  expect(answers(night, 2)).toHaveLength(4);
});

test("a task that fails by its attempts first is not asked about", async () => {
  const night = makeNight({
    plan: neverPlan,
    agent: agent("claim-ready.mjs", "1"),
    config: { limits: { attemptsPerTask: 2 } },
    personal: { limits: { idleWindows: 5 } },
  });
  expect(await night.run(["run", "--json"])).toMatchObject({ code: 7, report: { tasks: { failed: 1 } } });
  expect((await night.status()).questions).toEqual([]);
});

test("answers while the run stays and waits are carried out at once", async () => {
  const night = makeNight({ plan: approvalPlan, agent: agent("claim-ready.mjs") });
  const run = night.start(["run", "--json", "--stay"]);
  await run.event("run.phase-changed", (event) => event.data["to"] === "waiting-person");
  await night.run(["answer", "Q1", "yes"]);
  expect(await finish(run)).toMatchObject({ code: 0, report: { tasks: { verified: 1 } } });
});

test("a line is tried by hand, and says what it saw", async () => {
  const night = makeNight({ files: { "a.test.mjs": testFile } });
  const held = await night.run(["criteria", "try", "tests: `node --test a.test.mjs` at least 2"]);
  expect(held).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^holds {2}tests: .*\n {4}2 passed, 0 failed, 0 skipped \(node:test\)\n/),
  });
  const failed = await night.run(["criteria", "try", "tests: `node --test a.test.mjs` at least 3", "--json"]);
  expect([failed.code, JSON.parse(failed.stdout)]).toMatchObject([1, { kind: "tests", verdict: "fails", figures: { passed: 2 } }]);
  expect(await night.run(["criteria", "try", "approval: It looks right"])).toMatchObject({ code: 3 });
  expect(await night.run(["criteria", "try", "tests: `x` at lest 3"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("`at least N`"),
  });
  expect(await night.run(["criteria", "try", "It works"])).toMatchObject({ code: 2, stderr: expect.stringContaining("is prose") });
  expect(await night.run(["criteria", "try", "git: changed tasks.md"])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("cannot-tell"),
  });
  night.repo.commit("a change", { "tasks.md": "- [ ] T-1 Other\n" });
  expect(await night.run(["criteria", "try", "git: changed tasks.md", "--base", "HEAD~1"])).toMatchObject({ code: 0 });
  expect(await night.run(["criteria", "try", "git: clean", "--base", "nowhere"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("no commit nowhere"),
  });
});

test("a task of the plan is checked by hand, and nothing is changed", async () => {
  const night = makeNight({ plan: "- [ ] T-1 Write it\n  - file: T-1.txt\n  - git: clean\n  - check: It reads well\n" });
  const end = await night.run(["criteria", "check", "t-1"]);
  expect(end).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^fails {2}file: T-1\.txt\n {4}T-1\.txt is not there\nholds {2}git: clean\n/),
  });
  night.repo.commit("do it", { "T-1.txt": "done" });
  const json = await night.run(["criteria", "check", "T-1", "--json"]);
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([
    0,
    { task: "T-1", verified: true, told: ["It reads well"], evidence: [{ verdict: "holds" }, { verdict: "holds" }] },
  ]);
  expect(night.read("tasks.md")).toContain("- [ ] T-1");
  expect(await night.run(["criteria", "check", "T-9"])).toMatchObject({ code: 2, stderr: expect.stringContaining("there is no task T-9") });
  expect(await night.run(["status"])).toMatchObject({ code: 2 });
});
