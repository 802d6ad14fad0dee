/** Patterns of paths as the setting `protect` has them: `*` stands for anything but a slash, `**` for anything, `?` for one character; a folder means all below it. */

export function matchesPattern(path: string, pattern: string): boolean {
  const plain = pattern.replace(/^\.?\//, "").replace(/\/+$/, "");
  const source = plain.replace(/\*\*\/?|[*?]|[.+^${}()|[\]\\]/g, (found) => {
    if (found === "**/") return "(?:.*/)?";
    if (found === "**") return ".*";
    if (found === "*") return "[^/]*";
    return found === "?" ? "[^/]" : `\\${found}`;
  });
  return new RegExp(`^${source}(?:/.*)?$`, "s").test(path);
}
