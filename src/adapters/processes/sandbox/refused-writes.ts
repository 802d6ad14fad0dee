/**
 * Of one stream: paths that a child could not write because the sandbox shows them read only, as far as what it printed tells: programs name the path beside the system's words.
 * It is a hint for people, of what they may want to name in their settings; nothing is decided by it.
 */
const mostPaths = 5;
const words = ["ead-only file system", "EROFS"] as const;
const pathPattern = /\/[^\s'"`:,;\\\u2018\u2019<>()[\]{}|\u0000-\u001f]+/g;
const aroundBytes = 300;

export class RefusedWrites {
  readonly #paths = new Set<string>();
  #before: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): void {
    // A message may come in pieces: the path in one, the system's words in the next.
    const text = Buffer.concat([this.#before, chunk]);
    for (const word of words) this.#find(text, word, Math.max(0, this.#before.length - word.length));
    this.#before = text.subarray(-aroundBytes);
  }

  #find(text: Buffer, word: string, from: number): void {
    for (let at = text.indexOf(word, from); at >= 0 && this.#paths.size < mostPaths; at = text.indexOf(word, at + word.length)) {
      const path = nearestPath(textBefore(text, at), textAfter(text, at + word.length));
      if (path !== undefined) this.#paths.add(path);
    }
  }

  read(): readonly string[] {
    return [...this.#paths];
  }
}

/** `mkdir: cannot create '/x': Read-only …` and `EROFS: read-only …, mkdir '/x'`: mostly before, else behind. */
function nearestPath(before: string, after: string): string | undefined {
  return before.match(pathPattern)?.at(-1) ?? after.match(pathPattern)?.[0];
}

function textBefore(chunk: Buffer, at: number): string {
  return lineEnd(chunk.toString("utf8", Math.max(0, at - aroundBytes), at)).at(-1) ?? "";
}

function textAfter(chunk: Buffer, at: number): string {
  return lineEnd(chunk.toString("utf8", at, at + aroundBytes))[0] ?? "";
}

/** In a stream of JSON the line ends of what a tool printed are written out. */
function lineEnd(text: string): readonly string[] {
  return text.split(/\n|\\n/);
}
