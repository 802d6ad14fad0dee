/** Reads source files of the languages that it knows: JavaScript and TypeScript with JSX, Python, the shell. Total: any text has an answer, and soon. */
import type { SourceFacts } from "../core/integrity/source.ts";

export type SourceReading =
  | { readonly kind: "facts"; readonly facts: SourceFacts }
  /** It does not parse. */
  | { readonly kind: "broken"; readonly line: number }
  /** Another language, or more than 1 MB. */
  | { readonly kind: "unknown" };

export interface Syntax {
  /** @param path  tells the language by its ending */
  read(path: string, text: string): SourceReading;
  /**
   * The same file with its functions hollow: each keeps its name, parameters and place, and gives back nothing at all at once. What runs when the file is loaded stays.
   * Null = another language, it does not parse, or it has no function.
   */
  hollow(path: string, text: string): string | null;
}
