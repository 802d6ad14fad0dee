/** What a guard knows beside the action itself. The caller collects it; what the agent may have changed since is looked up anew for each action. */
import type { GitRoute, GitSettings } from "./git-settings.ts";
import type { GuardPolicy } from "./policy.ts";
import type { ShellParse } from "./shell-tree.ts";

export interface GuardContext {
  /** The working tree, the home folder and our state folder: absolute, resolved. */
  readonly top: string;
  readonly home: string;
  readonly state: string;
  /** Absolute files and folders that the agent may read and not write, beside those known by their shape (see protected-paths.ts). */
  readonly protectedPaths: readonly string[];
  /** In the place of all that is known by its shape: while one rule of the person's is looked at. */
  readonly isGuarded?: (path: string) => boolean;
  /** What the person denies and grants beyond the rules. */
  readonly policy: GuardPolicy;
  readonly supervisorPids: readonly number[];
  /** Where pushes went when the run began; null when it was not looked up, and then only names pass. */
  readonly startRoutes: readonly GitRoute[] | null;
  /** Git's settings in an absolute folder as they are now; null when they were not looked up, and then no alias runs there. */
  readonly gitSettingsOf: (folder: string) => GitSettings | null;
  /** Every absolute path by which the file system knows an absolute path, itself and what links lead to. */
  readonly placesOf: (path: string) => readonly string[];
  /**
   * What git would take in from the run's tree right now: absolute path -> text of each file that is new or changed; null when it was not looked up, and then only what the
   * window is known to have written is.
   */
  readonly changes: ReadonlyMap<string, string> | null;
  /** What the window put into files before this action. */
  readonly memory: Memory;
  readonly parseShell: (text: string) => ShellParse;
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
  /** It is a copy of this program of the machine, or a link to it; absent = it is not known to be one. */
  readonly program?: string;
}
