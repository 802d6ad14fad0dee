/** A value as a person would write it on one line of JSON: `["codex", "exec", "-"]`. */
export function jsonLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, entry]) => `${JSON.stringify(name)}: ${jsonLine(entry)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
