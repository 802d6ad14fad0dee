/** Paths in a line: relative, in the tree, and one file or folder. */

/** Why a path cannot be taken; null = it can. */
export function pathFault(path: string): string | null {
  if (path === "") return "it names no file";
  if (/[\u0000-\u001f]/.test(path)) return "the path has a control character";
  if (/^([/\\~]|[a-z]:)/i.test(path)) return `the path ${path} is absolute: write it from the root of the repository`;
  if (path.includes("*")) return `the path ${path} is a pattern: name one file`;
  let depth = 0;
  for (const part of path.split(/[/\\]/)) {
    if (part === "" || part === ".") continue;
    depth += part === ".." ? -1 : 1;
    if (depth < 0) return `the path ${path} leaves the repository`;
  }
  return depth === 0 ? `the path ${path} is the repository itself: name a file in it` : null;
}
