/**
 * Git's objects as they lie one by one in its folder: those a window has just made do. Read without starting git, and not believed: an object
 * is what its name says, by its hash, or it is null. Null means no more than that git has to be asked: it may be packed, lent by another
 * repository, damaged, large, or one too many.
 */
import { hash } from "node:crypto";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { readSmallFile } from "./small-file.ts";

export type ObjectKind = "commit" | "tree" | "blob";

/** Gives an object's content. Never throws. */
export type ReadObject = (kind: ObjectKind, oid: string) => Buffer | null;

const maxObjectBytes = 1 << 20;
/** For all that one reader reads: the reads are synchronous, and these come to 50 ms. */
const maxTotalBytes = 8 << 20;
const maxObjects = 1000;

/** Opens the objects below a common dir for one short piece of work. */
export function openLooseObjects(commonDir: string): ReadObject {
  let objectsLeft = maxObjects;
  let bytesLeft = maxTotalBytes;
  return (kind, oid) => {
    if (objectsLeft === 0) return null;
    const object = readLoose(join(commonDir, "objects", oid.slice(0, 2), oid.slice(2)), oid, Math.min(maxObjectBytes, bytesLeft));
    objectsLeft -= 1;
    bytesLeft -= object?.length ?? 0;
    return object === null ? null : cutHeader(object, kind);
  };
}

function readLoose(path: string, oid: string, maxBytes: number): Buffer | null {
  const packed = readSmallFile(path, maxBytes);
  if (packed === null || packed.length === 0 || maxBytes === 0) return null;
  try {
    const object = inflateSync(packed, { maxOutputLength: maxBytes });
    return hash("sha1", object, "hex") === oid ? object : null;
  } catch {
    return null; // not deflated, or larger than allowed
  }
}

/** `tree 120\0` and then 120 bytes. */
function cutHeader(object: Buffer, kind: ObjectKind): Buffer | null {
  const end = object.subarray(0, 32).indexOf(0);
  const content = object.subarray(end + 1);
  return object.toString("latin1", 0, Math.max(0, end)) === `${kind} ${content.length}` ? content : null;
}
