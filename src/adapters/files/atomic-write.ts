/**
 * Replaces a file as a whole: whoever reads it, also after a crash, finds the old text or the new one.
 * States of the folder: old file -> old file and our temporary -> new file. A temporary that a killed writer left behind is ours to remove.
 */
import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { lstat, mkdir, open, readdir, readlink, realpath, rename, stat, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { MidwatchError } from "../../core/error.ts";
import { faultPoint } from "../../faults.ts";

const temporaryName = /^\.midwatch-(\d+)-([0-9a-f]{8})-\d+\.tmp$/;
/** In a container every run may have the same pid: this tells us from the one before. */
const ownToken = randomBytes(4).toString("hex");
const maxLinks = 40;
let writes = 0;

/**
 * Writes `text` to `path`; throws a MidwatchError that names the path when it cannot.
 * @param tidied  folders already cleared of leftovers by this process; listing a large one at each write would cost more than the write
 */
export async function writeAtomic(path: string, text: string, tidied: Set<string>): Promise<void> {
  try {
    const target = await followLinks(path);
    const folder = dirname(target);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (!tidied.has(folder)) await removeLeftovers(folder);
    tidied.add(folder);
    writes += 1;
    await replace(target, join(folder, `.midwatch-${process.pid}-${ownToken}-${writes}.tmp`), text);
    await syncFolder(folder);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MidwatchError("environment", "E_WRITE", `${path} cannot be written (${reason})`, {
      hint: "check the free space and the permissions of its folder",
      cause,
    });
  }
}

/** Where the bytes really go. A link that leads nowhere yet is followed too. */
async function followLinks(path: string): Promise<string> {
  let here = path;
  for (let count = 0; count < maxLinks; count += 1) {
    const found = await statOrNull(lstat, here);
    if (!found?.isSymbolicLink()) return here;
    here = resolve(await realpath(dirname(here)), await readlink(here));
  }
  throw Object.assign(new Error("too many symbolic links"), { code: "ELOOP" });
}

async function replace(target: string, temporary: string, text: string): Promise<void> {
  const before = await statOrNull(stat, target);
  if (before !== null && !before.isFile()) throw new Error("it is no regular file");
  try {
    await writeTemporary(temporary, text, before);
    faultPoint("file.temp-written");
    await rename(temporary, target);
    faultPoint("file.renamed");
  } catch (error) {
    await unlink(temporary).catch(() => undefined); // it may never have been made, or be the file by now
    throw error;
  }
}

async function writeTemporary(temporary: string, text: string, before: Stats | null): Promise<void> {
  const file = await open(temporary, "wx", 0o600);
  try {
    await file.writeFile(text);
    if (before !== null) {
      // Only root may give a file away; for anybody else it is their own already, or stays theirs from now on.
      await file.chown(before.uid, before.gid).catch(() => undefined);
      await file.chmod(before.mode & 0o7777);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A rename is only safe from a power cut once the folder is written. Some file systems know no such thing and say EINVAL. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EINVAL") throw error;
  } finally {
    await handle.close();
  }
}

/** Temporaries of writers that are no more. One that cannot be removed now is tried again next time. */
async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []); // a folder we may write but not list: nothing to tidy
  await Promise.all(names.filter(isLeftover).map((name) => unlink(join(folder, name)).catch(() => undefined)));
}

function isLeftover(name: string): boolean {
  const [, writer, token] = temporaryName.exec(name) ?? [];
  if (writer === undefined) return false;
  if (Number(writer) === process.pid) return token !== ownToken;
  try {
    process.kill(Number(writer), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH"; // EPERM: it lives, under another user
  }
}

async function statOrNull(look: typeof stat, path: string): Promise<Stats | null> {
  try {
    return await look(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
