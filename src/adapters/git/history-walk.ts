/**
 * Counts the commits between two without starting git: from both ends back over all parents, newest first, until everything that is left to look
 * at belongs to both. It gives the exact numbers or null, which means: too far, or not to be read from here.
 */
import type { ReadObject } from "./loose-object.ts";

export interface Distance {
  /** Commits reachable from the head and not from the base. */
  readonly commits: number;
  /** The base has commits that the head does not reach. */
  readonly baseLost: boolean;
}

interface Commit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly committedAtS: number;
}

interface Visit extends Commit {
  isPassed: boolean;
  /** The ends it was reached from. */
  readonly from: Set<End>;
}

type End = "head" | "base";

const maxCommits = 200;
const commitHead = /^tree ([0-9a-f]{40})\n((?:parent [0-9a-f]{40}\n)*)author .*\ncommitter .* (\d{1,15}) [+-]\d+\n/;

/** Walks the history; base "" = the beginning of time. */
export function measureDistance(read: ReadObject, base: string, head: string): Distance | null {
  const visits = new Map<string, Visit>();
  if (!reach(read, visits, head, "head") || (base !== "" && !reach(read, visits, base, "base"))) return null;
  let sawRoot = false;
  for (let count = 0; count <= maxCommits; count += 1) {
    const open = [...visits.values()].filter((visit) => !visit.isPassed);
    if (isSettled(open, sawRoot)) return tally(visits);
    const next = open.reduce((best, visit) => (isBefore(visit, best) ? visit : best));
    next.isPassed = true;
    sawRoot ||= next.parents.length === 0;
    for (const parent of next.parents) for (const end of next.from) if (!reach(read, visits, parent, end)) return null;
  }
  return null;
}

export function readCommit(read: ReadObject, oid: string): Commit | null {
  const [whole, tree = "", parentLines = "", committedAtS] = commitHead.exec(read("commit", oid)?.toString("latin1") ?? "") ?? [];
  if (whole === undefined) return null;
  const parents = [...parentLines.matchAll(/[0-9a-f]{40}/g)].map(([parent]) => parent);
  return { tree, parents, committedAtS: Number(committedAtS) };
}

/**
 * Could a passed commit that only one end has reached belong to the other as well? The way there would lead through an open commit. With a single
 * one left and no root passed, each passed commit leads down to that same one: the way would be a circle. With none left there is no such way.
 */
function isSettled(open: readonly Visit[], sawRoot: boolean): boolean {
  return open.length === 0 || (open.length === 1 && !sawRoot && open.every(({ from }) => from.size === 2));
}

/** Any order gives the same numbers; this one turns back soonest. Within a second the head's commits are the newer ones. */
function isBefore(one: Visit, other: Visit): boolean {
  if (one.committedAtS !== other.committedAtS) return one.committedAtS > other.committedAtS;
  return !one.from.has("base") && other.from.has("base");
}

/** Notes that a commit is reached from an end, and with it all that was passed below it. False = it cannot be read. */
function reach(read: ReadObject, visits: Map<string, Visit>, oid: string, end: End): boolean {
  const waiting = [oid];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const visit = visits.get(id) ?? startVisit(readCommit(read, id));
    if (visit === null) return false;
    visits.set(id, visit);
    if (visit.from.has(end)) continue;
    visit.from.add(end);
    if (visit.isPassed) waiting.push(...visit.parents);
  }
  return true;
}

function startVisit(commit: Commit | null): Visit | null {
  return commit === null ? null : { ...commit, isPassed: false, from: new Set() };
}

function tally(visits: ReadonlyMap<string, Visit>): Distance {
  const ends = [...visits.values()].filter(({ from }) => from.size === 1).map(({ from }) => [...from][0]);
  const commits = ends.filter((end) => end === "head").length;
  return { commits, baseLost: commits < ends.length };
}
