/**
 * One MiB of disk kept for the last words: when the disk is full it is given up, so that a window's end, a stop or a question can still be
 * recorded. Every other write needs the reserve to be there, so that they can never eat it up.
 */
import { closeSync, existsSync, fdatasyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import type { StoreFiles } from "./files.ts";

const bytes = 1024 * 1024;

export interface Reserve {
  /** Makes it where it is missing; throws ENOSPC where there is no room. */
  keep(): void;
  /** Gives the room back. False when there was none left to give. */
  free(): boolean;
}

export function createReserve({ reserve }: StoreFiles): Reserve {
  return {
    keep() {
      if (!existsSync(reserve)) make(reserve);
    },
    free() {
      if (!existsSync(reserve)) return false;
      rmSync(reserve, { force: true });
      return true;
    },
  };
}

/** Random bytes, so that no file system can store them in less; renamed last, so that half a reserve never counts. */
function make(reserve: string): void {
  const half = `${reserve}.new`;
  const descriptor = openSync(half, "w", 0o600);
  try {
    // The global one: importing node:crypto takes longer than opening the store.
    const block = crypto.getRandomValues(Buffer.alloc(64 * 1024));
    for (let written = 0; written < bytes; written += block.length) writeFully(descriptor, block);
    fdatasyncSync(descriptor);
  } catch (error) {
    rmSync(half, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  renameUnlessDone(half, reserve);
}

/** The last block that fits may be written in part; going on then says why. */
function writeFully(descriptor: number, block: Buffer): void {
  for (let done = 0; done < block.length; ) done += writeSync(descriptor, block, done);
}

/** Two processes may make it at the same time, under one name: whoever is first renames it, or takes it away for want of room. */
function renameUnlessDone(half: string, reserve: string): void {
  try {
    renameSync(half, reserve);
  } catch (cause) {
    if (!existsSync(reserve))
      throw Object.assign(new Error("another process found no room for the reserve", { cause }), { code: "ENOSPC" });
  }
}
