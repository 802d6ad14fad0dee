/** Deaths before there is a window: in `init`, and while the branch of a run is made. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { Night } from "./night.ts";

vi.setConfig({ maxConcurrency: 2, testTimeout: 120_000 });

/** A night that was not prepared yet: no plan, no settings. */
async function prepare(night: Night): Promise<Night> {
  night.repo.git("rm", "--quiet", "tasks.md");
  night.repo.commit("no plan yet");
  return night;
}

function written({ repo }: Night): readonly string[] {
  return ["midwatch.jsonc", "tasks.md", ".git/info/exclude"].map((path) => readFileSync(join(repo.path, path), "utf8"));
}

const alone = await prepare(new Night());
await alone.start(["init"]).ended;
const points = alone.points();
const whole = written(alone);
await alone.close();

test("init has a point before and after each file that it puts in place", () => {
  expect(points).toEqual(
    [...Array(2).fill(["file.temp-written", "file.renamed"]), ...Array(2).fill(["exclude.temp-written", "exclude.renamed"])].flat(),
  );
});

test.concurrent.for(points.map((point, index) => [index + 1, point] as const))(
  "init killed at point %i, %s, is done again as if nothing had been",
  async ([number], { onTestFinished }) => {
    const night = await prepare(new Night());
    onTestFinished(night.close);
    const first = await night.start(["init"], { MIDWATCH_FAULT: `kill-nth:${number}` }).ended;
    const second = await night.start(["init"]).ended;
    expect([first.signal, second.code]).toEqual(["SIGKILL", 0]);
    expect(written(night)).toEqual(whole);
    expect(night.repo.git("status", "--porcelain", "--untracked-files=all").split("\n").sort()).toEqual([
      "?? midwatch.jsonc",
      "?? tasks.md",
    ]);
  },
);

const onBranch = ["run", "--json", "--branch", "night"];

test.concurrent.for(["branch.before-create", "branch.checked-out", "run.created"])(
  "a run on a new branch killed at %s is started again by the same command",
  async (point, { onTestFinished }) => {
    const night = new Night();
    onTestFinished(night.close);
    const first = await night.start(onBranch, { MIDWATCH_FAULT: `kill:${point}` }).ended;
    const second = await night.start(onBranch).ended;
    expect([first.signal, second.code, second.stderr]).toEqual(["SIGKILL", 0, ""]);
    expect(night.repo.git("symbolic-ref", "HEAD")).toBe("refs/heads/night");
    expect(night.repo.git("rev-parse", "main")).toBe(night.before.head);
  },
);

test("a branch that was made and not checked out is never taken for ours: the next command is said", async ({ onTestFinished }) => {
  const night = new Night();
  onTestFinished(night.close);
  const first = await night.start(onBranch, { MIDWATCH_FAULT: "kill:branch.created" }).ended;
  const second = await night.start(onBranch).ended;
  expect([first.signal, second.code]).toEqual(["SIGKILL", 6]);
  expect(second.stderr).toContain("git switch night");
  night.repo.git("switch", "--quiet", "night");
  expect((await night.start(onBranch).ended).code).toBe(0);
});
