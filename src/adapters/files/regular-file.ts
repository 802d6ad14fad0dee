/** Opens a file for reading so that nothing blocks: a FIFO without a writer, a socket or a device is told apart, never waited for. */
import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, stat } from "node:fs/promises";

export type RegularRead =
  | { readonly kind: "absent" }
  | { readonly kind: "not-regular"; readonly what: string }
  | { readonly kind: "too-large"; readonly bytes: number }
  | { readonly kind: "unreadable"; readonly error: string }
  | { readonly kind: "file"; readonly bytes: Uint8Array; readonly hash: string };

/**
 * Reads at most `maxBytes` of a regular file. Never throws.
 * @param follow  whether a symbolic link leads on to its target, or is itself what lies there
 */
export async function readRegular(path: string, maxBytes: number, follow: boolean): Promise<RegularRead> {
  let file: FileHandle | undefined;
  try {
    const found = await (follow ? stat : lstat)(path);
    if (!found.isFile()) return { kind: "not-regular", what: nameKind(found) };
    // It may have been swapped since: not followed, not waited for, and looked at once more.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | (follow ? 0 : constants.O_NOFOLLOW));
    const opened = await file.stat();
    if (!opened.isFile()) return { kind: "not-regular", what: nameKind(opened) };
    return await readBounded(file, opened.size, maxBytes);
  } catch (error) {
    return explain(error);
  } finally {
    await file?.close();
  }
}

/** The size a file says it has may be old by the time it is read: one byte more than allowed is asked for. */
async function readBounded(file: FileHandle, size: number, maxBytes: number): Promise<RegularRead> {
  if (size > maxBytes) return { kind: "too-large", bytes: size };
  const buffer = Buffer.alloc(Math.min(size, maxBytes) + 1);
  let rest: Buffer = buffer;
  let bytes: Buffer = buffer;
  for (let length = 0; ; ) {
    const { bytesRead } = await file.read(rest, 0, rest.length, null);
    if (bytesRead === 0) return { kind: "file", bytes: bytes.subarray(0, length), hash: hashBytes(bytes.subarray(0, length)) };
    length += bytesRead;
    if (length > maxBytes) return { kind: "too-large", bytes: Math.max(length, (await file.stat()).size) };
    if (length === bytes.length) bytes = Buffer.concat([bytes, Buffer.alloc(Math.min(bytes.length, maxBytes + 1 - length))]);
    rest = bytes.subarray(length);
  }
}

/** sha256, in hex. */
export function hashBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function nameKind(found: Stats): string {
  if (found.isSymbolicLink()) return "symbolic link";
  if (found.isDirectory()) return "folder";
  if (found.isFIFO()) return "named pipe";
  return found.isSocket() ? "socket" : "device";
}

function explain(error: unknown): RegularRead {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ENOTDIR") return { kind: "absent" };
  if (code === "ELOOP") return { kind: "not-regular", what: "symbolic link" };
  return { kind: "unreadable", error: code ?? message };
}
