/** A file's text, in pieces of any size, as lines. A line without end is given up, not kept. */

export interface Line {
  /** From 1. */
  readonly line: number;
  /** Null = it was too long. */
  readonly text: string | null;
}

export const maxRecord = 16 * 1024 * 1024;

export interface LineReader {
  push(text: string): readonly Line[];
  end(): readonly Line[];
}

export function createLineReader(): LineReader {
  let rest = "";
  let isTooLong = false;
  let line = 0;

  function take(text: string): Line {
    line += 1;
    const taken: Line = { line, text: isTooLong ? null : text.replace(/\r$/, "") };
    isTooLong = false;
    return taken;
  }

  return {
    push(text) {
      const parts = (rest + text).split("\n");
      rest = parts.pop() ?? "";
      const lines = parts.map(take);
      isTooLong ||= rest.length > maxRecord;
      if (isTooLong) rest = "";
      return lines;
    },
    end: () => (rest === "" && !isTooLong ? [] : [take(rest)]),
  };
}
