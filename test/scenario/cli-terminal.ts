/** A command at a terminal of its own, as a person has it: 80 columns wide, or as wide as is said. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { onTestFinished } from "vitest";
import type { Night } from "./kit.ts";
import { launcher, withDeadline } from "./program.ts";

/** Part of util-linux: gives a command a terminal. */
const script = "/usr/bin/script";
export const hasTerminal = process.platform === "linux" && existsSync(script);

export interface Terminal {
  type(text: string): void;
  shown(): string;
  /** The exit code, once it has ended. */
  code(): Promise<number | null>;
  kill(): void;
}

export function atTerminal(night: Pick<Night, "env" | "repo">, command: string, columns = 80): Terminal {
  const line = `stty cols ${columns}; exec '${process.execPath}' '${launcher}' ${command}`;
  const child = spawn(script, ["-qec", line, "/dev/null"], {
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
  return {
    type: (text) => void child.stdin.write(text),
    shown: () => shown,
    code: () => withDeadline(closed, () => `the end of ${command}; it showed ${shown}`),
    kill: () => void child.kill("SIGKILL"),
  };
}
