import type { NoteFile } from "../core/handoff-note.ts";

/** The few files we read and write in a working tree. Paths are absolute. */
export interface Files {
  /** lstat first: a symlink, FIFO, folder or device is `not-regular`; never blocks, never follows, reads at most `maxBytes`. */
  readNote(path: string, maxBytes: number): Promise<NoteFile>;
  readText(path: string, maxBytes: number): Promise<FileText>;
  /** Any bytes of a regular file; nothing else is opened. */
  readBytes(path: string, maxBytes: number): Promise<FileBytes>;
  /** One that is not there is removed already. */
  remove(path: string): Promise<void>;
  /** Temp file beside it, fsync, rename, fsync of the folder; mode kept, 0600 when new. Follows a symlink to its target. Missing folders are made with 0700. */
  writeAtomic(path: string, text: string): Promise<void>;
  exists(path: string): Promise<boolean>;
  /** Changes with each writing of a regular file; null = there is none. */
  stamp(path: string): Promise<string | null>;
  /**
   * For one verdict: gives the way to ask for every path by which the file system knows an absolute path, itself first and what it really is last. What was seen
   * once is not looked at again. Reads no file, never throws.
   */
  openPlaces(): (path: string) => readonly string[];
  /** With its parents, 0700; one that is there stays as it is. What stands in the way is left for the reading to report. */
  makeFolder(path: string): Promise<void>;
  /** A fresh one below the system's temp folder, 0700. */
  makeScratch(): Promise<Scratch>;
}

/** A folder of ours for things that must not touch anybody's. */
export interface Scratch {
  /** Real path. */
  readonly folder: string;
  /** With parents; executable when `isProgram`. Path relative to the folder. */
  write(path: string, text: string, isProgram?: boolean): Promise<void>;
  exists(path: string): Promise<boolean>;
  remove(): Promise<void>;
}

export type FileBytes =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "absent" }
  | { readonly kind: "too-large" }
  | { readonly kind: "unreadable"; readonly detail: string };

export type FileText =
  | { readonly kind: "text"; readonly text: string; readonly hash: string }
  | { readonly kind: "absent" }
  | { readonly kind: "unreadable"; readonly detail: string };
