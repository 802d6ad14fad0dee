/**
 * The guard beside a real shell. Scripts made at random hide one call of `rm`; bash runs each of them with an `rm` that only writes down its arguments.
 * Whatever deleted a tree there must have been denied here.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { verdictOn } from "../core/guard-kit.ts";
import { makeScript, randomFrom } from "./shell-scripts.ts";

const hasBash = spawnSync("bash", ["-c", "true"]).status === 0;
const scripts = Array.from({ length: 200 }, (_, seed) => makeScript(randomFrom(seed)));
const folder = mkdtempSync(join(tmpdir(), "guard-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the stand-in for `rm` was asked, for each script; one shell runs them all, each in a shell and a folder of its own. */
function runAll(): readonly string[] {
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin/rm"), `#!/bin/sh\nfor a in "$@"; do printf '%s ' "$a"; done >> "$LOG"\necho >> "$LOG"\n`);
  chmodSync(join(folder, "bin/rm"), 0o755);
  for (const [at, script] of scripts.entries()) {
    mkdirSync(join(folder, String(at)));
    writeFileSync(join(folder, `${at}.sh`), script);
  }
  const all = `for n in $(seq 0 ${scripts.length - 1}); do (cd $n && LOG=${folder}/$n.log timeout 20 bash ../$n.sh < /dev/null > /dev/null 2>&1); done; wait`;
  spawnSync("bash", ["-c", all], { cwd: folder, env: { PATH: `${folder}/bin:/usr/bin:/bin`, HOME: folder } });
  return scripts.map((_, at) => (existsSync(join(folder, `${at}.log`)) ? readFileSync(join(folder, `${at}.log`), "utf8") : ""));
}

/** One of the calls had `-r` before any `--`. */
function deletesTree(log: string): boolean {
  return log.split("\n").some((line) => {
    const words = line.split(" ");
    const end = words.indexOf("--");
    return (end === -1 ? words : words.slice(0, end)).some((word) => /^-[a-z]*r|^--rec/i.test(word));
  });
}

test.runIf(hasBash)("no script that deleted a tree in bash was allowed, and most that deleted a file were", () => {
  const logs = runAll();
  const verdicts = scripts.map((script) => verdictOn(script).kind);
  const trees = logs.flatMap((log, at) => (deletesTree(log) ? [at] : []));
  const files = logs.flatMap((log, at) => (log !== "" && !deletesTree(log) ? [at] : []));
  expect(trees.filter((at) => verdicts[at] === "allow").map((at) => scripts[at])).toEqual([]);
  // It ran, and it told the one from the other.
  expect(trees.length).toBeGreaterThan(60);
  expect(files.length).toBeGreaterThan(40);
  expect(files.filter((at) => verdicts[at] === "allow").length).toBeGreaterThan(files.length * 0.8);
});
