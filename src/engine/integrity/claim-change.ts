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
  /** All files at HEAD. */
  readonly paths: readonly string[];
  /** Of the files by which commands lead to other commands. */
  readonly textAt: ReadText;
}

/** Settings are bookkeeping where progress is asked for; here they are what a window does not change. Between windows a person may. */
const projectFile = "midwatch.jsonc";

const mostScripts = 200;
const maxScriptBytes = 256 * 1024;

/** Null = git does not tell. */
export async function readClaimChange({ ports, run, settings, ...context }: RunContext, commit: string): Promise<ClaimChange | null> {
  const windows = await ports.store.windows(run);
  const [base, started] = [windows[0]?.base ?? "", windows.at(-1)?.base ?? ""];
  const last = (await ports.store.lastAccepted(run)) ?? base;
  const [changed, sinceBase, inWindow, paths] = await Promise.all([
    ports.history.changes(last, commit, settings.bookkeeping),
    last === base ? null : ports.history.changes(base, commit, settings.bookkeeping),
    ports.history.changes(
      started,
      commit,
      settings.bookkeeping.filter((path) => path !== projectFile),
    ),
    ports.history.paths(commit),
  ]);
  if (changed.kind === "failed" || sinceBase?.kind === "failed" || inWindow.kind === "failed" || paths === null) return null;
  const texts = new Map<string, string>();
  for (const path of paths.filter(leadsOn).slice(0, mostScripts)) {
    const read = await ports.files.readText(treePath({ ports, run, settings, ...context }, path), maxScriptBytes);
    if (read.kind === "text") texts.set(path, read.text);
  }
  const { changes } = changed;
  const settled = inWindow.changes.filter(({ path }) => path === projectFile).map(({ path }) => path);
  return {
    base,
    last,
    changes,
    changedSinceBase: (sinceBase?.changes ?? changes).length > 0,
    settings: settled,
    paths,
    textAt: (path) => texts.get(path) ?? null,
  };
}

function leadsOn(path: string): boolean {
  return /(^|\/)(package\.json|GNUmakefile|[Mm]akefile|[Jj]ustfile|[^/.]+|[^/]+\.(sh|bash))$/.test(path);
}
