/** Paths as text: POSIX, no disk. */

/** Absolute, without `.`, `..` and doubled slashes. `..` at the root stays at the root. */
export function resolvePath(folder: string, path: string): string {
  const kept: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${folder}/${path}`).split("/")) {
    if (part === "..") kept.pop();
    else if (part !== "" && part !== ".") kept.push(part);
  }
  return `/${kept.join("/")}`;
}

/** The path is the folder or lies in it. File systems that ignore case exist, so case is ignored. */
export function isWithin(path: string, folder: string): boolean {
  const [inner, outer] = [path.toLowerCase(), folder.toLowerCase()];
  return inner === outer || inner.startsWith(outer === "/" ? "/" : `${outer}/`);
}

/** The last part of a path. */
export function baseName(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end -= 1;
  return path.slice(path.lastIndexOf("/", end - 1) + 1, end);
}

/** A pattern of the shell against one name; `[…]` counts as any letter. Too long to compare counts as a match. */
export function matchesPattern(pattern: string, name: string): boolean {
  if (pattern.length > 512 || name.length > 512) return true;
  if (name.startsWith(".") && !pattern.startsWith(".")) return false;
  const letters = pattern.replace(/\[[^\]/]{1,64}\]/g, "?");
  let [at, on, star, mark] = [0, 0, -1, 0];
  while (on < name.length) {
    if (letters[at] === "*") [star, mark, at] = [at, on, at + 1];
    else if (letters[at] === "?" || letters[at] === name[on]) [at, on] = [at + 1, on + 1];
    else if (star === -1) return false;
    else [at, on, mark] = [star + 1, mark + 1, mark + 1];
  }
  return /^\**$/.test(letters.slice(at));
}
