/** The lines of a checked text. LF, CRLF and CR each end one, as no JSON text holds any of them. What is held is one line and one chunk. */
import { refuse } from "./refusal.ts";

export interface TextLine {
  readonly number: number;
  readonly text: string;
}

const lf = 0x0a;
const cr = 0x0d;

/** Empty lines at the end are left out. Throws MidwatchError for a line of more than `maxBytes`, before the whole of it is read. */
export function* splitLines(path: string, chunks: Iterable<Buffer>, maxBytes: number): Generator<TextLine> {
  const open = createOpenLine(path, maxBytes);
  let afterCr = false;
  for (const chunk of chunks) {
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte !== lf && byte !== cr) continue;
      const isSecondOfPair = byte === lf && (at === 0 ? afterCr : chunk[at - 1] === cr);
      if (!isSecondOfPair) {
        open.add(chunk.subarray(from, at));
        yield open.take();
      }
      from = at + 1;
    }
    if (chunk.length > 0) afterCr = chunk[chunk.length - 1] === cr;
    if (from < chunk.length) open.add(chunk.subarray(from));
  }
  if (open.length() > 0) yield open.take();
}

function createOpenLine(path: string, maxBytes: number) {
  let parts: Buffer[] = [];
  let length = 0;
  let number = 1;
  return {
    length: () => length,
    add(part: Buffer): void {
      parts.push(part);
      length += part.length;
      if (length > maxBytes) throw refuse({ path, line: number }, tooLarge(maxBytes), tooLargeHint);
    },
    take(): TextLine {
      const text = (parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts)).toString();
      parts = [];
      length = 0;
      return { number: number++, text };
    },
  };
}

export function tooLarge(maxBytes: number): string {
  return `a job of more than ${Math.floor(maxBytes / (1024 * 1024))} MiB`;
}

export const tooLargeHint = "nothing was added: cut the job into smaller ones, or raise batch.jobMiB";
