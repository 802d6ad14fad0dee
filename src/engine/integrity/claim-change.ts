/** What a claim changed: two commits and the files between them. */
import type { Change } from "../../core/integrity/change.ts";
import type { RunContext } from "../context.ts";

export interface ClaimChange {
  /** HEAD when the run began. */
  readonly base: string;
  /** The commit of the run's last accepted claim, else the base. */
  readonly last: string;
  /** From last to HEAD, without bookkeeping. */
  readonly changes: readonly Change[];
  readonly changedSinceBase: boolean;
  /** The project's settings file, where this window changed it. */
  readonly settings: readonly string[];
}

/** Settings are bookkeeping where progress is asked for; here they are what a window does not change. Between windows a person may. */
const projectFile = "midwatch.jsonc";

export interface ClaimedCommit {
  /** HEAD. */
  readonly commit: string;
  /** HEAD when the window opened that claims. */
  readonly started: string;
}

const nothing = { kind: "read", paths: [] } as const;

/** Null = git does not tell. */
export async function readClaimChange(context: RunContext, { commit, started }: ClaimedCommit): Promise<ClaimChange | null> {
  const { ports, run, settings } = context;
  const base = (await readBase(context)) ?? "";
  const last = (await ports.store.lastAccepted(run)) ?? base;
  // The project's settings are looked at in the same breath; each further question is asked only where it can matter.
  const counted = settings.bookkeeping.filter((path) => path !== projectFile);
  const all = await ports.history.changes(last, commit, counted);
  if (all.kind === "failed") return null;
  const changes = all.changes.filter(({ path }) => path !== projectFile);
  const inWindow = changes.length < all.changes.length ? await ports.workspace.pathsChanged(started, [projectFile], 1) : nothing;
  const sinceBase = changes.length > 0 || last === base ? nothing : await ports.workspace.pathsChanged(base, [], 1, settings.bookkeeping);
  if (sinceBase.kind === "failed" || inWindow.kind === "failed") return null;
  return { base, last, changes, changedSinceBase: changes.length + sinceBase.paths.length > 0, settings: inWindow.paths };
}

/** HEAD when the run's first window opened; "" = no commit, null = none has opened. */
export async function readBase({ ports, run, beginning }: RunContext): Promise<string | null> {
  beginning.base ??= (await ports.store.windows(run))[0]?.base ?? null;
  return beginning.base;
}
