/** What a guard knows beside the action itself. The caller collects it once a window; nothing here is read from what the agent can write. */
import type { ShellParse } from "./shell-tree.ts";

export interface GuardContext {
  /** The working tree, the home folder and our state folder: absolute, resolved. */
  readonly top: string;
  readonly home: string;
  readonly state: string;
  /** Absolute files and folders that the agent may read and not write, beside those known by their shape (see protected-paths.ts). */
  readonly protectedPaths: readonly string[];
  readonly supervisorPids: readonly number[];
  /** Where a push may go; null when it was not looked up, and then only names pass. */
  readonly knownRemotes: readonly Remote[] | null;
  /** The aliases of git, name to value, as they were at the window's start; null when they were not looked up. */
  readonly gitAliases: ReadonlyMap<string, string> | null;
  /** What the window put into files before this action. */
  readonly memory: Memory;
  readonly parseShell: (text: string) => ShellParse;
}

export interface Remote {
  readonly name: string;
  readonly url: string;
}

/** Files that this window wrote, by absolute path, so that "write it, then run it" is one thing. */
export type Memory = ReadonlyMap<string, FileNote>;

export interface FileNote {
  /** What it holds; null when it is not known. */
  readonly text: string | null;
  /** The text is only a part of what it holds: a change, not the whole. */
  readonly isPart: boolean;
  readonly isFetched: boolean;
  /** It holds secrets, or the packed tree. */
  readonly isSecret: boolean;
}
