/**
 * Places as they are on this machine: links resolved, what is not there left out, each behind the one in which it lies. What must hold: whatever is
 * hidden stays so, but for the tree itself and the folder in which something is started.
 */
import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Access, accesses, type Place } from "../../../core/sandbox/place.ts";

export interface Mount extends Pick<Place, "access" | "mode" | "always"> {
  readonly source: string;
  /** Where it is seen; outside of private folders the same. */
  readonly at: string;
}

/** In this order each lies in none of the later ones. */
export function settle(places: readonly Place[]): readonly Mount[] {
  const realPaths = (of: (place: Place) => boolean) => places.filter(of).flatMap(({ path }) => realPath(path) ?? []);
  const privates = new Set(realPaths(({ access }) => access === "private"));
  const trees = realPaths(({ access, always }) => access === "write" && always === true);
  const byPath = new Map<string, Mount>();
  for (const place of places) {
    const mount = place.access === "hidden" ? hiddenMount(place) : resolved(place, privates);
    if (mount === null || (place.access !== "hidden" && trees.some((tree) => isBent(place.path, mount.source, tree)))) continue;
    byPath.set(mount.at, stronger(byPath.get(mount.at), mount));
  }
  const needed = withoutNeedless(inOrder([...byPath.values()]));
  return inOrder([...needed, ...pins(needed)]);
}

function inOrder(mounts: readonly Mount[]): readonly Mount[] {
  return [...mounts].sort((a, b) => (slashed(a.at) < slashed(b.at) ? -1 : 1));
}

/** A home may be the tree, or lie in it: then an agent may have made `~/.cache` a link to anywhere, and what it leads to is not opened for the next window. */
function isBent(path: string, source: string, tree: string): boolean {
  if (source === path || isWithin(source, tree)) return false;
  return parents(path, "/").some((folder) => isWithin(realPath(folder) ?? "/", tree));
}

/** A folder in a tree cannot be moved away together with what is hidden in it when it is mounted over itself. */
function pins(mounts: readonly Mount[]): readonly Mount[] {
  const held = mounts.filter(({ access, source }) => source !== "" && (access === "hidden" || access === "read"));
  const folders = held.flatMap(({ at }) => {
    const around = mounts.findLast((one) => one.at !== at && isWithin(at, one.at));
    return around?.access === "write" ? parents(at, around.at) : [];
  });
  const missing = [...new Set(folders)].filter((folder) => !mounts.some(({ at }) => at === folder));
  return missing.map((folder) => ({ access: "write", source: folder, at: folder }));
}

/** The folders above a path, up to one of them, without that. */
function parents(path: string, top: string): readonly string[] {
  const found: string[] = [];
  for (let folder = dirname(path); folder !== top && folder !== "/"; folder = dirname(folder)) found.push(folder);
  return found;
}

export function isWithin(path: string, folder: string): boolean {
  return slashed(path).startsWith(slashed(folder));
}

/** What a path is like in the end. */
export function accessAt(path: string, mounts: readonly Mount[]): Access {
  const access = mounts.findLast(({ at }) => isWithin(path, at))?.access ?? "read";
  return access === "seen" ? "read" : access;
}

function resolved({ path, ...place }: Place, privates: ReadonlySet<string>): Mount | null {
  const source = realPath(path);
  if (source === null) return null;
  const folder = realPath(dirname(path)) ?? "/";
  // A link in a private folder is not there any more: what it leads to takes its place.
  return { ...place, source, at: privates.has(folder) && isLink(path) ? join(folder, basename(path)) : source };
}

/** Ours is hidden before it is there, so that it cannot be made; where the folder above is read only it cannot anyway, and is left out later. */
function hiddenMount({ path, ...place }: Place): Mount | null {
  const rest: string[] = [];
  let above = path;
  for (; realPath(above) === null; above = dirname(above)) rest.unshift(basename(above));
  if (rest.length > 0 && place.always !== true) return null;
  const at = join(realPath(above) ?? "/", ...rest);
  return { ...place, source: rest.length === 0 ? at : "", at };
}

function stronger(one: Mount | undefined, other: Mount): Mount {
  if (one === undefined) return other;
  const rank = ({ access }: Mount) => accesses.indexOf(access);
  return rank(one) > rank(other) ? one : other;
}

function withoutNeedless(sorted: readonly Mount[]): readonly Mount[] {
  const kept: Mount[] = [];
  for (const mount of sorted) if (isNeeded(mount, accessAt(mount.at, kept))) kept.push(mount);
  return kept;
}

function isNeeded({ access, source, always }: Mount, around: Access): boolean {
  if (around === "hidden" && always !== true) return false;
  if (source === "") return around === "write";
  if (access === "hidden") return around !== "private";
  if (access === "seen") return around === "private";
  return access === "private" || access !== around;
}

function slashed(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}

export function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null; // not there, or not ours to see
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
