/**
 * 20 windows of the real Claude Code under midwatch beside the same 20 starts by hand, in one run. The model is the scripted provider, so it costs nothing.
 * Skipped with a line where the program is not installed (npm run agents).
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSheet, inScratch, median, say } from "./measure.mjs";

const root = join(import.meta.dirname, "..");
const program = join(root, "bin/midwatch.js");
const claude = process.env["CLAUDE"] ?? join(root, "build/agents/node_modules/@anthropic-ai/claude-code-linux-x64/claude");
const windows = 20;

if (!existsSync(claude)) {
  say(`\nclaude: skipped, ${claude} is not there`);
  process.exit(0);
}

const command = (n) =>
  `echo ${n} > file-${n} && git add file-${n} && git commit -q -m "feat: ${n}" && sed -i "s/^- \\[ \\] T${n} /- [x] T${n} /" tasks.md`;
const script = {
  conversations: Array.from({ length: windows }, (_, index) => ({
    when: { prompt: `This is window ${index + 1} of` },
    steps: [{ tools: [{ name: "Bash", input: { command: command(index + 1), description: "work" } }] }, { text: "Done." }],
  })),
};

function startProvider(folder) {
  writeFileSync(join(folder, "script.json"), JSON.stringify(script));
  const child = spawn(process.execPath, [program, "provider", "--script", join(folder, "script.json")], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  return new Promise((resolve) => child.stdout.once("data", (text) => resolve({ child, url: /http:\S+/.exec(String(text))[0] })));
}

await inScratch(async (folder) => {
  const { child, url } = await startProvider(folder);
  const env = {
    PATH: process.env["PATH"],
    HOME: join(folder, "home"),
    XDG_STATE_HOME: join(folder, "state"),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-no-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "b",
    GIT_AUTHOR_EMAIL: "b@example.invalid",
    GIT_COMMITTER_NAME: "b",
    GIT_COMMITTER_EMAIL: "b@example.invalid",
  };
  const repository = (name) => {
    const repo = join(folder, name);
    mkdirSync(repo);
    const run = (...words) => spawnSync(words[0], words.slice(1), { cwd: repo, env, encoding: "utf8", input: "" });
    run("git", "init", "--quiet");
    writeFileSync(
      join(repo, "tasks.md"),
      Array.from({ length: windows + 1 }, (_, i) => `- [ ] T${i + 1} task\n  - file: file-${i + 1} exists\n`).join(""),
    );
    run("git", "add", ".");
    run("git", "commit", "--quiet", "-m", "start");
    return run;
  };
  mkdirSync(env.HOME);
  try {
    const byHand = repository("by-hand");
    const times = Array.from({ length: windows }, (_, index) => {
      const startedAt = performance.now();
      byHand(
        claude,
        "-p",
        "--output-format",
        "stream-json",
        "--verbose",
        "--permission-mode",
        "dontAsk",
        "--allowedTools",
        "Bash",
        "--",
        `This is window ${index + 1} of`,
      );
      return performance.now() - startedAt;
    });
    const night = repository("night");
    writeFileSync(
      join(folder, "night", "midwatch.jsonc"),
      JSON.stringify({ plan: "tasks.md", agent: { kind: "claude-code", program: claude } }),
    );
    const startedAt = performance.now();
    const { stdout, stderr } = night(process.execPath, program, "run", "--foreground", "--json", "--windows", String(windows));
    const wall = performance.now() - startedAt;
    const events = stdout
      .trim()
      .split("\n")
      .map((row) => JSON.parse(row));
    const proof = events.find((event) => event.kind === "guards.proved")?.data.ms;
    const ended = events.filter((event) => event.kind === "window.ended");
    if (ended.length !== windows || proof === undefined)
      throw new Error(`the night did not go as it should:\n${stdout.slice(-2000)}\n${stderr}`);
    const opened = events.filter((event) => event.kind === "window.opened");
    const gaps = opened.slice(1).map((event, index) => event.at - ended[index].at);
    const sheet = createSheet(`claude: ${windows} windows of the real program`);
    sheet.row("by hand, a start", `${median(times).toFixed(0)} ms`);
    sheet.row("a window, from opened to judged", `${median(ended.map((event) => event.data.durationMs)).toFixed(0)} ms`);
    sheet.row("between two windows", `${median(gaps).toFixed(0)} ms`);
    sheet.row("guards proved, once", `${proof} ms`);
    sheet.row("our share of a window", `${((wall - proof) / windows - median(times)).toFixed(0)} ms`);
    sheet.finish();
  } finally {
    child.kill("SIGTERM");
  }
});
