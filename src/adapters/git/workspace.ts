/**
 * The git working tree of a run: one git process for a look at it, none to learn what a window committed.
 * Reads take no lock, write no byte and run nothing of the repository's own configuration (environment.ts, filters.ts, submodules.ts).
 */
import { setImmediate as takeTurn, setTimeout as wait } from "node:timers/promises";
import type { GroundState, PathSample, TreeChange } from "../../core/ground.ts";
import type { Workspace, WorkspaceLocation } from "../../ports/workspace.ts";
import { normalizeBookkeeping } from "./bookkeeping.ts";
import { createBranch } from "./branch.ts";
import { readHistoryChange } from "./change.ts";
import { readChangedTexts } from "./changed-texts.ts";
import { createGit, type Git } from "./command.ts";
import { type DirtTools, readDirt } from "./dirt.ts";
import type { Environment } from "./environment.ts";
import { addExclude } from "./exclude.ts";
import { createFilterSilencer } from "./filters.ts";
import { readHead } from "./head.ts";
import { findDisplacement } from "./location.ts";
import { readLooseChange } from "./loose-change.ts";
import { readMarks } from "./marks.ts";
import { readGitSettings } from "./settings.ts";
import { findCommit, readChangedPaths, readMessagesSince } from "./since.ts";

export interface WorkspaceOptions {
  /** How long one git command may take. */
  readonly timeoutMs?: number;
  /** A lock younger than this may be a git at work: it gets that long to go away before it is told of. */
  readonly lockPatienceMs?: number;
  /** false = git is asked for every change, also for those that can be read without it: what they are compared with. */
  readonly readsObjects?: boolean;
}

const none: PathSample = { count: 0, paths: [] };
const lockPollMs = 20;

/** Opens the tree that `findWorkspace` found. `env` is the person's environment: PATH and HOME are taken from it. */
export function openWorkspace(env: Environment, location: WorkspaceLocation, options: WorkspaceOptions = {}): Workspace {
  const git = createGit(env, location.top, options.timeoutMs);
  const tools = { git, silence: createFilterSilencer(git) };
  const patienceMs = options.lockPatienceMs ?? 1000;
  return {
    location,
    inspect: (bookkeeping) => inspect(tools, location, normalizeBookkeeping(bookkeeping), patienceMs),
    changeSince: (base, bookkeeping) =>
      readChange(git, location, { base, bookkeeping: normalizeBookkeeping(bookkeeping), readsObjects: options.readsObjects ?? true }),
    messagesSince: (base) => readMessagesSince({ git, location }, base),
    pathsChanged: (base, below, limit, bookkeeping = []) =>
      readChangedPaths({ git, location }, { base, below, limit, bookkeeping: normalizeBookkeeping(bookkeeping) }),
    findCommit: (name) => findCommit({ git, location }, name),
    createBranch: (name) => createBranch(git, location, name),
    excludeFromGit: (pattern) => addExclude(location.commonDir, pattern),
    changedTexts: () => readChangedTexts(tools, location),
    gitSettings: (folder, agentEnv) => readGitSettings(agentEnv, location.top, folder),
  };
}

async function inspect(
  tools: DirtTools,
  location: WorkspaceLocation,
  bookkeeping: readonly string[],
  patienceMs: number,
): Promise<GroundState> {
  const startedAt = performance.now();
  for (;;) {
    const state = await look(tools, location, bookkeeping);
    const isYoung = state.locks.some((lock) => lock.ageMs < patienceMs);
    if (!isYoung || performance.now() - startedAt >= patienceMs) return state;
    await wait(lockPollMs);
  }
}

async function look(tools: DirtTools, location: WorkspaceLocation, bookkeeping: readonly string[]): Promise<GroundState> {
  try {
    const marks = readMarks(location);
    const [reading, displacement] = await Promise.all([readDirt(tools, location, bookkeeping), findDisplacement(location)]);
    if (displacement !== null) return failedState(displacement);
    if (reading.kind === "failed") return { ...failedState(reading.detail), locks: marks.locks };
    const { oid, branch, staged, changed, untracked, conflicted } = reading.dirt;
    const { inProgress, locks } = marks;
    // A branch may be named "(detached)": the file knows better than the line for people.
    return {
      head: oid,
      branch: marks.branch === undefined ? branch : marks.branch,
      staged,
      changed,
      untracked,
      conflicted,
      inProgress,
      locks,
      failure: "",
    };
  } catch (error) {
    return failedState(error instanceof Error ? error.message : String(error)); // the git folder cannot be listed
  }
}

function failedState(failure: string): GroundState {
  return { head: "", branch: null, staged: none, changed: none, untracked: none, conflicted: none, inProgress: [], locks: [], failure };
}

interface ChangeQuery {
  readonly base: string;
  readonly bookkeeping: readonly string[];
  readonly readsObjects: boolean;
}

async function readChange(git: Git, location: WorkspaceLocation, query: ChangeQuery): Promise<TreeChange> {
  const { base, bookkeeping, readsObjects } = query;
  const still = { commits: 0, codeChanged: false, conflictMarkers: [], baseLost: false };
  const head = await readHead(git, location);
  if (head.kind === "failed") return { head: "", branch: null, ...still, failure: head.detail };
  const { oid, branch } = head;
  if (oid === base) return { head: oid, branch, ...still };
  // The branch has no commit any more, or an empty one was checked out: what was there is not to be reached from here.
  if (oid === "") return { head: oid, branch, ...still, baseLost: true };
  await takeTurn(); // a look at the tree that was asked for together with this one: its git starts first, and works beside us
  const change = readsObjects ? readLooseChange(location, base, oid, bookkeeping) : null;
  return { head: oid, branch, ...(change ?? (await readHistoryChange(git, location, base, oid, bookkeeping))) };
}
