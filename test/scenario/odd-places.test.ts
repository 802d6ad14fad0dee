/** F24: the name of a folder, the language, the terminal and the person's variables change nothing about a night. */
import { readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeNight, type Night, type Options } from "./kit.ts";

/** Everything a run wrote is in its repository or below the state folder. */
function expectTidy(night: Night): void {
  expect(
    readdirSync(night.folder).filter(
      (name) => !["config", "home", "prompt-1", "repo", "state", "link", night.repo.path.split("/").at(-1)].includes(name),
    ),
  ).toEqual([]);
  expect(readdirSync(join(night.folder, "home"))).toEqual([]);
  expect(readdirSync(join(night.folder, "state"))).toEqual(["midwatch"]);
}

test.for([
  ["a space", "the repo"],
  ["an accent", "repositório"],
  ["an accent of two characters", "reposito\u0301rio"],
  ["an emoji", "🌙 watch"],
  ["a quote", `it's "mine"`],
  ["a leading dash", "-rf"],
  ["a newline", "two\nlines"],
  ["what a shell or git would read", "$HOME;*?[a] {b}&c:(top)"],
  ["200 characters", "x".repeat(200)],
])("a repository whose folder has %s in its name works like any other", async ([, place = ""]) => {
  const night = makeNight({ place });
  const end = await night.run(["run", "--json"]);
  expect(end).toMatchObject({ code: 0, stderr: "", report: { worktree: night.repo.path, tasks: { verified: 1 } } });
  expect(await night.status()).toMatchObject({ worktree: night.repo.path, phase: "ended" });
  expectTidy(night);
});

test("a repository by a symbolic link, and a folder inside it, are the same run", async () => {
  const night = makeNight({ files: { "src/deep/file.txt": "x" } });
  const link = join(night.folder, "link");
  symlinkSync(night.repo.path, link);
  expect(await night.run(["run", "--json"], { cwd: link })).toMatchObject({ code: 0, report: { worktree: night.repo.path } });
  expect(await night.run(["status"], { cwd: join(link, "src/deep") })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ENDED {2}1\/1 tasks/),
  });
  expectTidy(night);
});

test.for<readonly [string, NonNullable<Options["env"]>]>([
  ["LC_ALL is tr_TR", { LC_ALL: "tr_TR.UTF-8" }],
  ["LC_ALL is C", { LC_ALL: "C", LANG: undefined }],
  ["LANG is pt_BR", { LANG: "pt_BR.UTF-8", LANGUAGE: "pt_BR" }],
  ["TERM is dumb", { TERM: "dumb" }],
  ["TERM is not set", { TERM: undefined }],
  ["colours are asked for", { FORCE_COLOR: "3", TERM: "xterm-256color", COLORTERM: "truecolor" }],
  ["TZ is Kiritimati", { TZ: "Pacific/Kiritimati" }],
  ["HOME is not set, XDG is", { HOME: undefined }],
  ["HOME does not exist, XDG does", { HOME: "/nowhere/at/all" }],
  [
    "it is started from inside an agent's session",
    {
      CLAUDECODE: "1",
      CLAUDE_CODE_ENTRYPOINT: "cli",
      GEMINI_CLI: "1",
      MIDWATCH_WINDOW: "stray",
      MIDWATCH_URL: "http://127.0.0.1:1/",
      MIDWATCH_HANDOFF: "/tmp/no",
    },
  ],
  ["git points elsewhere", { GIT_DIR: "/nowhere", GIT_WORK_TREE: "/nowhere", GIT_INDEX_FILE: "/nowhere" }],
  ["npm started it", { npm_config_user_agent: "npm", INIT_CWD: "/", NODE_ENV: "production" }],
])("where %s, a night goes the same way and nothing is coloured", async ([, env]) => {
  const night = makeNight();
  const end = await night.run(["run"], { env });
  expect(end).toMatchObject({ code: 0, stderr: expect.stringMatching(/^\d\d:\d\d:\d\d {2}run {2}tasks\.md, on main in /) });
  expect(`${end.stdout}${end.stderr}`).not.toContain("\u001b");
  expect(night.read("tasks.md")).toContain("[x] T-1");
});

test("the agent gets none of the marks of a session that midwatch was started in", async () => {
  const night = makeNight({ agent: ["/bin/sh", "-c", "cat > /dev/null; env > $SCENE/environment"] });
  const marks = {
    CLAUDECODE: "1",
    GIT_DIR: join(night.repo.path, ".git"),
    MIDWATCH_WINDOW: "stray",
    MIDWATCH_LIMITS_RUN: "5",
    SECRET_OF_MINE: "x",
  };
  await night.run(["run", "--windows", "1"], { env: marks });
  const seen = statSync(join(night.folder, "environment")).isFile() ? readEnvironment(night) : {};
  for (const name of ["CLAUDECODE", "GIT_DIR", "MIDWATCH_LIMITS_RUN", "SECRET_OF_MINE"]) expect(seen).not.toHaveProperty(name);
  expect(seen).toMatchObject({
    MIDWATCH_WINDOW_NUMBER: "1",
    MIDWATCH_PLAN: join(night.repo.path, "tasks.md"),
    MIDWATCH_HANDOFF: join(night.repo.path, ".midwatch/handoff.md"),
    MIDWATCH_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/w\//),
  });
  expect(seen["MIDWATCH_WINDOW"]).not.toBe("stray");
});

function readEnvironment(night: Night): Readonly<Record<string, string>> {
  const lines = night.read("../environment").split("\n");
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

test("the state is for this user alone, whatever the mask", async () => {
  const night = makeNight();
  const before = process.umask(0o000);
  try {
    expect(await night.run(["run", "--json"])).toMatchObject({ code: 0 });
  } finally {
    process.umask(before);
  }
  const state = join(night.folder, "state/midwatch");
  expect(statSync(state).mode & 0o777).toBe(0o700);
  for (const name of ["midwatch.db", "logs"]) expect(statSync(join(state, name)).mode & 0o077).toBe(0);
  for (const name of readdirSync(join(state, "logs"))) expect(statSync(join(state, "logs", name)).mode & 0o077).toBe(0);
});

test("under the mask 077 a night goes the same way, and the plan keeps its rights", async () => {
  const night = makeNight();
  const mode = statSync(join(night.repo.path, "tasks.md")).mode;
  const before = process.umask(0o077);
  try {
    expect(await night.run(["run", "--json"])).toMatchObject({ code: 0 });
  } finally {
    process.umask(before);
  }
  expect(statSync(join(night.repo.path, "tasks.md")).mode).toBe(mode);
});
