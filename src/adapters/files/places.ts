/**
 * Where a path leads through links. Looks and opens nothing; what does not exist yet keeps its name below the deepest folder that does. Synchronous, since a
 * guard asks in the middle of its verdict: a first look at a path takes some 10 µs, in a known folder 3.
 */
import { lstatSync, readlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const maxLinks = 40;

/**
 * Gives the way to ask for every path by which a path is known: itself; its name in the real folder; and what it really is, if a link. Absolute paths in and
 * out; never throws. What was seen is not looked at again: a verdict asks for the same folders thousands of times.
 */
export function openPlaces(): (path: string) => readonly string[] {
  const folders = remembering(realPath);
  return remembering((path) => {
    const named = join(folders(dirname(path)), basename(path));
    const real = look(named).kind === "link" ? [realPath(named)] : [];
    return [...new Set([path, named, ...real])];
  });
}

function remembering<T>(find: (path: string) => T): (path: string) => T {
  const known = new Map<string, T>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const found = find(path);
    known.set(path, found);
    return found;
  };
}

function realPath(path: string): string {
  let here = "";
  let rest = path.split("/");
  for (let links = 0; rest.length > 0; ) {
    const [part = "", ...others] = rest;
    rest = others;
    if (part === "" || part === ".") continue;
    if (part === "..") {
      here = dirname(here);
      continue;
    }
    const next = here === "/" ? `/${part}` : `${here}/${part}`;
    const found = look(next);
    if (found.kind === "absent") return join(next, ...rest);
    if (found.kind === "link") {
      if (links === maxLinks) return path;
      links += 1;
      rest = [...found.target.split("/"), ...rest];
      if (found.target.startsWith("/")) here = "";
    } else here = next;
  }
  return here === "" ? "/" : here;
}

type Found = { readonly kind: "absent" | "other" } | { readonly kind: "link"; readonly target: string };

function look(path: string): Found {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return { kind: "absent" };
    return found.isSymbolicLink() ? { kind: "link", target: readlinkSync(path) } : { kind: "other" };
  } catch {
    return { kind: "absent" }; // not ours to look into, or gone by now
  }
}
