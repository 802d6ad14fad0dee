/** The git working tree of a run. Reads only: no lock is taken, no ref moved, nothing of the repository's own configuration is executed. */
import type { GroundState, TreeChange } from "../core/ground.ts";
import type { GitSettings } from "../core/guard/git-settings.ts";

export interface WorkspaceLocation {
  /** Real path of the working tree's top. */
  readonly top: string;
  /** Real path of the git common dir: the key of a repository in the store. */
  readonly commonDir: string;
  /** Git dir of this working tree. */
  readonly gitDir: string;
}

export type WorkspaceFinding =
  | { readonly kind: "found"; readonly location: WorkspaceLocation }
  /** Each with one line that names the place and the next step. */
  | { readonly kind: "no-git" | "not-a-repository" | "bare" | "unsafe-owner" | "unreadable"; readonly detail: string };

export type Messages =
  | { readonly kind: "read"; readonly messages: readonly string[] }
  | { readonly kind: "failed"; readonly detail: string };

export type ChangedPaths =
  | { readonly kind: "read"; readonly paths: readonly string[] }
  | { readonly kind: "failed"; readonly detail: string };

export interface Workspace {
  readonly location: WorkspaceLocation;
  /**
   * @param bookkeeping  paths relative to the top, `/`-separated, files or folders, that never count as dirt or as progress
   */
  inspect(bookkeeping: readonly string[]): Promise<GroundState>;
  /** What happened to the tree from commit `base` ("" = unborn) until now, outside the bookkeeping paths. */
  changeSince(base: string, bookkeeping: readonly string[]): Promise<TreeChange>;
  /** Messages of the commits since `base` ("" = all), newest first, at most a thousand. */
  messagesSince(base: string): Promise<Messages>;
  /**
   * Paths in which HEAD's tree differs from that of `base` ("" = nothing), at most `limit`.
   * @param below  only below these; none = everywhere outside the bookkeeping
   */
  pathsChanged(base: string, below: readonly string[], limit: number, bookkeeping?: readonly string[]): Promise<ChangedPaths>;
  /** The commit that a person's name for it stands for; null = none. */
  findCommit(name: string): Promise<string | null>;
  /** Creates and checks out a branch; only before a run, on a person's word. */
  createBranch(name: string): Promise<{ readonly kind: "created" | "exists" } | { readonly kind: "failed"; readonly detail: string }>;
  /** Adds a line to .git/info/exclude unless it is there. */
  excludeFromGit(pattern: string): Promise<void>;
  /** Absolute path -> text of each file that is new or changed and not ignored, within bounds: what git would take in. */
  changedTexts(): Promise<ReadonlyMap<string, string>>;
  /** Git's settings as a git of the agent's, started in `folder`, finds them now; null when they cannot be read. */
  gitSettings(folder: string, env: Readonly<Record<string, string>>): Promise<GitSettings | null>;
}
