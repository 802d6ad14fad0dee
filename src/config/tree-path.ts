/**
 * Paths that must stay in the working tree. Judged by their words alone: what a link on disk does is for who opens the file.
 * What passes is normal: no "./", no "..", no "/" at the end.
 */
import { posix } from "node:path";

export type TreePath = { readonly kind: "path"; readonly path: string } | { readonly kind: "trouble"; readonly trouble: string };

/** @param role  a folder can be named only where a list of paths is asked for */
export function checkTreePath(text: string, role: "file" | "file-or-folder"): TreePath {
  const trouble = troubleOfText(text) ?? troubleOfPlace(posix.normalize(text), role);
  if (trouble !== null) return { kind: "trouble", trouble };
  return { kind: "path", path: posix.normalize(text).replace(/\/$/, "") };
}

function troubleOfText(text: string): string | null {
  if (text.trim() === "") return "is empty";
  if (text !== text.trim()) return "begins or ends with a space";
  if (text.length > 1024) return "is longer than 1024 characters";
  if (/\p{Cc}/u.test(text)) return "contains a control character";
  if (text.includes("\\")) return 'contains a "\\": folders are divided by "/"';
  if (/[*?]/.test(text)) return "is a pattern: name the file or the folder itself";
  if (text.startsWith(":")) return 'begins with ":", which git reads as a command to itself';
  if (text.startsWith("/") || text.startsWith("~")) return "is not relative to the top of the working tree";
  return null;
}

function troubleOfPlace(path: string, role: "file" | "file-or-folder"): string | null {
  if (path === "." || path === "./") return "is the whole working tree";
  if (path === ".." || path.startsWith("../")) return "leaves the working tree";
  // Some file systems take .GIT and .git for one.
  if (path.split("/").some((word) => word.toLowerCase() === ".git")) return "lies in .git, which is git's own";
  if (path.replace(/\/$/, "") === "midwatch.jsonc") return "is this settings file itself";
  if (role === "file" && path.endsWith("/")) return "is a folder, and a file is needed";
  return null;
}
