/** What the commands say about runs, plans and slips: the whole truth in plain words, at any width. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { atTerminal, hasTerminal } from "./cli-terminal.ts";
import { agent, boxes, makeNight, type Night, writeProgram } from "./kit.ts";
import { eventually, type Running } from "./program.ts";

test("a dry run says of each task what is checked and what is only told, names a word that is none of ours, and what suits no unattended run (C9)", async () => {
  const night = makeNight({
    plan: "- [ ] T-1 One\n  - file: T-1.txt exists\n  - It feels fast\n- [ ] T-2 Two\n  - comand: npm test\n- [ ] T-3 Three\n  - criteria:\n    - run: true\n    - It feels fast\n",
  });
  const { code, stdout } = await night.run(["run", "--dry-run"]);
  expect(code).toBe(0);
  expect(stdout).toContain(
    '\nT-1  One\n    checked  file: T-1.txt exists\n    suits no unattended run: it asks for taste ("feels fast")\n\nT-2  Two\n    nothing is checked: ',
  );
  expect(stdout).toContain("\nT-3  Three\n    checked  run: true\n    told     It feels fast\n");
  expect(stdout).toContain(
    "\nline 5: `comand: npm test` is told to the agent and not checked: `comand` is none of command, run, file, tests, lint, http, json, git, coverage, cost, approval, from N, after, priority, context, allow\n",
  );
  expect(JSON.parse((await night.run(["run", "--dry-run", "--json"])).stdout)).toMatchObject({
    tasks: [
      { key: "T-1", checked: ["file: T-1.txt exists"] },
      { key: "T-2", checked: [], unfit: [{ kind: "unchecked" }] },
      { checked: ["run: true"], told: ["It feels fast"] },
    ],
    notes: [expect.stringContaining("comand")],
    takesUp: null,
  });
  expect((await night.run(["doctor"])).stdout).toContain("`comand` is none of command");
});

test.for<readonly [string, number, RegExp, (night: Night) => Promise<unknown> | undefined]>([
  ["a program that is not there", 6, /stands against it: there is no file .*agent\.sh/, () => undefined],
  [
    "a program that may not be run",
    6,
    /stands against it: \S*agent\.sh is not a program that may be run; if it is one, allow it: chmod \+x '\S*agent\.sh'/,
    async ({ folder }) => writeFileSync(join(folder, "agent.sh"), "#!/bin/sh\n"),
  ],
  ["a tree that another run holds", 9, /stands against it: a run holds \S+: process \d+, run /, holdTree],
])("a dry run names %s, with the exit code of the run", async ([, code, line, spoil]) => {
  const night = makeNight({ agent: ["../agent.sh"] });
  await spoil(night);
  const end = await night.run(["run", "--dry-run"]);
  expect(end).toMatchObject({ code, stdout: expect.stringMatching(line) });
});

async function holdTree(night: Night): Promise<void> {
  writeProgram(join(night.folder, "agent.sh"), '#!/bin/sh\n: > "$SCENE/at-work"\nexec sleep 1000\n');
  night.start(["run"]);
  await eventually(() => existsSync(join(night.folder, "at-work")), "the agent");
}

test("a program that may not be run is refused with the command that allows it", async () => {
  const night = makeNight({ agent: ["./a.txt"] });
  expect(await night.run(["run"])).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(/\n {2}next: if it is one, allow it: chmod \+x '\S+a\.txt'\n$/),
  });
});

test("a dry run of Claude Code says that its guards are proved at the start", async () => {
  const night = makeNight({ config: { agent: { kind: "claude-code", program: "./none", command: undefined } } });
  const { code, stdout } = await night.run(["run", "--dry-run"]);
  expect([code, stdout]).toEqual([6, expect.stringContaining("guards        proved when the run starts")]);
});

async function twoRuns(): Promise<readonly [Night, string, string]> {
  const night = makeNight();
  await night.run(["run"]);
  const { run: first } = await night.status();
  night.repo.write("tasks.md", `${night.read("tasks.md")}- [ ] T-2 Write T-2.txt\n  - file: T-2.txt exists\n`);
  night.repo.commit("more");
  await night.run(["run"]);
  return [night, first, (await night.status()).run];
}

test("every run of the tree is listed, and each has its report", async () => {
  const [night, first, second] = await twoRuns();
  const list = (await night.run(["status", "--all"])).stdout.split("\n");
  expect(list[0]).toMatch(
    new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}finished {2}1 of 2 tasks closed {2}1 window {2}\\$0\\.10 {2}tasks\\.md {2}${second}$`),
  );
  expect(list[1]).toContain(first);
  expect(JSON.parse((await night.run(["status", "--all", "--json"])).stdout)).toMatchObject({
    runs: [
      { run: second, stopReason: "finished", tasksClosed: 1 },
      { run: first, phase: "ended" },
    ],
  });
  expect(JSON.parse((await night.run(["report", "--json", "--run", first])).stdout)).toMatchObject({ run: first });
  expect(await night.run(["report", "--run", "nobody"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("next: see those of this tree with: midwatch status --all"),
  });
});

const slow = () =>
  makeNight({ plan: boxes("T-1", "T-2"), agent: agent("finish-slowly.sh", "1"), config: { limits: { tasksPerWindow: 1 } } });

async function atWork(night: Night): Promise<Running> {
  const run = night.start(["run", "--json"]);
  await eventually(() => existsSync(join(night.folder, "prompt-1")), "the first window");
  return run;
}

const letGo = (night: Night) => writeFileSync(join(night.folder, "go-1"), "");

test.for([
  [["stop"], "it stops after this window"],
  [["pause"], "it pauses after this window"],
] as const)("why tells of %s until it is done", async ([command, words]) => {
  const night = slow();
  await atWork(night);
  await night.run(command);
  expect((await night.status()).why).toMatch(new RegExp(`^it works: window 1.*; ${words}$`));
});

test("a run that is paused cannot be paused again, and a second one is told how to let it go on", async () => {
  const night = slow();
  const run = await atWork(night);
  await night.run(["pause"]);
  letGo(night);
  await run.event("run.phase-changed", (event) => event.data["to"] === "paused");
  expect(await night.run(["pause"])).toMatchObject({ code: 0, stdout: "it is paused already\n" });
  expect(await night.run(["run"])).toMatchObject({
    code: 9,
    stderr: expect.stringContaining("next: it is paused; let it go on with: midwatch resume; end it with: midwatch stop"),
  });
});

test("a run whose process died is called left, and so is one in the list", async () => {
  const night = slow();
  const run = await atWork(night);
  await run.kill();
  expect((await night.run(["status"])).stdout).toMatch(
    /^LEFT {2}0\/2 tasks, window 1 of 40, .*\nits process is gone; take it up again with: midwatch resume\n/,
  );
  expect((await night.run(["status", "--all"])).stdout).toMatch(/^\S+ {2}left {2}/);
});

test("a window that crashed names the log of its program, in the night and in the report", async () => {
  const night = makeNight({ agent: agent("crash.sh"), config: { limits: { failedWindows: 1 } } });
  const { stderr, stdout } = await night.run(["run"]);
  const path = /^ +log: (\S+\.log)$/m.exec(stderr)?.[1] ?? "";
  expect(existsSync(path)).toBe(true);
  expect(stdout).toContain(`      log: ${path}\n`);
  expect(await night.report()).toMatchObject({ windows: [{ logPath: path }] });
});

test("the end of a night says the stop once", async () => {
  const { stderr, stdout } = await makeNight().run(["run"]);
  expect(stderr.match(/stop: finished/g)).toHaveLength(1);
  expect(stdout).not.toContain("stop:");
});

test("a report has no line without a figure in it", async () => {
  const { stdout } = await makeNight({ agent: agent("plain.sh") }).run(["run"]);
  expect(stdout).not.toMatch(/not measured; not measured|median \S+ \(\S+ to \S+, n=1\)|^per task *$/m);
  expect(stdout).toContain("(estimated: ");
});

test("a report names an agent that nothing guarded, and the window that passed its cap", async () => {
  const night = makeNight({ config: { limits: { window: 0.02 } } });
  const { stdout } = await night.run(["run"]);
  expect(stdout).toMatch(/^guards +none: \S.* ran UNGUARDED/m);
  expect(stdout).toMatch(/^window cap +\$0\.02; .*nothing stops it in flight; passed: w1 by \$0\.08$/m);
  expect(await night.report()).toMatchObject({
    guard: "none",
    overshoots: [{ window: 1, capMicroUsd: 20_000, overMicroUsd: 80_000 }],
  });
});

test("a slip on a command's line names the help of that command", async () => {
  const { code, stderr } = await makeNight().run(["run", "--wimdows", "3"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("(see: midwatch run --help)")]);
});

test("a plan outside of the tree is named as the argument that it is", async () => {
  const { stderr } = await makeNight().run(["run", "../tasks.md"]);
  expect(stderr).toBe(
    'midwatch: midwatch run: plan "../tasks.md" leaves the working tree\n  next: write it like this: midwatch run tasks.md\n',
  );
});

test.skipIf(!hasTerminal)("the view comes back with watch, says what it left, and fits 80 columns", async () => {
  const night = slow();
  const run = atTerminal(night, "run");
  await eventually(() => run.shown().includes("window 1"), "the first window");
  run.type("\u0003");
  expect(await run.code()).toBe(0);
  expect(run.shown()).toContain("left the view; the run goes on.");
  const watch = atTerminal(night, "watch");
  await eventually(() => watch.shown().includes("window 1"), "the view");
  letGo(night);
  writeFileSync(join(night.folder, "go-2"), "");
  expect(await watch.code()).toBe(0);
  expect(watch.shown()).toMatch(/window 2 ended[\s\S]*2\/2 tasks done/);
  for (const shown of [run.shown(), watch.shown()])
    for (const line of shown.split("\n")) expect(withoutColour(line).length).toBeLessThanOrEqual(80 + pathLength(line));
});

const withoutColour = (line: string) => line.replace(/\u001b\[\d*[A-Za-z]|\r/g, "");
/** A path is not broken. */
const pathLength = (line: string) => Math.max(0, ...(line.match(/\/\S+/g) ?? []).map((path) => path.length));

test("watch of a run that ended shows its report", async () => {
  const night = makeNight();
  await night.run(["run"]);
  expect(await night.run(["watch"])).toMatchObject({ code: 0, stdout: expect.stringContaining("stop: finished") });
});
