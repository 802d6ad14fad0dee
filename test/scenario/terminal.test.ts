/** A15: at a terminal a run goes on in a process of its own; leaving the view, or closing the terminal, never ends it. */
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { agent, boxes, makeNight, type Night } from "./kit.ts";
import { eventually, launcher, withDeadline } from "./program.ts";
import { findStrays } from "./strays.ts";

/** Part of util-linux: gives a command a terminal of its own. */
const script = "/usr/bin/script";
const hasTerminal = process.platform === "linux" && existsSync(script);

/** `midwatch run` at a terminal. */
function atTerminal(night: Night) {
  const command = [process.execPath, launcher, "run"].map((word) => `'${word}'`).join(" ");
  const child = spawn(script, ["-qec", command, "/dev/null"], {
    cwd: night.repo.path,
    env: { ...night.env, TERM: "xterm" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
  });
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, code: () => withDeadline(closed, () => `the end of the view; it showed ${shown}`), shown: () => shown };
}

const slow = () => makeNight({ plan: boxes("T-1"), agent: agent("finish-slowly.sh", "1") });

test.skipIf(!hasTerminal).for<readonly [string, (terminal: ReturnType<typeof atTerminal>) => void]>([
  ["Ctrl-C in the view", ({ child }) => child.stdin.write("\u0003")],
  ["the end of the terminal", ({ child }) => child.kill("SIGKILL")],
])("%s does not end the run", async ([, leave]) => {
  const night = slow();
  const terminal = atTerminal(night);
  await eventually(() => existsSync(join(night.folder, "prompt-1")) && terminal.shown().includes("window 1"), "the first window");
  leave(terminal);
  await terminal.code();
  expect(await night.status()).toMatchObject({ phase: "running", supervised: true });
  writeFileSync(join(night.folder, "go-1"), "");
  await eventually(() => findStrays(night.folder).length === 0, "the end of the run");
  expect(await night.status()).toMatchObject({ phase: "ended", stopReason: "finished" });
});

test.skipIf(!hasTerminal)("at a terminal the report follows the night, and the exit code is the run's", async () => {
  const night = makeNight();
  const terminal = atTerminal(night);
  expect(await terminal.code()).toBe(0);
  expect(terminal.shown()).toMatch(/window 1 ended[\s\S]*stop: finished[\s\S]*1\/1 tasks done/);
});

test.skipIf(!hasTerminal)("a question at a terminal is answered on the spot", async () => {
  const night = makeNight({ agent: agent("by-turns.sh", "ask.sh BLOCKED Which_key?", "finish.sh") });
  const terminal = atTerminal(night);
  await eventually(() => terminal.shown().includes("Q1> "), "the prompt");
  terminal.child.stdin.write("The blue one\r");
  expect(await terminal.code()).toBe(0);
  expect(night.prompt(2)).toContain("- Which key? -> The blue one");
});
