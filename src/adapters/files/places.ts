/**
 * Where a path leads through links. Looks and opens nothing; what does not exist yet keeps its name below the deepest folder that does. Synchronous, since a
 * guard asks in the middle of its verdict: a look at a path takes some 10 µs.
 */
import { lstatSync, readlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const maxLinks = 40;

/** The path itself; its name in the real folder; and what it really is, if a link. Absolute paths in and out; never throws. */
export function placesOf(path: string): readonly string[] {
  const named = join(realPath(dirname(path)), basename(path));
  return [...new Set([path, named, realPath(path)])];
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
