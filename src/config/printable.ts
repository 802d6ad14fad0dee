/** What a message may show of a file's or a variable's text: one line, bounded, nothing that drives a terminal. */
const longest = 60;

/** A name or word from outside, quoted. */
export function quote(text: string): string {
  const characters = [...text.slice(0, longest * 2)];
  const kept = characters.slice(0, longest).join("");
  return `"${kept.replace(/\p{C}/gu, "?")}${kept.length < text.length ? "…" : ""}"`;
}

/** A value in a few characters. Lists and objects are named only: what is in them may be a secret. */
export function showValue(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return String(value);
}

/** The same without the value, for what may be secret. */
export function showType(value: unknown): string {
  if (typeof value === "string") return value === "" ? "an empty text" : "a text";
  if (typeof value === "number") return "a number";
  return showValue(value);
}
