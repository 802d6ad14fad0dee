/** What one start sees: the places of the run, and what the program itself needs that would lie in an empty folder. */
import { statSync } from "node:fs";
import { delimiter, dirname, isAbsolute } from "node:path";
import type { Place } from "../../../core/sandbox/place.ts";
import type { ProcessSpec } from "../../../ports/processes.ts";
import { locate } from "../program.ts";
import { accessAt, isWithin, type Mount, realPath, settle } from "./mounts.ts";

export type Start = Pick<ProcessSpec, "command" | "cwd" | "env">;

/** @param searchPath  of the person: what a project's settings say of PATH makes nothing visible */
export function viewOf(start: Start, places: readonly Place[], searchPath: string): readonly Mount[] {
  const mounts = settle(places);
  const needed = [...folderOf(start, mounts), ...programPlaces(start, mounts, searchPath)];
  return needed.length === 0 ? mounts : settle([...places, ...needed]);
}

/** A scratch folder of ours lies where nothing is to be seen. Anywhere else a start adds nothing to what may be written. */
function folderOf({ cwd }: Start, mounts: readonly Mount[]): readonly Place[] {
  return isUnseen(realPath(cwd) ?? cwd, mounts) ? [{ path: cwd, access: "write", always: true }] : [];
}

/** Below /tmp: the program, files among its arguments, what lies beside either, and the folders of the search path. A socket is none of these. */
function programPlaces({ command, cwd, env }: Start, mounts: readonly Mount[], searchPath: string): readonly Place[] {
  const { path } = locate(command[0], cwd, env["PATH"] ?? "");
  const files = [path, realPath(path) ?? path, ...command.slice(1).filter(isAbsolute)].filter(isFile);
  const folders = searchPath.split(delimiter).filter(isAbsolute);
  const unseen = [...folders, ...files, ...files.map(dirname)].filter(
    (one) => !isWithin(one, "/run") && isUnseen(one, mounts) && !mounts.some(({ at }) => isWithin(at, one)),
  );
  return [...new Set(unseen)].map((one) => ({ path: one, access: "seen" }));
}

function isUnseen(path: string, mounts: readonly Mount[]): boolean {
  const access = accessAt(path, mounts);
  return access === "private" || access === "hidden";
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
