/** This program once more, as a process of its own: its own session, so that no terminal and no parent ends it; output into a private file. */
import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";

export interface RunnerSpec {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logPath: string;
}

export function startRunner({ command: [program, ...args], cwd, env, logPath }: RunnerSpec) {
  const log = openSync(logPath, "a", 0o600);
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", log, log] });
  closeSync(log);
  child.unref();
  const exited = new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(1));
    child.once("exit", (code) => resolve(code));
  });
  return { pid: child.pid ?? 0, exited, readLog: () => readFile(logPath, "utf8") };
}
