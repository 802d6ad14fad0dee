/** The files of a working tree that we read and write. What lies there was made by an agent or a person and may be anything. */
import { access, lstat, mkdir, rm } from "node:fs/promises";
import type { FileBytes, Files, FileText } from "../../ports/files.ts";
import { writeAtomic } from "./atomic-write.ts";
import { openPlaces } from "./places.ts";
import { readRegular } from "./regular-file.ts";
import { makeScratch } from "./scratch.ts";

/** The files adapter of one process. */
export function createFiles(): Files {
  const tidied = new Set<string>();
  return {
    readNote: (path, maxBytes) => readRegular(path, maxBytes, false),
    readText,
    readBytes,
    remove: (path) => rm(path, { force: true }),
    writeAtomic: (path, text) => writeAtomic(path, text, tidied),
    exists: (path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    stamp,
    openPlaces,
    async makeFolder(path) {
      // A file in its place shows when the note is read: as absent, or as what it is.
      await mkdir(path, { recursive: true, mode: 0o700 }).catch(() => undefined);
    },
    makeScratch,
  };
}

/** The time of the last change cannot be set by hand, as the other can. */
async function stamp(path: string): Promise<string | null> {
  try {
    const seen = await lstat(path, { bigint: true });
    return seen.isFile() ? `${seen.ino}:${seen.size}:${seen.mtimeNs}:${seen.ctimeNs}` : null;
  } catch {
    return null; // it is not there, or cannot be looked at
  }
}

async function readBytes(path: string, maxBytes: number): Promise<FileBytes> {
  const read = await readRegular(path, maxBytes, false);
  switch (read.kind) {
    case "absent":
    case "too-large":
      return { kind: read.kind };
    case "not-regular":
      return { kind: "unreadable", detail: `it is a ${read.what}, not a regular file` };
    case "unreadable":
      return { kind: "unreadable", detail: `it cannot be read (${read.error})` };
    case "file":
      return { kind: "bytes", bytes: read.bytes };
  }
}

async function readText(path: string, maxBytes: number): Promise<FileText> {
  const read = await readRegular(path, maxBytes, true);
  switch (read.kind) {
    case "absent":
      return { kind: "absent" };
    case "not-regular":
      return { kind: "unreadable", detail: `it is a ${read.what}, not a regular file` };
    case "too-large":
      return { kind: "unreadable", detail: `it has ${read.bytes} bytes; ${maxBytes} is the limit` };
    case "unreadable":
      return { kind: "unreadable", detail: `it cannot be read (${read.error})` };
    case "file":
      return decode(read.bytes, read.hash);
  }
}

/** A byte order mark stays part of the text: what is written back must keep every byte. */
function decode(bytes: Uint8Array, hash: string): FileText {
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), hash };
  } catch {
    return { kind: "unreadable", detail: "it is not valid UTF-8" };
  }
}
