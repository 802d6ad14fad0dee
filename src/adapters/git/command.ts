/**
 * Starts one short git command and streams what it prints. It never throws for what git does: every end is a value.
 * The output is never kept as a whole, a command has a deadline, and it is ended early when its reader has seen enough.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { cleanPath, type Environment, gitEnvironment, locateProgram, safeOptions } from "./environment.ts";

export interface Git {
  run(args: readonly string[], spec: GitSpec): Promise<GitEnd>;
}

export interface GitSpec {
  readonly cwd: string;
  /** Before the command's name, after our own safe ones. */
  readonly options?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  /** For standard input. */
  readonly input?: string;
  /** Gets standard output piece by piece; false = seen enough, the command is ended and counts as well done. */
  readonly onOutput?: (chunk: Buffer) => boolean;
}

export type GitEnd =
  | { readonly kind: "exited"; readonly code: number; readonly stderr: string }
  | { readonly kind: "no-git"; readonly detail: string }
  | { readonly kind: "broken"; readonly detail: string };

type GitChild = ChildProcessByStdio<Writable | null, Readable, Readable>;

export const defaultTimeoutMs = 60_000;
const maxStderrBytes = 4096;

/** Finds git in the environment's PATH, outside of `tree` if there is one, and gives a way to run it. */
export function createGit(env: Environment, tree: string | null, timeoutMs: number = defaultTimeoutMs): Git {
  const path = cleanPath(env["PATH"], tree);
  const program = locateProgram("git", path);
  const variables = gitEnvironment(env, path);
  const noGit: GitEnd = { kind: "no-git", detail: "git is not on the PATH: install it, or add its folder to PATH" };
  return { run: (args, spec) => (program === null ? Promise.resolve(noGit) : runProgram(program, args, spec, variables, timeoutMs)) };
}

/** Runs a command and gives its whole output, up to `maxBytes`; more than that is a broken end. */
export async function readOutput(git: Git, args: readonly string[], spec: GitSpec, maxBytes = 1 << 20): Promise<[GitEnd, Buffer]> {
  const chunks: Buffer[] = [];
  let size = 0;
  const onOutput = (chunk: Buffer): boolean => {
    chunks.push(chunk);
    size += chunk.length;
    return size <= maxBytes;
  };
  const end = await git.run(args, { ...spec, onOutput });
  if (size > maxBytes) return [{ kind: "broken", detail: `git ${args[0]} printed more than ${maxBytes} bytes` }, Buffer.alloc(0)];
  return [end, Buffer.concat(chunks)];
}

/** What to tell a person of an end that should have been exit code 0; null when it was. */
export function describeFailure(end: GitEnd): string | null {
  if (end.kind !== "exited") return end.detail;
  if (end.code === 0) return null;
  const line = end.stderr.split("\n").find((text) => text.trim() !== "");
  return line === undefined ? `git ended with exit code ${end.code}` : line.replace(/^(fatal|error): /, "");
}

function runProgram(program: string, args: readonly string[], spec: GitSpec, base: NodeJS.ProcessEnv, timeoutMs: number): Promise<GitEnd> {
  const options = [...safeOptions, ...(spec.options ?? []), ...args];
  try {
    const { cwd, input } = spec;
    const env = { ...base, ...spec.variables };
    const child: GitChild =
      input === undefined
        ? spawn(program, options, { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
        : spawn(program, options, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
    child.stdin?.on("error", () => undefined); // it ended without reading: how, its end says
    child.stdin?.end(input);
    return watch(child, args[0] ?? "", spec.onOutput, timeoutMs);
  } catch (error) {
    return Promise.resolve({ kind: "broken", detail: `git could not be started: ${messageOf(error)}` }); // E2BIG, EMFILE and the like
  }
}

function watch(child: GitChild, command: string, onOutput: GitSpec["onOutput"], timeoutMs: number): Promise<GitEnd> {
  const { promise, resolve } = Promise.withResolvers<GitEnd>();
  let stderr = "";
  // Its pipes are let go of at once: a grandchild that holds them open must not keep us waiting.
  const endEarly = (end: GitEnd): void => {
    child.kill("SIGKILL");
    child.stdout.destroy();
    child.stderr.destroy();
    resolve(end);
  };
  const late: GitEnd = { kind: "broken", detail: `git ${command} gave no answer in ${timeoutMs / 1000} s` };
  const deadline = setTimeout(() => endEarly(late), timeoutMs);
  child.stdout.on("data", (chunk: Buffer) => {
    if (onOutput?.(chunk) === false) endEarly({ kind: "exited", code: 0, stderr: "" });
  });
  child.stderr.on("data", (chunk: Buffer) => {
    if (stderr.length < maxStderrBytes) stderr += chunk.toString("utf8").slice(0, maxStderrBytes);
  });
  child.on("error", (error) => resolve({ kind: "broken", detail: `git could not be started: ${messageOf(error)}` }));
  child.on("close", (code, signal) => {
    resolve(code === null ? { kind: "broken", detail: `git ${command} was ended by ${signal}` } : { kind: "exited", code, stderr });
  });
  return promise.finally(() => clearTimeout(deadline));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
