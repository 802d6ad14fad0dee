/** A run that was left is taken up again: what stands in its way is looked at first, and the person is told what counts from there on. */
import { expect, test } from "vitest";
import { agent, boxes, makeNight, type Night } from "./kit.ts";

/** A run that waits, with exit code 3, for a person to tidy the tree. */
async function dirty(...later: readonly string[]): Promise<Night> {
  const night = makeNight({ agent: agent("by-turns.sh", "leave-state.sh untracked", ...later) });
  expect(await night.run(["run"])).toMatchObject({ code: 3 });
  return night;
}

const tidy = (night: Night) => night.repo.commit("mine");

test.for(["resume", "run"])("%s on a tree that is dirty still keeps the question, however often", async (command) => {
  const night = await dirty("finish.sh");
  for (let time = 0; time < 3; time += 1) {
    const end = await night.run([command]);
    expect(end).toMatchObject({ code: 3, stderr: expect.stringContaining("Q1  uncommitted: 1 untracked (left.txt)") });
    expect(end.stderr).toContain("answer, then go on: midwatch answer Q1 1 && midwatch resume   (1) go on  2) next window  3) stop)");
  }
  expect((await night.status()).questions).toMatchObject([{ id: "Q1", state: "open" }]);
});

test("a question that was mended is answered by starting the run again, which counts as no person's answer", async () => {
  const night = await dirty("finish.sh");
  tidy(night);
  expect(await night.run(["resume", "--json"])).toMatchObject({
    code: 0,
    report: {
      questions: [{ id: "Q1", answer: "go on", answeredBy: "started again" }],
      interventions: { byPerson: 0, byStartingAgain: 1, open: 0 },
    },
  });
});

test("another trouble in the tree is another question, and the first is settled", async () => {
  const night = await dirty("finish.sh");
  tidy(night);
  night.repo.write("other.txt", "new");
  expect(await night.run(["resume", "--json"])).toMatchObject({
    code: 3,
    report: {
      questions: [
        { id: "Q1", answer: "go on" },
        { id: "Q2", answer: null, text: expect.stringContaining("other.txt") },
      ],
    },
  });
});

test("a run that waited is taken up without a word of a death, and one that died with it", async () => {
  const night = await dirty("finish.sh");
  tidy(night);
  const end = await night.run(["resume"]);
  expect(end.stderr).toMatch(/^\d\d:\d\d:\d\d {2}taken up again\n/);
  expect(end.stderr).not.toContain("gone");
});

const otherAgent = (night: Night) =>
  night.repo.commit("another agent", {
    "midwatch.jsonc": JSON.stringify({ agent: { command: agent("finish.sh") }, leftovers: "next-window" }),
  });

test("resume keeps the settings of the run and says which are others now", async () => {
  const night = await dirty("finish.sh");
  otherAgent(night);
  const end = await night.run(["resume"]);
  expect(end.code).toBe(0);
  expect(end.stderr).toContain(
    "the settings are others now (agent.command, leftovers): the run keeps those that it was started with. For today's: midwatch run instead of resume\n",
  );
});

test("run takes today's settings and says so", async () => {
  const night = await dirty("leave-state.sh untracked");
  otherAgent(night);
  const end = await night.run(["run"]);
  expect(end).toMatchObject({ code: 0, stdout: expect.stringContaining("1/1 tasks done") });
  expect(end.stderr).toMatch(/taken up again\n\d\d:\d\d:\d\d {2}with today's settings: agent\.command, leftovers\n/);
});

test("resume says nothing where the settings are the same", async () => {
  const night = await dirty("finish.sh");
  tidy(night);
  expect((await night.run(["resume"])).stderr).not.toContain("settings");
});

test.for([["run", "--dry-run"], ["doctor"]])("%s %s says that a run would be taken up, and where it stands", async (args) => {
  const night = await dirty("finish.sh");
  const { run } = await night.status();
  const { stdout } = await night.run(args.filter((word) => word !== ""));
  expect(stdout).toContain(`run ${run}: it waits for a person, 1 window of 40 used, $0.10 of $150.00`);
});

test("a plan with nothing open makes no new run", async () => {
  const night = makeNight({ plan: boxes("T-1", "T-2") });
  expect(await night.run(["run"])).toMatchObject({ code: 0 });
  const { run } = await night.status();
  night.repo.commit("marks");
  expect(await night.run(["run"])).toMatchObject({
    code: 0,
    stdout: "nothing is open: every task is done; the last run: midwatch report\n",
  });
  const again = await night.run(["run", "--json"]);
  expect(JSON.parse(again.stdout)).toMatchObject({ kind: "result", exitCode: 0, nothingOpen: true, report: { run } });
  expect(await night.status()).toMatchObject({ run });
});

test("a plan that was ticked by hand makes no run at all", async () => {
  const night = makeNight({ plan: "- [x] T-1 Done by hand\n" });
  expect(await night.run(["run"])).toMatchObject({ code: 0, stdout: "nothing is open: every task is done\n" });
  expect(await night.run(["status"])).toMatchObject({ code: 2 });
});

test("a plan whose finished work was lost since is open again", async () => {
  const night = makeNight();
  await night.run(["run"]);
  night.repo.git("rm", "-q", "T-1.txt");
  night.repo.commit("lost");
  expect(await night.run(["run", "--json"])).toMatchObject({
    code: 0,
    report: { tasks: { verified: 1 }, windows: [{ tasksClosed: ["T-1"] }] },
  });
});
