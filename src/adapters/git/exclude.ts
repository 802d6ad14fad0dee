/** The repository's private ignore list: one line added, every other byte kept, all or nothing. */
import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, realpath, rename, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MidwatchError } from "../../core/error.ts";
import { faultPoint } from "../../faults.ts";

/** Adds `pattern` to `<commonDir>/info/exclude` unless such a line is there. */
export async function addExclude(commonDir: string, pattern: string): Promise<void> {
  if (pattern === "" || /[\0\r\n]/.test(pattern))
    throw new MidwatchError("bug", "E_BAD_PATTERN", `${JSON.stringify(pattern)} is not one line`);
  const named = join(commonDir, "info/exclude");
  try {
    await mkdir(dirname(named), { recursive: true });
    const path = await realpath(named).catch(() => named); // not there yet: it is made
    const before = await readFile(path).catch((error: NodeJS.ErrnoException) => emptyWhenAbsent(error));
    const addition = addedBytes(before, pattern);
    if (addition !== null) await replaceFile(path, Buffer.concat([before, addition]));
  } catch (cause) {
    const hint = `add the line "${pattern}" to it yourself`;
    throw new MidwatchError("environment", "E_EXCLUDE", `${named} cannot be written`, { hint, cause });
  }
}

function emptyWhenAbsent(error: NodeJS.ErrnoException): Buffer {
  if (error.code !== "ENOENT") throw error;
  return Buffer.alloc(0);
}

function addedBytes(before: Buffer, pattern: string): Buffer | null {
  const lines = before.toString("latin1").split(/\r?\n/);
  if (lines.includes(Buffer.from(pattern).toString("latin1"))) return null;
  const isOpenEnded = before.length > 0 && before.at(-1) !== 0x0a;
  return Buffer.from(`${isOpenEnded ? "\n" : ""}${pattern}\n`);
}

async function replaceFile(path: string, bytes: Buffer): Promise<void> {
  const mode = await stat(path).then(
    (found) => found.mode & 0o777,
    () => 0o644, // new: as git makes it
  );
  const temporary = `${path}.midwatch-${randomBytes(6).toString("hex")}`;
  try {
    const file = await open(temporary, "wx", mode);
    try {
      await file.writeFile(bytes);
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    faultPoint("exclude.temp-written");
    await rename(temporary, path);
    faultPoint("exclude.renamed");
  } catch (error) {
    await unlink(temporary).catch(() => undefined); // it may never have been made
    throw error;
  }
}
