/**
 * The kin of a leader: every process that can be shown to descend from it. Shown by the mark in its environment, by the leader's
 * session or group, by a parent that is kin, or by having been seen as a descendant earlier. What cleared its environment, left the
 * session and lost its parents between two looks cannot be told from a stranger, and strangers are never signalled.
 */
import { hasVariable, isStill, listPids, type ProcessRow, readChildren, readRow } from "./proc-table.ts";
import { pause } from "./wait.ts";

export const markName = "MIDWATCH_WINDOW";

export interface KinQuery {
  /** Of several, any. */
  readonly mark: string | readonly string[];
  /** Kin are not older than this. */
  readonly sinceTicks: number;
  /** Their session or group; null when the leader's pid may have become somebody else's. */
  readonly leader: number | null;
  /** Start time by pid, as seen earlier. */
  readonly seen?: ReadonlyMap<number, number>;
}

export interface Ended {
  readonly ended: number;
  readonly uncontained: readonly number[];
}

/** Adds the living descendants of `pid` to `seen`. */
export function lookAtDescendants(pid: number, seen: Map<number, number>): void {
  const open = [pid];
  for (const [known, startTicks] of seen) isStill(known, startTicks) ? open.push(known) : seen.delete(known);
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const child of readChildren(parent)) {
      const row = seen.has(child) ? null : readRow(child);
      if (row === null) continue;
      seen.set(child, row.startTicks);
      open.push(child);
    }
  }
}

/** One look at the whole table. `elders` = pids older than any kin, known from an earlier look: they need not be read again. */
export function findKin(query: KinQuery, elders: Set<number> = new Set()): readonly ProcessRow[] {
  const rows = listPids().flatMap((pid) => (elders.has(pid) ? [] : (readRow(pid) ?? [])));
  for (const row of rows) if (row.startTicks < query.sinceTicks) elders.add(row.pid);
  const own = ourselves(); // left out before parents are followed, or our other children would be kin
  const young = rows.filter((row) => !elders.has(row.pid) && !own.includes(row.pid));
  const kin = new Map(young.filter((row) => isKin(row, query)).map((row) => [row.pid, row]));
  for (let before = -1; before !== kin.size; ) {
    before = kin.size;
    for (const row of young) if (kin.has(row.parent)) kin.set(row.pid, row);
  }
  return [...kin.values()];
}

function isKin(row: ProcessRow, query: KinQuery): boolean {
  if (query.leader !== null && (row.session === query.leader || row.group === query.leader)) return true;
  return (
    query.seen?.get(row.pid) === row.startTicks ||
    hasVariable(
      row.pid,
      [query.mark].flat().map((mark) => `${markName}=${mark}`),
    )
  );
}

/** We and what started us: when a run is itself part of a window, its mark must not lead a sweep to us. */
function ourselves(): readonly number[] {
  const line: number[] = [];
  for (let row = readRow(process.pid); row !== null; row = readRow(row.parent)) line.push(row.pid);
  return line;
}

/** How long the kernel may take to end what was killed. */
const patienceMs = 5_000;

/** Kills kin until two looks in a row find none, or until nothing changes any more. */
export async function endKin(query: KinQuery): Promise<Ended> {
  const killed = new Map<number, number>();
  const seen = new Map(query.seen); // what was killed stays kin until it is gone: its parent, by which it was found, may go first
  const elders = new Set<number>();
  const deadline = performance.now() + patienceMs;
  for (let clean = 0, napMs = 1; clean < 2; ) {
    const found = findKin({ ...query, seen }, elders);
    clean = found.length === 0 ? clean + 1 : 0;
    if (clean > 0) continue;
    const reached = found.filter((row) => kill(row.pid, row.startTicks));
    for (const row of reached) for (const known of [killed, seen]) known.set(row.pid, row.startTicks);
    if (reached.length === 0 || performance.now() > deadline) return tally(killed, found);
    await pause(napMs);
    napMs = Math.min(napMs * 2, 50);
  }
  return tally(killed, []);
}

function tally(killed: ReadonlyMap<number, number>, left: readonly ProcessRow[]): Ended {
  const living = left.filter((row) => isStill(row.pid, row.startTicks)).map((row) => row.pid);
  return { ended: [...killed.keys()].filter((pid) => !living.includes(pid)).length, uncontained: living };
}

/** SIGKILL to this very process; false when it may not be signalled. One that is gone counts as reached. */
export function kill(pid: number, startTicks: number): boolean {
  if (!isStill(pid, startTicks)) return true;
  return send(pid, "SIGKILL") !== "EPERM";
}

/** Sends a signal (0 = only asks) and tells how that went: `sent`, or the system's error code. */
export function send(pid: number, signal: NodeJS.Signals | 0): string {
  try {
    process.kill(pid, signal);
    return "sent";
  } catch (error) {
    return codeOf(error);
  }
}

/** The system's code of an error. Node's own codes are all about an argument that no system call would take. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code === "" || code.startsWith("ERR_") ? "EINVAL" : code;
}
