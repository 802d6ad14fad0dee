/** Values of variables and flags are texts. What cannot be read stays the text it is: the check that follows says what was expected. */
import { keysByPath } from "./keys.ts";

export function readValueText(path: string, text: string): unknown {
  const key = keysByPath.get(path);
  if (key === undefined) return text;
  if (text === "null" && key.schema.safeParse(null).success) return null;
  if (key.form === "number") return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (key.form === "json") return parseJson(text);
  return text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text; // refused by the check, which knows the place
  }
}
