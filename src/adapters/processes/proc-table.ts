/**
 * The kernel's table of processes, read from /proc. Every answer may be old by the time it is used: a process is one pid together with
 * its start time, and whoever signals by pid compares both directly before. Nothing here throws; where there is no /proc the table is empty.
 */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly startTicks: number;
}

/** A living process; null for one that is gone, or that is a zombie and only waits to be collected. */
export function readRow(pid: number): ProcessRow | null {
  const fields = readFields(pid);
  const [state, parent, group, session] = fields;
  if (fields.length < fieldCount || state === "Z" || state === "X") return null;
  return { pid, parent: Number(parent), group: Number(group), session: Number(session), startTicks: Number(fields[fieldCount - 1]) };
}

/** What it calls itself, which it may change; empty for one that is gone. */
export function readName(pid: number): string {
  return readText(`/proc/${pid}/comm`).trim();
}

/** When it started, also of a zombie; 0 for one that is gone. */
export function readStartTicks(pid: number): number {
  return Number(readFields(pid)[fieldCount - 1] ?? 0);
}

/** From the state (field 3 of the kernel's line) to the start time (field 22). */
const fieldCount = 20;

function readFields(pid: number): readonly string[] {
  const line = readText(`/proc/${pid}/stat`);
  // The field before is the program's name in parentheses, and may itself hold blanks and parentheses: count from the last one.
  return line.slice(line.lastIndexOf(")") + 2).split(" ", fieldCount);
}

/** Whether this pid is still the process that started then. */
export function isStill(pid: number, startTicks: number): boolean {
  return readRow(pid)?.startTicks === startTicks;
}

export function listPids(): readonly number[] {
  const pids: number[] = [];
  for (const name of listFolder("/proc")) if (isNumber(name)) pids.push(Number(name));
  return pids;
}

/** Whether the environment that the process was started with holds exactly one of these `NAME=value`. */
export function hasVariable(pid: number, entries: readonly string[]): boolean {
  const environment = readText(`/proc/${pid}/environ`);
  return entries.some((entry) => environment.startsWith(`${entry}\0`) || environment.includes(`\0${entry}\0`));
}

/** Living children and zombies of every thread: from the kernel's own list, or from the whole table where it keeps none. */
export function readChildren(pid: number): readonly number[] {
  if (!hasChildLists) return listPids().filter((child) => readRow(child)?.parent === pid);
  const pids: number[] = [];
  for (const thread of listFolder(`/proc/${pid}/task`)) {
    for (const word of readWhole(`/proc/${pid}/task/${thread}/children`).split(" ")) if (word !== "") pids.push(Number(word));
  }
  return pids;
}

function isNumber(name: string): boolean {
  const first = name.charCodeAt(0);
  return first >= 0x30 && first <= 0x39;
}

function listFolder(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return []; // gone, or no /proc
  }
}

/** For lists: the kernel ends a read between two entries, so a short read is not yet the end. */
function readWhole(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return ""; // gone, or a kernel without it
  }
}

const page = Buffer.allocUnsafe(4096);

/** One read into a shared page is a third of the time of readFileSync, and a sweep reads some hundred of these. */
function readText(path: string): string {
  let file = -1;
  try {
    file = openSync(path, "r");
    const length = readSync(file, page, 0, page.length, 0);
    return length < page.length ? page.toString("latin1", 0, length) : readFileSync(path, "latin1");
  } catch {
    return ""; // gone, or not ours to read
  } finally {
    if (file >= 0) closeSync(file);
  }
}

export const hasProcessTable: boolean = readRow(process.pid) !== null;

/** Changes at each boot; empty where the kernel does not tell, and then no start time can be trusted either. */
export const bootId: string = readText("/proc/sys/kernel/random/boot_id").trim();

const hasChildLists = existsSync(`/proc/${process.pid}/task/${process.pid}/children`);
