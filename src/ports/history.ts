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

/** Something that is in the repository now and was not before. */
export interface AddedObject {
  readonly kind: "file" | "commit" | "tag" | "ref";
  /** Its object; of a ref, what it points to. */
  readonly id: string;
  /** Of a file; for the others what they are called. */
  readonly name: string;
  /** Bytes that are no UTF-8 come as Latin letters. */
  readonly text: string;
}

/** Ref to object; entries of the stash are refs of their own. */
export type Refs = ReadonlyMap<string, string>;

export interface RefSpan {
  readonly from: Refs;
  readonly to: Refs;
}

export type AddedReading =
  | { readonly kind: "read" /** So many were not looked at: too large, or too many. */; readonly left: number }
  | { readonly kind: "failed"; readonly detail: string };

export interface History {
  /** What every ref, HEAD and each entry of the stash point to; null = git does not tell. */
  refs(): Promise<Refs | null>;
  /** Gives each object that can be reached now and could not before: commits, tags, files (of notes too), and the names of new refs. At most 256 MB. */
  added(span: RefSpan, look: (object: AddedObject) => void): Promise<AddedReading>;
  /** The first commit of the span that brought a file's object; null = none is found. */
  bringer(span: RefSpan, id: string): Promise<string | null>;
  /** A file's text at a commit, at most 32 MB; null = there is none. */
  textAt(commit: string, path: string): Promise<string | null>;
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
