/** What a sandboxed agent may write, in the person's home and elsewhere; and what is said of a run that had none. */
import { expect, test } from "vitest";
import { countAttempts } from "../../src/core/attempts.ts";
import { type SandboxFacts, sandboxPlaces } from "../../src/core/sandbox/places.ts";
import { describeSandbox, type RunSandbox, worstOf } from "../../src/core/sandbox/run-sandbox.ts";

const facts: SandboxFacts = {
  kind: "claude-code",
  tree: ["/src/app", "/src/main/.git"],
  ours: ["/home/ann/.local/state/midwatch", "/home/ann/.config/midwatch"],
  program: "/src/app/node_modules/midwatch",
  writable: [],
  env: { HOME: "/home/ann", PATH: "/usr/bin" },
};

/** The last word on a path. */
function accessOf(path: string, changes: Partial<SandboxFacts> = {}) {
  return sandboxPlaces({ ...facts, ...changes }).findLast((place) => place.path === path)?.access;
}

const env = (more: Readonly<Record<string, string>>) => ({ env: { ...facts.env, ...more } });

test.each<[string, string, Partial<SandboxFacts>, string | undefined]>([
  ["the tree is written", "/src/app", {}, "write"],
  ["its git dir outside of it too", "/src/main/.git", {}, "write"],
  ["our state is hidden", "/home/ann/.local/state/midwatch", {}, "hidden"],
  ["our settings are hidden", "/home/ann/.config/midwatch", {}, "hidden"],
  ["our program in the tree is read", "/src/app/node_modules/midwatch", {}, "read"],
  ["the home is seen", "/home/ann", {}, "seen"],
  ["caches are written", "/home/ann/.cache", {}, "write"],
  ["a cache elsewhere is written there", "/data/cache", env({ XDG_CACHE_HOME: "/data/cache" }), "write"],
  ["crates are kept", "/data/cargo/registry", env({ CARGO_HOME: "/data/cargo" }), "write"],
  ["programs of the search path are not", "/data/cargo/bin", env({ CARGO_HOME: "/data/cargo" }), undefined],
  ["/tmp is its own", "/tmp", {}, "private"],
  ["a TMPDIR below it too", "/tmp/nix-shell.1", env({ TMPDIR: "/tmp/nix-shell.1" }), "private"],
  ["a TMPDIR that the person put elsewhere is written", "/scratch/ann", env({ TMPDIR: "/scratch/ann" }), "write"],
  ["sockets in /run are not seen", "/run", {}, "private"],
  ["but for the key agent's", "/run/user/1000/ssh", env({ SSH_AUTH_SOCK: "/run/user/1000/ssh" }), "seen"],
  ["Claude Code's folder is its own", "/home/ann/.claude", {}, "private"],
  ["in which the sign-in is refreshed", "/home/ann/.claude/.credentials.json", {}, "write"],
  ["and settings are read", "/home/ann/.claude/settings.json", {}, "read"],
  ["wherever it was put", "/data/claude/settings.json", env({ CLAUDE_CONFIG_DIR: "/data/claude" }), "read"],
  ["another agent's folder is no business of Claude Code", "/home/ann/.codex", {}, undefined],
  ["of a command it is", "/home/ann/.codex", { kind: "command" }, "write"],
  ["but for its settings", "/home/ann/.codex/config.toml", { kind: "command" }, "read"],
  ["what the person names is written", "/srv/data", { writable: ["/srv/data"] }, "write"],
  ["from the home on", "/home/ann/.pub", { writable: ["~/.pub"] }, "write"],
  ["without a home nothing is looked for in it", "/.cache", { env: {} }, undefined],
])("%s", (_title, path, changes, access) => {
  expect(accessOf(path, changes)).toBe(access);
});

test.each<[string, RunSandbox | null, string]>([
  ["a run that always had one has nothing to say", worstOf(true, null), ""],
  ["nothing is known of a run of which nothing is recorded", worstOf(false, null), ""],
  ["a run without one says why", worstOf(false, "no bwrap"), "NONE: no bwrap; the agent could write wherever you can"],
  ["a run that was taken up without one says so", worstOf(true, "off"), "NOT ALL OF THE TIME: off; the agent could write wherever you can"],
])("%s", (_title, sandbox, words) => {
  expect(describeSandbox(sandbox)).toBe(words);
});

test("the same attempt of a window is told once, with how often", () => {
  const attempt = { window: 1, what: "Bash", reason: "kill by name", denied: true };
  const other = { ...attempt, window: 2 };
  expect(countAttempts([attempt, other, attempt])).toEqual([
    { ...attempt, times: 2 },
    { ...other, times: 1 },
  ]);
});
