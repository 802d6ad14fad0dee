/**
 * Whether a program can be started at all, asked before the spawn: bubblewrap and setpriv stand between us and the program, and would turn
 * a missing one into an exit code of their own. The search is the one of execvp, and it is done afresh each time: an agent's updater may
 * replace the program between two windows.
 */
import { accessSync, closeSync, constants, openSync, readSync, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { codeOf } from "./kin.ts";

export interface ProgramQuery {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What execvp searches when the environment has no PATH. */
const defaultPath = "/usr/bin:/bin";

/** Null = nothing speaks against a start. Else the system's code, with `:cwd` or `:interpreter` behind it when it is about one of these. */
export function findRefusal(query: ProgramQuery): string | null {
  const folder = checkFolder(query.cwd);
  if (folder !== null) return `${folder}:cwd`;
  const { path, refusal } = locate(query.command[0], query.cwd, query.env["PATH"] ?? defaultPath);
  if (refusal !== null) return refusal;
  const interpreter = readInterpreter(path);
  const missing = interpreter === null ? null : checkFile(resolve(query.cwd, interpreter));
  return missing === null ? null : `${missing}:interpreter`;
}

function checkFolder(path: string): string | null {
  return refusalOf(() => {
    if (!statSync(path).isDirectory()) throw Object.assign(new Error(path), { code: "ENOTDIR" });
    accessSync(path, constants.X_OK);
  });
}

function checkFile(path: string): string | null {
  return refusalOf(() => {
    if (!statSync(path).isFile()) throw Object.assign(new Error(path), { code: "EACCES" });
    accessSync(path, constants.X_OK);
  });
}

function refusalOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    return codeOf(error);
  }
}

/** The first program of that name that may be run; else the refusal of one that may not; else ENOENT. */
export function locate(name: string, cwd: string, searchPath: string): { readonly path: string; readonly refusal: string | null } {
  if (name.includes("/")) return { path: resolve(cwd, name), refusal: checkFile(resolve(cwd, name)) };
  let refusal = "ENOENT";
  for (const folder of name === "" ? [] : searchPath.split(delimiter)) {
    const path = resolve(cwd, folder, name);
    const found = checkFile(path);
    if (found === null) return { path, refusal: null };
    if (found === "EACCES") refusal = found;
  }
  return { path: name, refusal };
}

/** The program behind `#!`; null for anything else, also for what may be run and not be read. */
function readInterpreter(path: string): string | null {
  const head = Buffer.alloc(256);
  let file = -1;
  try {
    file = openSync(path, "r");
    readSync(file, head);
  } catch {
    return null; // it may be run without being read, and the kernel will tell
  } finally {
    if (file >= 0) closeSync(file);
  }
  return /^#![ \t]*([^\s\0]+)/.exec(head.toString("latin1"))?.[1] ?? null;
}
