/**
 * The bytes of a list, checked as text: UTF-8 without NUL, cut between characters, the mark at its beginning (BOM) left out. A file that is written while it is read is
 * noticed at its end.
 */
import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { refuse } from "./refusal.ts";

const chunkBytes = 256 * 1024;
const bom = Buffer.from([0xef, 0xbb, 0xbf]);
const lf = 0x0a;
const cr = 0x0d;

/** Throws MidwatchError that names the line. Only for regular files: the caller has looked. */
export function* readChecked(path: string): Generator<Buffer> {
  // Without waiting: what was looked at may have become a FIFO meanwhile.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const before = fstatSync(descriptor, { bigint: true });
    if (!before.isFile()) throw refuse({ path, line: null }, "it is no regular file any more");
    yield* inWholeCharacters(path, readAll(descriptor));
    const after = fstatSync(descriptor, { bigint: true });
    if (after.size !== before.size || after.mtimeNs !== before.mtimeNs)
      throw refuse({ path, line: null }, "it was changed while it was read", "nothing was added: add it again when nobody writes to it");
  } finally {
    closeSync(descriptor);
  }
}

function* readAll(descriptor: number): Generator<Buffer> {
  for (;;) {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const length = readSync(descriptor, chunk);
    if (length === 0) return;
    yield chunk.subarray(0, length);
  }
}

function* inWholeCharacters(path: string, chunks: Iterable<Buffer>): Generator<Buffer> {
  const check = createCheck(path);
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  for (const read of chunks) {
    let chunk = rest.length === 0 ? read : Buffer.concat([rest, read]);
    rest = chunk;
    // Three bytes tell a mark, and which one.
    if (isFirst && chunk.length < bom.length) continue;
    if (isFirst) chunk = withoutMark(path, chunk);
    isFirst = false;
    const end = chunk.length - cutLength(chunk);
    rest = chunk.subarray(end);
    check(chunk.subarray(0, end));
    if (end > 0) yield chunk.subarray(0, end);
  }
  check(rest);
  if (rest.length > 0) yield rest;
}

function withoutMark(path: string, chunk: Buffer): Buffer {
  if ((chunk[0] === 0xff && chunk[1] === 0xfe) || (chunk[0] === 0xfe && chunk[1] === 0xff))
    throw refuse({ path, line: 1 }, "it is UTF-16 text", "nothing was added: save it as UTF-8 and add it again");
  return bom.compare(chunk, 0, bom.length) === 0 ? chunk.subarray(bom.length) : chunk;
}

/** Bytes at the end that may be the beginning of a character; at most three. */
function cutLength(chunk: Buffer): number {
  for (let back = 1; back <= Math.min(3, chunk.length); back += 1) {
    const byte = chunk[chunk.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue; // inside a character: its first byte lies further back
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needs > back ? back : 0;
  }
  return 0;
}

/** Throws MidwatchError for the first line that is no text. Counts lines over all chunks. */
function createCheck(path: string): (chunk: Buffer) => void {
  let line = 1;
  let before = 0;
  return (chunk) => {
    const isText = isUtf8(chunk);
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (byte === 0) throw refuse({ path, line }, "there is a NUL in it: this is no text");
      const isSecondOfPair = byte === lf && before === cr;
      before = byte;
      if ((byte !== lf && byte !== cr) || isSecondOfPair) continue;
      if (!isText && !isUtf8(chunk.subarray(start, at))) break;
      start = at + 1;
      line += 1;
    }
    if (!isText) throw refuse({ path, line }, "it is not UTF-8", "nothing was added: save the file as UTF-8 and add it again");
  };
}
