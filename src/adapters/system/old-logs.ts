/** Raw logs have a retention. Only files that we made and named so are removed: `*.log` in our own folder. */
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Removes logs last written before the time. A file that goes away meanwhile, or cannot be removed, is left to the next time. @returns how many */
export async function removeOldLogs(folder: string, before: number): Promise<number> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".log"));
  const removed = await Promise.all(names.map((name) => removeOld(join(folder, name), before)));
  return removed.filter(Boolean).length;
}

async function removeOld(path: string, before: number): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(path);
    if (mtimeMs >= before) return false;
    await rm(path);
    return true;
  } catch {
    return false; // gone, or not ours to remove
  }
}
