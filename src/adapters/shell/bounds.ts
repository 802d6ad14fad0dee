/**
 * What a command may hold at most. The grammar's parser is fast on people's scripts (about 40 microseconds), but slows down with the square
 * of some openings: 120,000 of `$(` took 17 s, 60,000 of `<<` took 10 s. The counts below keep every text under about 100 ms.
 */
const bounds = { bytes: 256 * 1024, substitutions: 2_000, documents: 2_000 };

/** Why a text is too much to parse; null when it is not. */
export function findExcess(text: string): string | null {
  if (text.length > bounds.bytes) return "the command is longer than 256 KiB";
  if (text.includes("\0")) return "the command holds a NUL character";
  if (countOf(text, "$(") + countOf(text, "<(") + countOf(text, ">(") > bounds.substitutions)
    return "the command holds too many substitutions";
  if (countOf(text, "<<") > bounds.documents) return "the command holds too many here-documents";
  return null;
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}
