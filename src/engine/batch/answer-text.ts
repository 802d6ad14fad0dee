/** Gathers what a job prints, bounded. Its lines are joined as they came; white space at the end is no answer. */
import type { LeftAnswer } from "../../core/batch/attempt-end.ts";

/** Of an answer that is too large so much is held, for whoever asks what it was. */
const headBytes = 16 * 1024;

export function createAnswerText(mostBytes: number) {
  const lines: Uint8Array[] = [];
  let size = 0;
  let head: Uint8Array | null = null;
  return {
    /** @param cut  the line was longer than whoever read it keeps */
    add(line: Uint8Array, cut: boolean): void {
      size += line.length + 1;
      if (head !== null) return;
      lines.push(line.slice());
      if (!cut && size <= mostBytes) return;
      head = join(lines).slice(0, headBytes);
      lines.length = 0;
    },
    read(): LeftAnswer {
      if (head !== null) return { kind: "too-large", mostBytes, head };
      const bytes = join(lines);
      return bytes.some((byte) => byte > 0x20) ? { kind: "answer", bytes } : { kind: "none" };
    },
  };
}

function join(lines: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(Math.max(0, lines.reduce((size, line) => size + line.length + 1, 0) - 1));
  let at = 0;
  for (const [index, line] of lines.entries()) {
    if (index > 0) all[at++] = 0x0a;
    all.set(line, at);
    at += line.length;
  }
  return all;
}
