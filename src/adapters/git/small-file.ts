/** Reads the small files of a git folder. A FIFO, a folder or an endless file an agent put there must neither block nor fill us. */
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** The file's bytes, or null when it is absent, no regular file, not readable or larger than `maxBytes`. */
export async function readSmallFile(path: string, maxBytes: number = 1 << 20): Promise<Buffer | null> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await file.stat();
    if (!stat.isFile() || stat.size > maxBytes) return null;
    return await file.readFile();
  } catch {
    return null; // every caller has a slower way that names what is wrong
  } finally {
    await file?.close();
  }
}
