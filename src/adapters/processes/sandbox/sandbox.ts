/**
 * The sandbox of one run's agent and criteria, proved before it is believed: a trial with the very arguments of a start looks from inside at what must hold.
 * One thing that does not, and it is off, with the reason.
 */
import type { Place } from "../../../core/sandbox/place.ts";
import { namespaceOptions } from "../namespace-options.ts";
import { fileArguments, rootArguments } from "./bubblewrap.ts";
import { sandboxExec, seatbeltProfile } from "./seatbelt.ts";
import { type Start, viewOf } from "./view.ts";

export interface SandboxWanted {
  readonly mode: "auto" | "on" | "off";
  readonly places: readonly Place[];
  /** The working tree. */
  readonly tree: string;
  /** A folder with files of ours, of which nothing may be seen. */
  readonly hidden: string;
  /** PATH of the person. */
  readonly searchPath: string;
}

/** What bubblewrap is started with, up to the folder and the command. */
export function sandboxOptions({ places, searchPath }: SandboxWanted, start: Start): readonly string[] {
  const isRoot = process.getuid?.() === 0;
  return [...fileArguments(viewOf(start, places, searchPath)), ...namespaceOptions, ...(isRoot ? rootArguments() : [])];
}

/** The same on macOS: the command, behind what holds it. */
export function seatbeltCommand({ places, searchPath }: SandboxWanted, start: Start): readonly [string, ...string[]] {
  return [sandboxExec, "-p", seatbeltProfile(viewOf(start, places, searchPath)), ...start.command];
}

/** Exits with 0, or with the number of the first thing that does not hold. */
const trialScript = `
[ "$$" -lt 10 ] || exit 111
[ -w "$1" ] || exit 112
[ -z "$(ls -A "$2" 2>/dev/null)" ] || exit 113
if (: > "/.midwatch-trial-$$") 2>/dev/null; then rm "/.midwatch-trial-$$"; exit 114; fi
if (: >> /proc/sys/kernel/core_pattern) 2>/dev/null; then exit 115; fi
exit 0
`;

const obstacles: Readonly<Record<number, string>> = {
  111: "processes outside could be seen from inside",
  112: "the working tree could not be written from inside",
  113: "our own folder could be seen from inside",
  114: "the machine's files could be written from inside",
  115: "the kernel's settings could be written from inside",
};

export function sandboxObstacle(code: number | null): string | null {
  return obstacles[code ?? 0] ?? null;
}

/** What bubblewrap is started with for a trial. */
export function sandboxTrial(wanted: SandboxWanted): readonly string[] {
  const command = ["/bin/sh", "-c", trialScript, "trial", wanted.tree, wanted.hidden] as const;
  return [...sandboxOptions(wanted, { command, cwd: wanted.tree, env: {} }), "--chdir", wanted.tree, "--", ...command];
}
