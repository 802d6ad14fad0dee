/** Output of programs as lines of plain text. */

/** Without colours, links and other escape sequences. */
export function withoutEscapes(text: string): string {
  if (!text.includes("\u001b")) return text;
  return text.replace(/\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|[@-Z\\-_])/g, "");
}

/** A lone CR goes back over its line: what was written last counts as a line of its own. */
export function linesOf(text: string): readonly string[] {
  return withoutEscapes(text).split(/\r\n|\n|\r/);
}

/** The numbers before words of a summary: `1 failed | 3 passed (8)` -> failed 1, passed 3. */
export function countsIn(text: string): Readonly<Record<string, number>> {
  return Object.fromEntries([...text.slice(0, 500).matchAll(/(\d{1,9}) ([a-z]+)/g)].map(([, count, word]) => [word, Number(count)]));
}
