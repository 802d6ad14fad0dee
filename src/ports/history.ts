/**
 * Commits side by side, and copies of one outside of the person's tree. No ref, index or file of the repository is touched, and nothing of its
 * configuration is run: filters are silenced, so a file of Git LFS is its pointer.
 */

export interface FileChange {
  readonly path: string;
  readonly kind: "added" | "changed" | "removed";
  /** The text before and after; null where there is none, and for what is no text of at most 1 MB: a link, a submodule, bytes. */
  readonly before: string | null;
  readonly after: string | null;
}

export type ChangeReading =
  | { readonly kind: "read"; readonly changes: readonly FileChange[] /** Further files, which were not read. */; readonly left: number }
  | { readonly kind: "failed"; readonly detail: string };

export type Copied = { readonly kind: "copied"; readonly copy: TreeCopy } | { readonly kind: "failed"; readonly detail: string };

/** The files of one commit, in a folder of ours. */
export interface TreeCopy {
  readonly folder: string;
  /** Puts files as they were at a commit ("" = none); one that was not there is removed. @returns why it could not be done; null = done */
  put(commit: string, paths: readonly string[]): Promise<string | null>;
  /** Puts a text where a file of the commit is. @returns why it could not be done; null = done */
  write(path: string, text: string): Promise<string | null>;
  /** With all that is in it. Never throws. */
  remove(): Promise<void>;
}

export interface History {
  /** Paths of all files of a commit; null = git does not tell. */
  paths(commit: string): Promise<readonly string[] | null>;
  /**
   * What differs from one commit to another, at most 500 files. @param from  "" = nothing
   * @param bookkeeping  paths that never count, relative to the top
   */
  changes(from: string, to: string, bookkeeping: readonly string[]): Promise<ChangeReading>;
  /** Files of the tree whose changes git was told not to see (assume-unchanged, skip-worktree), at most 100. */
  hidden(): Promise<readonly string[]>;
  /**
   * Writes the files of a commit, at most 1 GB, into a new folder below this one. What the tree has beside them and its tools need is linked in: `node_modules`, `.venv`, `venv`, at any depth
   * that the commit's folders have.
   */
  copyOut(commit: string, parent: string): Promise<Copied>;
  /** Takes away what copies a process that died left below a folder. Never throws. */
  sweep(folder: string): Promise<void>;
}
