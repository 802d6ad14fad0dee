/** `priority: 2`, or a word for it. Smaller first. */
import { foldWords } from "./criteria/words.ts";

/** Tasks that state no priority come after those that do. */
export const noPriority = 1000;
const words: Readonly<Record<string, number>> = { high: 1, alta: 1, medium: 2, media: 2, low: 3, baixa: 3 };

/** Null when it is no priority. */
export function readPriority(text: string): number | null {
  const folded = foldWords(text.slice(0, 20));
  if (/^p?\d{1,6}$/.test(folded) && folded.length === text.trim().length) return Number(folded.replace("p", ""));
  return Object.hasOwn(words, folded) ? (words[folded] ?? null) : null;
}
