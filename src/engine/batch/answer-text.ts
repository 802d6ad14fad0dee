/** Gathers what a job prints, bounded. Its lines are joined as they came; white space at the end is no answer. */
import type { LeftAnswer } from "../../core/batch/attempt-end.ts";

export function createAnswerText(mostBytes: number) {
  const lines: Uint8Array[] = [];
  let size = 0;
  let isTooLarge = false;
  return {
    /** @param cut  the line was longer than whoever read it keeps */
    add(line: Uint8Array, cut: boolean): void {
      size += line.length + 1;
      isTooLarge ||= cut || size > mostBytes;
      if (isTooLarge) lines.length = 0;
      else lines.push(line.slice());
    },
    read(): LeftAnswer {
      if (isTooLarge) return { kind: "too-large", mostBytes };
      const bytes = join(lines, size);
      return bytes.some((byte) => byte > 0x20) ? { kind: "answer", bytes } : { kind: "none" };
    },
  };
}

function join(lines: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(Math.max(0, size - 1));
  let at = 0;
  for (const [index, line] of lines.entries()) {
    if (index > 0) all[at++] = 0x0a;
    all.set(line, at);
    at += line.length;
  }
  return all;
}
