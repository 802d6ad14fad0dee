/** F10, F11: one run in a working tree, held by the kernel; a row that names somebody means nothing by itself. */
import { spawn } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { agent, makeNight, type Night } from "./kit.ts";
import { eventually } from "./program.ts";

/** A night whose agent works until somebody ends it. */
const hold = () => makeNight({ agent: agent("hang.sh"), config: { limits: { graceTime: "100ms" } } });

const firstPrompt = (night: Night) => eventually(() => existsSync(join(night.folder, "prompt-1")), "the first window");

test("of two runs that start together exactly one wins, 20 times of 20, and the loser names it within 2 s", async () => {
  const patience = { failedWindows: 100, idleWindows: 100, attemptsPerTask: 100, unknownCostWindows: 100 };
  const night = makeNight({ agent: agent("hang.sh"), personal: { limits: patience } });
  const losersMs: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const [one, other] = [night.start(["run", "--json"]), night.start(["run", "--json"])];
    const [loser, winner] = await Promise.race([
      one.ended.then((end) => [end, other] as const),
      other.ended.then((end) => [end, one] as const),
    ]);
    expect(loser).toMatchObject({ code: 9, stdout: "" });
    expect(loser.stderr).toMatch(/^midwatch: a run holds \S+: .+\n {2}next: see it with: midwatch status; end it with: midwatch stop\n$/);
    losersMs.push(loser.durationMs);
    await winner.kill();
    expect(await winner.ended).toMatchObject({ signal: "SIGKILL", stderr: "" });
  }
  // A busy machine may delay one of them.
  expect(losersMs.sort((one, other) => one - other)[10]).toBeLessThan(2000);
});

test("a second run is refused by every name of the tree, and names the holder", async () => {
  const night = hold();
  const run = night.start(["run", "--json"]);
  const { run: id } = await run.event("run.started");
  const link = join(night.folder, "link");
  symlinkSync(night.repo.path, link);
  for (const cwd of [night.repo.path, link, `${night.repo.path}/.`]) {
    const second = await night.run(["run"], { cwd });
    expect(second).toMatchObject({ code: 9, stdout: "" });
    expect(second.stderr).toContain(`a run holds ${night.repo.path}: process ${run.pid}, run ${id}`);
  }
});

test("another working tree of the same repository has a run of its own", async () => {
  const night = hold();
  const run = night.start(["run", "--json"]);
  await firstPrompt(night);
  night.repo.git("worktree", "add", "-q", "../second");
  const cwd = join(night.folder, "second");
  expect(await night.run(["run", "--json", "--", ...agent("finish.sh")], { cwd })).toMatchObject({ code: 0, report: { worktree: cwd } });
  expect(existsSync(`/proc/${run.pid}`)).toBe(true);
});

test("the lock of a run that was killed is free at once", async () => {
  const night = hold();
  const run = night.start(["run", "--json"]);
  await firstPrompt(night);
  await run.kill();
  expect(await night.run(["run", "--json", "--", ...agent("finish.sh")])).toMatchObject({ code: 0 });
});

test("a stale row that names a living stranger does not matter, and the stranger is left alone", async () => {
  const stranger = spawn("sleep", ["1000"], { stdio: "ignore" });
  onTestFinished(() => void stranger.kill());
  const night = hold();
  const run = night.start(["run", "--json"]);
  await firstPrompt(night);
  await run.kill();
  forgeIdentity(night, stranger.pid ?? 0);
  expect(await night.status()).toMatchObject({ supervised: false, supervisorPid: null });
  expect(await night.run(["run", "--json", "--", ...agent("finish.sh")])).toMatchObject({
    code: 0,
    report: { windows: [{ exit: "lost" }, { exit: "completed" }] },
  });
  expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null]);
});

/** As after a crash and a reuse of both pids: the rows of supervisor and agent name a process that is none of ours. */
function forgeIdentity(night: Night, pid: number): void {
  const store = new DatabaseSync(join(night.folder, "state/midwatch/midwatch.db"));
  for (const [table, column] of [
    ["run", "supervisor"],
    ["window", "process"],
  ]) {
    store.exec(`UPDATE ${table} SET ${column} = json_set(${column}, '$.pid', ${pid})`);
  }
  store.close();
}
