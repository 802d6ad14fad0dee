/** Reads a small text file that a person wrote, or says what stands in its place. Never waits on a pipe, never reads without end. */
import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";

export type SmallText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "absent" }
  /** `trouble` continues a sentence that begins with the file's name. */
  | { readonly kind: "unreadable"; readonly trouble: string; readonly remedy: string; readonly cause?: unknown };

const mostBytes = 256 * 1024;

/** A byte order mark is left out; text that is not UTF-8 is unreadable. */
export async function readSmallText(path: string): Promise<SmallText> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    return explain(path, error);
  }
  try {
    return await read(file);
  } catch (error) {
    return explain(path, error);
  } finally {
    await file.close();
  }
}

async function read(file: FileHandle): Promise<SmallText> {
  const facts = await file.stat();
  if (facts.isDirectory()) return unreadable("is a folder", "move the folder away: a file is needed there");
  if (!facts.isFile()) return unreadable("is no regular file", "put a regular file there");
  if (facts.size > mostBytes) return unreadable(`is larger than ${mostBytes / 1024} KiB`, "check that it is the file you mean");
  const buffer = Buffer.alloc(mostBytes);
  const { bytesRead } = await file.read(buffer, 0, mostBytes, 0);
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true }).decode(buffer.subarray(0, bytesRead)) };
  } catch (cause) {
    return unreadable("is not UTF-8 text", "save it as UTF-8", cause);
  }
}

async function explain(path: string, error: unknown): Promise<SmallText> {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" && !(await isLink(path))) return { kind: "absent" };
  if (code === "ENOENT") return unreadable("is a link to nothing", "mend or remove the link", error);
  if (code === "ELOOP") return unreadable("is a link that leads to itself", "mend or remove the link", error);
  if (code === "ENOTDIR")
    return unreadable("cannot be reached: a file stands where one of its folders should", "move that file away", error);
  if (code === "EACCES" || code === "EPERM") return unreadable("may not be read by this user", `allow it: chmod u+r ${path}`, error);
  return unreadable(`cannot be read (${String(code ?? error)})`, "check the file and its disk", error);
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false; // nothing is there at all
  }
}

function unreadable(trouble: string, remedy: string, cause?: unknown): SmallText {
  return { kind: "unreadable", trouble, remedy, ...(cause === undefined ? {} : { cause }) };
}
