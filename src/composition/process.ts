/** What this process is to the system: its program, its signals, its user's home, and the working tree it was started in. */
import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { findTreeTop } from "../adapters/git/tree-top.ts";
import { MidwatchError } from "../core/error.ts";

/** How this program is started once more. */
export function programOf(): readonly [string, ...string[]] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? ""];
}

/** What this program was installed as: one above the folder of its launcher. */
export function packageFolder(): string {
  const launcher = process.argv[1] ?? "";
  return dirname(dirname(existsSync(launcher) ? realpathSync(launcher) : launcher));
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** @returns the way to stop listening */
export function onSignal(listener: (signal: (typeof signals)[number]) => void): () => void {
  const listeners = signals.map((signal) => [signal, () => listener(signal)] as const);
  for (const [signal, listen] of listeners) process.on(signal, listen);
  return () => {
    for (const [signal, listen] of listeners) process.off(signal, listen);
  };
}

/** Null = the system has no entry for this user: HOME decides. */
export function home(): string | null {
  try {
    return homedir();
  } catch {
    return null;
  }
}

/** Starts no git. Throws MidwatchError kind usage where there is none. */
export function treeTop(): string {
  const top = findTreeTop(process.cwd());
  if (top !== null) return top;
  throw new MidwatchError("usage", "E_WORKSPACE", `${process.cwd()} is in no git repository`, {
    hint: "go to one, or make one with: git init",
  });
}
