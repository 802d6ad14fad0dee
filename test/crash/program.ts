/** The program with fault points, as a child process. It is the published one but for them. */
import { spawn } from "node:child_process";
import { join } from "node:path";

const program = join(import.meta.dirname, "../../build/midwatch-faults.js");

/** What a night is started with, the first time and after each death. */
export const command: readonly string[] = ["run", "--json"];

/** A start takes a second; one that hangs is killed, and the test says so. */
const deadlineMs = 60_000;

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly pid: number;
  readonly ended: Promise<Ended>;
}

export function launch(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Started {
  const words = ["--disable-warning=ExperimentalWarning", program, ...args];
  const child = spawn(process.execPath, words, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const told = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      told[name] += chunk;
    });
  const late = setTimeout(() => {
    told.stderr += `\n(the test killed it after ${deadlineMs} ms)`;
    child.kill("SIGKILL");
  }, deadlineMs);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      clearTimeout(late);
      resolve({ code, signal, ...told });
    });
  });
  return { pid: child.pid ?? 0, ended };
}
