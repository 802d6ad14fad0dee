/** The objects of a JSON text that is too large to be parsed whole: the elements of a list, or objects one behind the other, each over any number of lines. */
import { maxRecord } from "./lines.ts";

export interface FoundObject {
  /** Line on which it begins. */
  readonly line: number;
  /** Null = something that is no object, or one that does not end. */
  readonly text: string | null;
}

export interface ObjectReader {
  push(text: string): readonly FoundObject[];
  end(): readonly FoundObject[];
}

export function createObjectReader(): ObjectReader {
  let line = 1;
  let startLine = 1;
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let strayLine = 0;
  let kept: string[] = [];
  let keptLength = 0;

  function push(text: string): readonly FoundObject[] {
    const found: FoundObject[] = [];
    let from = depth > 0 ? 0 : -1;
    for (let at = 0; at < text.length; at += 1) {
      const char = text[at] ?? "";
      if (char === "\n") line += 1;
      if (isText) {
        isText = isEscaped || char !== '"';
        isEscaped = !isEscaped && char === "\\";
      } else if (depth > 0) {
        if (char === '"') isText = true;
        else if (char === "{") depth += 1;
        else if (char === "}") depth -= 1;
        if (depth > 0) continue;
        found.push({ line: startLine, text: [...kept, text.slice(from, at + 1)].join("") });
        kept = [];
        keptLength = 0;
      } else if (char === "{") {
        depth = 1;
        startLine = line;
        from = at;
      } else if (!/[\s[\],]/.test(char) && strayLine !== line) {
        strayLine = line;
        found.push({ line, text: null });
      }
    }
    if (depth > 0) keep(text.slice(from));
    return keptLength > maxRecord ? [...found, giveUp()] : found;
  }

  function keep(text: string): void {
    kept.push(text);
    keptLength += text.length;
  }

  function giveUp(): FoundObject {
    [depth, isText, isEscaped, kept, keptLength] = [0, false, false, [], 0];
    return { line: startLine, text: null };
  }

  return { push, end: () => (depth > 0 ? [giveUp()] : []) };
}
