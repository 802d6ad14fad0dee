/** `init` looks which agents are here, says so, and writes the settings for one where there is no doubt. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeNight, type Night, type Scene, writeProgram } from "./kit.ts";

/** A search path with these agents, git, and nothing else of the machine. */
function pathWith({ folder }: Night, names: readonly string[]): string {
  const programs = join(folder, "programs");
  mkdirSync(programs);
  const place = (process.env["PATH"] ?? "").split(":").find((one) => existsSync(join(one, "git")));
  symlinkSync(join(place ?? "/usr/bin", "git"), join(programs, "git"));
  for (const name of names) writeProgram(join(programs, name), "#!/bin/sh\nexit 1\n");
  return programs;
}

async function init(names: readonly string[], scene: Scene = {}) {
  const night = makeNight({ config: null, ...scene });
  const env = { PATH: pathWith(night, names) };
  const { code, stdout, stderr } = await night.run(["init"], { env });
  expect([code, stderr]).toEqual([0, ""]);
  const shown = JSON.parse((await night.run(["config", "show", "--json"], { env })).stdout) as {
    values: { path: string; value: unknown; origin: string }[];
  };
  const kind = shown.values.find(({ path }) => path === "agent.kind");
  return { night, env, words: stdout.replace(/\s+/g, " "), kind: [kind?.value, kind?.origin], file: night.read("midwatch.jsonc") };
}

const commented = (file: string) => [...file.matchAll(/^ {4}\/\/ "command": (\[.*?\])/gm)].map(([, words]) => JSON.parse(words ?? ""));

test("Claude Code is here: it is the agent, and all that were found are told", async () => {
  const { night, env, words, kind, file } = await init(["claude", "codex"]);
  expect(kind).toEqual(["claude-code", "project"]);
  expect(words).toContain(`agents claude at ${env.PATH}/claude; codex at ${env.PATH}/codex; agent.kind is claude-code`);
  expect(words).toContain("next: write your tasks, then: midwatch doctor");
  // Once more: nothing is written over.
  const again = await night.run(["init", "--json"], { env });
  expect(JSON.parse(again.stdout)).toMatchObject({
    files: [{ path: "midwatch.jsonc", what: "kept" }, {}, {}],
    agents: [
      { name: "claude", path: `${env.PATH}/claude` },
      { name: "codex", path: `${env.PATH}/codex` },
    ],
  });
  expect(night.read("midwatch.jsonc")).toBe(file);
});

test("others are here: each has a line to uncomment, and no default is made of them", async () => {
  const { words, kind, file } = await init(["gemini", "opencode"]);
  expect([kind, commented(file)]).toEqual([
    ["command", "default"],
    [
      ["gemini", "--yolo"],
      ["opencode", "run"],
    ],
  ]);
  expect(words).toContain("midwatch.jsonc has a line to uncomment");
  expect(words).toContain("next: set agent.command in midwatch.jsonc and write your tasks");
});

test("nothing is here: as ever, and it says what it looked for", async () => {
  const { words, kind, file } = await init([]);
  expect([kind, commented(file)]).toEqual([["command", "default"], [["codex", "exec", "-"]]]);
  expect(words).toContain("agents none of claude, codex, gemini and opencode is in PATH; any program will do");
});

test("an agent that the person's own settings name stands", async () => {
  const { words, kind, file } = await init(["claude"], { personal: { agent: { command: ["mine"] } } });
  expect([kind, file.includes('\n    "kind"')]).toEqual([["command", "default"], false]);
  expect(words).toContain("your settings name the one to use");
});

test("a program in the tree is none", async () => {
  const night = makeNight({ config: null });
  const inside = join(night.repo.path, "node_modules/.bin");
  mkdirSync(inside, { recursive: true });
  writeProgram(join(inside, "claude"), "#!/bin/sh\nexit 1\n");
  await night.run(["init"], { env: { PATH: `${inside}:${pathWith(night, [])}` } });
  expect(readFileSync(join(night.repo.path, "midwatch.jsonc"), "utf8")).toContain('// "kind": "command"');
});

test("the settings it writes are read again, each of their lines", async () => {
  const { night, env, file } = await init(["codex", "gemini"]);
  night.repo.write("midwatch.jsonc", file.replace(/\/\/ ("command": \["gemini")/, "$1"));
  const shown = await night.run(["config", "show", "--json"], { env });
  expect(shown.stdout).toContain("--yolo");
});
