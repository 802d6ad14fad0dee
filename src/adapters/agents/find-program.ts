/** Where a program lies, by the rules of the search path. Looked up afresh each time: an agent's updater may replace it between two windows. */
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";

export type ProgramSearch =
  /** `mark` = the file behind it: where it really lies, and what tells it from one that takes its place. */
  | { readonly kind: "found"; readonly path: string; readonly mark: string }
  | { readonly kind: "missing"; readonly detail: string; readonly hint?: string };

/**
 * @param name  a path when it has a slash, relative to `folder`; else a name that is searched in `searchPath`
 * @param folder  an absolute path, or "." for the folder of this process
 */
export function findProgram(name: string, searchPath: string, folder: string): ProgramSearch {
  const places = name.includes("/") ? [resolve(folder, name)] : searchPath.split(delimiter).map((place) => resolve(folder, place, name));
  const path = name === "" ? undefined : places.find(isProgram);
  if (path !== undefined) return { kind: "found", path, mark: markOf(path) };
  const place = places.find((candidate) => statSync(candidate, { throwIfNoEntry: false }) !== undefined);
  if (name !== "" && place !== undefined) return notRunnable(place);
  return { kind: "missing", detail: name.includes("/") ? `there is no file ${places[0]}` : `there is no program "${name}" in PATH` };
}

function notRunnable(place: string): ProgramSearch {
  const detail = `${place} is not a program that may be run`;
  if (!statSync(place).isFile()) return { kind: "missing", detail };
  return { kind: "missing", detail, hint: `if it is one, allow it: chmod +x '${place.replaceAll("'", "'\\''")}'` };
}

function markOf(path: string): string {
  try {
    const real = realpathSync(path);
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(real, { bigint: true });
    return [real, dev, ino, size, mtimeNs, ctimeNs].join(" ");
  } catch {
    return "gone"; // taken away this moment: starting it will tell
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // absent, or not ours to run
  }
}
