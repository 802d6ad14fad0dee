/** The board at the command line, by the built program: added, looked at, moved, imported and exported; what is wrong is one line, and nothing is written. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeNight, type Night } from "./kit.ts";

const twoLines = /^midwatch: ([^\n]+)\n(?: {2}next: [^\n]+\n)$/;

async function said(night: Night, ...args: readonly string[]) {
  const end = await night.run(["task", ...args]);
  expect(end).toMatchObject({ code: 0 });
  return args.includes("--json") ? JSON.parse(end.stdout) : end.stdout;
}

const bare = () => makeNight({ plan: null });

test("a list is imported, worked on by hand and given back with its marks, and everything says what follows", async () => {
  const night = bare();
  const list =
    "# Mine\r\n\r\n- [x] T-1 One\r\n- [ ] T-2 Two\r\n  - after: T-1\r\n  - run: true\r\n- [ ] T-3 Three <!-- mine -->\r\n  - after: T-2\r\n";
  writeFileSync(join(night.repo.path, "mine.md"), list);
  expect(await said(night, "import", "mine.md", "--dry-run", "--json")).toMatchObject({ dryRun: true, added: [{}, {}, {}], done: ["T-1"] });
  expect(await said(night, "import", "mine.md", "--json")).toMatchObject({ blocked: [{ key: "T-3" }] });
  expect(await said(night, "add", "Four", "--check", "run: true", "--after", "t-3")).toBe("T1  Four\n    checked  run: true\n");
  expect(await said(night, "why", "t1")).toMatch(
    /^T1 waits for T-3, which is blocked: suits no unattended run: nothing in it can be checked/,
  );
  expect(await said(night, "retry", "T-3")).toBe("T-3  blocked -> pending\n");
  expect(await said(night, "done", "T-2", "--why", "by hand", "--json")).toMatchObject({ claimable: ["T-3"] });
  expect(await said(night, "export", "--marks", "mine.md")).toBe("mine.md: 1 mark set, 0 taken away\n");
  expect(night.read("mine.md")).toBe(list.replace("[ ] T-2", "[x] T-2"));
  const { task, history } = await said(night, "show", "T-2", "--json");
  expect([task.state, task.doneBy, task.criteria]).toEqual(["done", "person", ["run: true"]]);
  expect(history).toMatchObject([
    { move: "add", why: "from mine.md" },
    { move: "close", why: "by hand", by: "person" },
  ]);
  expect(await said(night, "export")).toBe(
    "# Tasks\n\n- [x] T-1 One\n- [x] T-2 Two\n  - after: T-1\n  - run: true\n- [ ] T-3 Three\n  - after: T-2\n- [ ] T1 Four\n  - after: T-3\n  - run: true\n",
  );
});

test("what is wrong is one line with the next step, and the board stays as it is", async () => {
  const night = bare();
  await said(night, "add", "T-1 One", "--check", "run: true");
  writeFileSync(join(night.repo.path, "bad.md"), "- [ ] T-1 a\n- [ ] T-2 b\n  - after: T-9\n- [ ] t-1: c\n");
  const slips: readonly (readonly [args: readonly string[], line: RegExp])[] = [
    [["add", "x", "--check", "file: ../y"], /^`file: \.\.\/y` cannot be checked: the path \.\.\/y leaves the repository$/],
    [["done", "T-1", "T-9"], /^there is no task T-9$/],
    [["import", "bad.md"], /^bad\.md has 2 troubles$/],
  ];
  for (const [args, line] of slips) {
    const end = await night.run(["task", ...args]);
    const [, told = ""] = /(?:^|\n)(midwatch: [^\n]+\n {2}next: [^\n]+\n)$/.exec(end.stderr) ?? [];
    expect(end).toMatchObject({ code: 2, stdout: "" });
    expect(twoLines.exec(told)?.[1]).toMatch(line);
  }
  expect((await said(night, "list", "--json")).tasks).toMatchObject([{ key: "T-1", title: "One", state: "pending" }]);
});

test("an agent adds, moves and answers nothing (C8), and looks", async () => {
  const night = bare();
  await said(night, "add", "T-1 One", "--check", "run: true");
  for (const args of [["task", "done", "T-1"], ["answer", "Q1", "yes"], ["stop"]]) {
    const end = await night.run(args, { env: { MIDWATCH_WINDOW: "window-1" } });
    expect(end).toMatchObject({
      code: 6,
      stdout: "",
      stderr: expect.stringMatching(/is a person's word, and this process was started inside a window\n/),
    });
  }
  expect(await night.run(["task", "why", "T-1"], { env: { MIDWATCH_WINDOW: "window-1" } })).toMatchObject({ code: 0 });
});

test("the tasks of a plan file are moved and not reworded, and its marks follow at the next start", async () => {
  const night = makeNight({
    plan: "- [ ] T-1 One\n  - file: a.txt exists\n- [ ] T-2 Two\n",
    agent: ["true"],
    config: { limits: { windows: 1 } },
  });
  expect(await night.run(["task", "add", "x"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("stand in tasks.md: change them there"),
  });
  await night.run(["run", "--json"]);
  const end = await night.run(["task", "done", "T-1"]);
  expect(end).toMatchObject({ code: 0, stdout: "T-1  pending -> done\n", stderr: expect.stringContaining("marks in tasks.md follow") });
  await night.run(["run", "--json"]);
  expect(night.read("tasks.md")).toMatch(/^- \[x\] T-1 One\n/);
});
