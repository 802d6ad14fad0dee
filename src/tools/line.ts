/** One line of text from an agent: control characters would write into a terminal, line ends would forge a second line. */
import * as z from "zod";

export function line(most: number) {
  return z
    .string()
    .transform((text) => text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, " ").trim())
    .pipe(z.string().min(1).max(most));
}
