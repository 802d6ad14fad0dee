/** How long the program takes to start, as a whole process beside `node -e 0` of the same Node, in turns. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSheet, inScratch, median } from "./measure.mjs";

const program = join(import.meta.dirname, "../bin/midwatch.js");
const rounds = 25;

await inScratch(async (folder) => {
  const repo = join(folder, "repository");
  mkdirSync(repo);
  const env = { ...process.env, XDG_STATE_HOME: join(folder, "state"), XDG_CONFIG_HOME: join(folder, "config") };
  const run = (...args) => spawnSync(process.execPath, args, { cwd: repo, env, encoding: "utf8" });
  const git = (...args) => spawnSync("git", ["-c", "user.name=b", "-c", "user.email=b@example.invalid", ...args], { cwd: repo, env });
  git("init", "--quiet");
  git("commit", "--quiet", "--allow-empty", "-m", "start");
  // A run to have a status of: its agent ticks the only task.
  writeFileSync(join(repo, "tasks.md"), "- [ ] T1 tick this\n  - file: tasks.md exists\n");
  run(program, "run", "tasks.md", "--foreground", "--", "sed", "-i", "s/\\[ \\]/[x]/", "tasks.md");
  const commands = { "node -e 0": ["-e", "0"], "midwatch --version": [program, "--version"], "midwatch status": [program, "status"] };
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, args] of Object.entries(commands)) {
      const startedAt = performance.now();
      const { status } = run(...args);
      times[name].push(performance.now() - startedAt);
      if (status !== 0) throw new Error(`${name} ended with ${status}`);
    }
  }
  const sheet = createSheet("start: whole processes, median of 25 in turns");
  const base = median(times["node -e 0"]);
  for (const [name, sample] of Object.entries(times)) sheet.row(name, `${median(sample).toFixed(1)} ms`);
  sheet.bound("--version / node -e 0", median(times["midwatch --version"]) / base, 1.3, "x");
  sheet.bound("status / node -e 0", median(times["midwatch status"]) / base, 3, "x");
  sheet.finish();
});
