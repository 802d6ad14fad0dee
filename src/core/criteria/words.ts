/** The small print of a line: how words are compared, and the Markdown that people put round them. */

export const closingQuotes: Readonly<Record<string, string>> = { '"': '"', "'": "'", "`": "`", "“": "”" };

/** Lower case and without accents, one space between words: how key words are compared. */
export function foldWords(text: string): string {
  const plain = /[^ -~]/.test(text) ? text.normalize("NFD").replace(/\p{M}/gu, "") : text;
  return plain.toLowerCase().trim().replace(/\s+/g, " ");
}

/** What a text that is one inline code span holds; null when it is anything else. */
export function codeSpan(text: string): string | null {
  const fence = /^`+/.exec(text)?.[0] ?? "";
  if (fence === "" || text.length <= 2 * fence.length || !text.endsWith(fence)) return null;
  const inside = text.slice(fence.length, -fence.length);
  const closesEarly = inside.match(/`+/g)?.some((run) => run.length === fence.length) ?? false;
  return closesEarly || inside.trim() === "" ? null : inside.trim();
}

/** The text without bold marks that hold all of it. */
export function unwrapBold(text: string): string {
  const mark = text.slice(0, 2);
  if ((mark !== "**" && mark !== "__") || text.length < 5 || !text.endsWith(mark)) return text;
  const inside = text.slice(2, -2);
  return inside.includes(mark) ? text : inside.trim();
}

/** What stands in quotes that hold all of the text, or the bare text itself; null when a quote is not closed, or closed too early. */
export function unquote(text: string): string | null {
  const closing = closingQuotes[text.charAt(0)];
  if (closing === undefined) return text;
  if (text.length < 3 || !text.endsWith(closing)) return null;
  const inside = text.slice(1, -1);
  const bare = closing === '"' ? inside.replace(/\\["\\]/g, "") : inside;
  // A lone back slash at the end belongs to the closing quote, so the text was never closed.
  if (bare.includes(closing) || (closing === '"' && bare.endsWith("\\"))) return null;
  return closing === '"' ? inside.replace(/\\(["\\])/g, "$1") : inside;
}

/**
 * The word before a colon that prose starts with, where somebody may have meant a label: `comand: npm test`. Null when there is none, or when the
 * colon belongs to something else, as in an address.
 */
export function strayLabel(text: string): string | null {
  return /^[*_]{0,2}(\p{L}{2,14})[*_]{0,2} ?:[*_]{0,2}\s+\S/u.exec(text)?.[1] ?? null;
}

/** Whether prose was probably meant to be run: it starts with a program's name that is no English or Portuguese word. */
export function looksLikeCommand(text: string): boolean {
  return /^(npm|npx|pnpm|yarn|bunx?|deno|cargo|pytest|python3?|tsc|vitest|jest|eslint|mvn|gradlew?|dotnet|docker|\.\/\S+)\s+\S/.test(text);
}
