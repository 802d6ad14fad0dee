/**
 * Our overhead per window: the time between the end of one agent process and the start of the next, with every durable write on. Beside it a bare
 * shell loop over the same instant agent and, where a checkout is named (GNHF=<folder with dist/cli.mjs>), gnhf, in one run on one machine.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSheet, durableWriteMs, inScratch, median } from "./measure.mjs";

const program = join(import.meta.dirname, "../bin/midwatch.js");
const windows = 40;
const rounds = 5;
const gnhf = process.env["GNHF"];

/** Ends at once; commits one file and ticks its task when it is ours to drive. */
const agent = `#!/bin/bash
echo "start $EPOCHREALTIME" >> "$BENCH_LOG"
if [ -n "$MIDWATCH_WINDOW_NUMBER" ]; then
  n=$MIDWATCH_WINDOW_NUMBER
  echo $n > file-$n; git add file-$n; git commit -q -m "feat: $n"
  sed -i "s/^- \\[ \\] T$n /- [x] T$n /" tasks.md
elif [ -n "$BENCH_COMMIT" ]; then
  echo $RANDOM$EPOCHREALTIME >> work; git add work; git commit -q -m work
else
  echo $RANDOM$EPOCHREALTIME >> work
fi
echo '{"type":"system","subtype":"init","session_id":"s","model":"m","tools":["Bash"],"mcp_servers":[],"claude_code_version":"2.1.332"}'
echo '{"type":"assistant","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"true"}}],"usage":{"input_tokens":9,"output_tokens":9}},"session_id":"s"}'
echo '{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]},"session_id":"s"}'
echo '{"type":"result","subtype":"success","is_error":false,"terminal_reason":"completed","result":"done","num_turns":2,"total_cost_usd":0.01,"session_id":"s","permission_denials":[],"usage":{"input_tokens":9,"output_tokens":9},"structured_output":{"success":true,"summary":"done","key_changes_made":[],"key_learnings":[],"should_fully_stop":false}}'
echo "end $EPOCHREALTIME" >> "$BENCH_LOG"
`;

async function measure(name, { command, env = {}, prepare = () => {} }) {
  return inScratch(async (folder) => {
    const repo = join(folder, "repository");
    const bin = join(folder, "bin");
    const log = join(folder, "log");
    for (const path of [repo, bin, join(folder, "home")]) mkdirSync(path);
    writeFileSync(join(bin, "claude"), agent);
    chmodSync(join(bin, "claude"), 0o755);
    writeFileSync(log, "");
    const all = {
      PATH: `${bin}:${process.env["PATH"]}`,
      HOME: join(folder, "home"),
      XDG_STATE_HOME: join(folder, "state"),
      BENCH_LOG: log,
      MIDWATCH_AGENT_WRITABLE: JSON.stringify([folder]),
      GIT_AUTHOR_NAME: "b",
      GIT_AUTHOR_EMAIL: "b@example.invalid",
      GIT_COMMITTER_NAME: "b",
      GIT_COMMITTER_EMAIL: "b@example.invalid",
      GNHF_TELEMETRY: "0",
      ...env,
    };
    const run = (words) => spawnSync(words[0], words.slice(1), { cwd: repo, env: all, encoding: "utf8", input: "" });
    run(["git", "init", "--quiet", "--initial-branch=main"]);
    prepare(repo);
    writeFileSync(join(repo, "README.md"), "bench\n");
    run(["git", "add", "."]);
    run(["git", "commit", "--quiet", "-m", "start"]);
    const result = run(command(join(bin, "claude")));
    const gaps = gapsOf(readFileSync(log, "utf8"));
    if (gaps.length < windows - 1) throw new Error(`${name}: only ${gaps.length + 1} windows\n${result.stdout}\n${result.stderr}`);
    return median(gaps);
  });
}

function gapsOf(log) {
  const rows = log
    .trim()
    .split("\n")
    .map((row) => row.split(" "));
  return rows.flatMap(([what, at], index) => (what === "start" && index > 0 ? [(Number(at) - Number(rows[index - 1][1])) * 1000] : []));
}

const tasks = Array.from({ length: windows + 1 }, (_, index) => `- [ ] T${index + 1} task\n  - file: file-${index + 1} exists\n`).join("");
const midwatch = (containment, ...flags) => ({
  command: (path) => [
    process.execPath,
    program,
    "run",
    "tasks.md",
    "--foreground",
    "--containment",
    containment,
    ...flags,
    "--windows",
    String(windows),
    "--",
    path,
  ],
  env: { MIDWATCH_AGENT_PASS_ENV: '["BENCH_*"]' },
  prepare: (repo) => writeFileSync(join(repo, "tasks.md"), tasks),
});

const sheet = createSheet(`window: median gap between two windows, ${windows} windows, instant agent, median of ${rounds} nights in turns`);
sheet.row("L (4 KB overwrite, fdatasync)", `${durableWriteMs().toFixed(2)} ms`);
const contenders = {
  "bare shell loop": {
    command: (path) => ["bash", "-c", `for i in $(seq ${windows}); do ${path} < /dev/null > /dev/null; done`],
    env: { BENCH_COMMIT: "1" },
  },
  ...(gnhf === undefined
    ? {}
    : {
        gnhf: {
          command: () => [
            process.execPath,
            join(gnhf, "dist/cli.mjs"),
            "--max-iterations",
            String(windows),
            "--prevent-sleep",
            "off",
            "improve",
          ],
        },
      }),
  midwatch: midwatch("partial"),
  "midwatch in a process namespace": midwatch("auto", "--no-sandbox"),
  "midwatch in the sandbox": midwatch("auto"),
};
const gaps = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
for (let round = 0; round < rounds; round += 1) {
  for (const [name, contender] of Object.entries(contenders)) gaps[name].push(await measure(name, contender));
}
for (const [name, sample] of Object.entries(gaps))
  sheet.row(name, `${median(sample).toFixed(1)} ms   (${sample.map((gap) => gap.toFixed(1)).join(", ")})`);
if (gnhf === undefined) sheet.row("gnhf", "not measured (GNHF=<checkout>)");
else sheet.bound("midwatch / gnhf", median(gaps["midwatch"]) / median(gaps["gnhf"]), 1, "x");
sheet.finish();
