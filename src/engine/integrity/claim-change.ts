/** What a claim changed: two commits, the files between them, and the texts of what criteria may run. */
import type { Change } from "../../core/integrity/change.ts";
import type { ReadText } from "../../core/integrity/reach.ts";
import { type RunContext, treePath } from "../context.ts";

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
  /** All files at HEAD; none where nobody asked for them. */
  readonly paths: readonly string[];
  /** Of the files by which commands lead to other commands. */
  readonly textAt: ReadText;
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
const mostScripts = 200;
const maxScriptBytes = 256 * 1024;

/** Null = git does not tell. @param wantsTree  whether all paths at HEAD are asked for, by what was changed */
export async function readClaimChange(
  context: RunContext,
  { commit, started }: ClaimedCommit,
  wantsTree: (changes: readonly Change[]) => boolean = () => true,
): Promise<ClaimChange | null> {
  const { ports, run, settings } = context;
  const base = await readBase(context);
  const last = (await ports.store.lastAccepted(run)) ?? base;
  const { workspace, history } = ports;
  // The project's settings are looked at in the same breath; each further question is asked only where it can matter.
  const all = await history.changes(
    last,
    commit,
    settings.bookkeeping.filter((path) => path !== projectFile),
  );
  if (all.kind === "failed") return null;
  const changes = all.changes.filter(({ path }) => path !== projectFile);
  const inWindow = changes.length < all.changes.length ? await workspace.pathsChanged(started, [projectFile], 1) : nothing;
  const sinceBase = changes.length > 0 || last === base ? nothing : await workspace.pathsChanged(base, [], 1, settings.bookkeeping);
  const paths = wantsTree(changes) ? await history.paths(commit) : [];
  if (sinceBase.kind === "failed" || inWindow.kind === "failed" || paths === null) return null;
  const texts = new Map<string, string>();
  for (const path of paths.filter(leadsOn).slice(0, mostScripts)) {
    const read = await ports.files.readText(treePath(context, path), maxScriptBytes);
    if (read.kind === "text") texts.set(path, read.text);
  }
  return {
    ...{ base, last, changes, changedSinceBase: changes.length + sinceBase.paths.length > 0, settings: inWindow.paths, paths },
    textAt: (path) => texts.get(path) ?? null,
  };
}

/** HEAD when the run's first window opened. */
export async function readBase({ ports, run, beginning }: RunContext): Promise<string> {
  beginning.base ??= (await ports.store.windows(run))[0]?.base ?? "";
  return beginning.base;
}

function leadsOn(path: string): boolean {
  return /(^|\/)(package\.json|GNUmakefile|[Mm]akefile|[Jj]ustfile|[^/.]+|[^/]+\.(sh|bash))$/.test(path);
}
