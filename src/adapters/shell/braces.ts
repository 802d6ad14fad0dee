/** Brace expansion as text: `a{b,c}d` becomes `abd` and `acd`, `{1..3}` becomes 1, 2, 3. Bounded; null where it would need more than this. */
const mostWords = 64;

/** The alternatives of one pair of braces, such as `{a,b}`; null for what is too large or too clever. */
export function expandBraces(text: string): readonly string[] | null {
  if (text.length > 4_096 || /["'`$\\]/.test(text)) return null;
  const inner = text.slice(1, -1);
  const parts = splitAtCommas(inner);
  if (parts === null) return null;
  if (parts.length === 1) return expandRange(inner);
  const expanded: string[] = [];
  for (const part of parts) {
    const alternatives = expandNested(part);
    if (alternatives === null || expanded.length + alternatives.length > mostWords) return null;
    expanded.push(...alternatives);
  }
  return expanded;
}

function splitAtCommas(text: string): string[] | null {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === "{") depth += 1;
    else if (character === "}") depth -= 1;
    else if (character === "," && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
    if (depth < 0 || depth > 8) return null;
  }
  return depth === 0 ? [...parts, text.slice(start)] : null;
}

/** A part of the list may hold braces of its own. */
function expandNested(text: string): readonly string[] | null {
  const open = text.indexOf("{");
  if (open === -1) return [text];
  const close = closingBrace(text, open);
  if (close === -1) return null;
  const middle = expandBraces(text.slice(open, close + 1));
  const rest = expandNested(text.slice(close + 1));
  if (middle === null || rest === null || middle.length * rest.length > mostWords) return null;
  const front = text.slice(0, open);
  return middle.flatMap((one) => rest.map((other) => front + one + other));
}

function closingBrace(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === "{") depth += 1;
    if (text[at] === "}") depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

function expandRange(inner: string): readonly string[] | null {
  const numbers = /^(\d{1,6})\.\.(\d{1,6})$/.exec(inner);
  if (numbers === null) return null;
  const from = Number(numbers[1]);
  const to = Number(numbers[2]);
  if (Math.abs(to - from) >= mostWords) return null;
  const step = to < from ? -1 : 1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => String(from + index * step));
}
