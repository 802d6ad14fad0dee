/** Talks with a child program line by line: a word in, a line of JSON out. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

export interface Child {
  readonly process: ChildProcess;
  /** The next line that it says. */
  hear(): Promise<unknown>;
  /** Says a line and hears the answer. */
  ask(line: string): Promise<unknown>;
  end(): Promise<void>;
  kill(): Promise<void>;
}

/** Starts `node PROGRAM ARGS…`, as another user where `user` is given (needs root). */
export function startChild(
  program: string,
  args: readonly string[],
  { user, env }: { readonly user?: number; readonly env?: Readonly<Record<string, string>> } = {},
): Child {
  const node = [process.execPath, "--no-warnings", resolve(import.meta.dirname, program), ...args];
  const [command = "", ...rest] = user === undefined ? node : ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--clear-groups", ...node];
  const child = spawn(command, rest, { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, ...env } });
  const gone = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const hear = async () => {
    const { value, done } = await lines.next();
    return done ? { code: "GONE" } : (JSON.parse(value) as unknown);
  };
  return {
    process: child,
    hear,
    ask(line) {
      child.stdin.write(`${line}\n`);
      return hear();
    },
    async end() {
      child.stdin.end();
      await gone;
    },
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}
