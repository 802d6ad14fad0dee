/**
 * Brings the real agent program of the tests into build/agents, which git ignores: `node scripts/install-agents.mjs`, and prints its path.
 * It is never a dependency: 400 MB under a licence of its own. `--check` only looks whether it is there.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const version = "2.1.332";
const folder = join(import.meta.dirname, "../build/agents");

/** The platform package holds the program itself: no install script and no other process in between. */
function packageName() {
  const musl = process.platform === "linux" && process.report.getReport().header.glibcVersionRuntime === undefined;
  return `@anthropic-ai/claude-code-${process.platform}-${process.arch}${musl ? "-musl" : ""}`;
}

const program = join(folder, "node_modules", packageName(), process.platform === "win32" ? "claude.exe" : "claude");

/** @returns what is wrong with the program, or null */
function trouble() {
  const { error, stdout } = spawnSync(program, ["--version"], { encoding: "utf8", timeout: 20_000 });
  if (error !== undefined) return `there is no Claude Code ${version} in ${folder} (${error.code})`;
  return stdout.startsWith(`${version} `)
    ? null
    : `the Claude Code in ${folder} is not version ${version} but ${stdout.trim().slice(0, 80)}`;
}

function install() {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const options = ["--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1"];
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const { error, status, stderr } = spawnSync(npm, ["install", ...options, `${packageName()}@${version}`], { encoding: "utf8" });
  if (error !== undefined) return `npm cannot be started (${error.code})`;
  if (status === 0) return null;
  const [, code] = /^npm (?:error|ERR!) code (\S+)$/m.exec(stderr) ?? [];
  return `npm did not bring ${packageName()}@${version} (${code ?? `exit code ${status}`}): is its registry reachable?`;
}

let problem = trouble();
if (problem !== null && !process.argv.includes("--check")) {
  process.stderr.write(`installing ${packageName()}@${version} (400 MB) into ${folder}\n`);
  problem = install() ?? trouble();
}
if (problem === null) process.stdout.write(`${program}\n`);
else process.stderr.write(`${problem}\n`);
process.exitCode = problem === null ? 0 : 1;
