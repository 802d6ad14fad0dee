/**
 * The verdict on an action, before it happens. Closed by default: what cannot be read is denied, and so is what makes this code fail.
 * Total, and pure but for the parser that is passed in.
 */
import { type Action, type Denial, deny, denyUnread, type Verdict } from "./action.ts";
import { known } from "./argument.ts";
import type { FileNote, GuardContext, Memory } from "./context.ts";
import { judgeOutgoingText } from "./families/data-out.ts";
import { judgeToolName } from "./families/policy.ts";
import { judgeFileWrite } from "./file-writes.ts";
import { judgeTool } from "./other-tools.ts";
import { resolvePath } from "./paths.ts";
import type { Scene, Trace } from "./scene.ts";
import { judge } from "./walk.ts";

export interface Examination {
  readonly verdict: Verdict;
  /** The memory for the next action, if this one is carried out. */
  readonly memory: Memory;
  /** Folders whose git settings were needed and not known: with them, the verdict may be another one. */
  readonly unreadGit: readonly string[];
  /** What git would take in was needed and not known: with it, the verdict may be another one. */
  readonly unreadChanges: boolean;
}

/** May it happen? */
export function judgeAction(action: Action, context: GuardContext): Verdict {
  return examineAction(action, context).verdict;
}

export interface ExaminationOptions {
  /** The name of the tool, which a rule of the person's may deny. */
  readonly tool?: string;
  /** Filled with what was understood. */
  readonly trace?: Trace;
}

/** The verdict, and what the window will have written by then. Never throws. */
export function examineAction(action: Action, context: GuardContext, { tool = "", trace }: ExaminationOptions = {}): Examination {
  try {
    const scene = openScene(context, "cwd" in action ? action.cwd : context.top, trace ?? null);
    const denial = judgeToolName(tool, context) ?? judgeKind(action, scene) ?? judgeAgain(action, scene) ?? judgeLength(scene);
    const unreadGit = [...scene.gitFolders].filter((folder) => context.gitSettingsOf(folder) === null);
    const unread = { unreadGit, unreadChanges: scene.needs.changes && context.changes === null };
    if (denial !== null) return { verdict: denial, memory: context.memory, ...unread };
    const granted = scene.granted.size === 0 ? {} : { grants: [...scene.granted] };
    return { verdict: { kind: "allow", ...granted }, memory: bounded(scene.files), ...unread };
  } catch {
    // A promise of ours was broken, such as a stack that ran out: whatever it was, the action was not judged.
    return { verdict: denyUnread("an action that the guard failed to judge"), memory: context.memory, unreadGit: [], unreadChanges: false };
  }
}

/** Git may be called before the place where an alias is made or the folder is changed: a loop comes round again. */
function judgeAgain(action: Action, scene: Scene): Denial | null {
  const hasMoved = scene.gitFolders.size > 0 && [...scene.folders].some((folder) => folder === null || !scene.gitFolders.has(folder));
  return hasMoved || scene.aliases.size > 0 ? judgeKind(action, scene) : null;
}

function judgeLength({ budget }: Scene): Denial | null {
  return budget.steps < 0 ? denyUnread("the command is too large to judge") : null;
}

function judgeKind(action: Action, scene: Scene): Denial | null {
  switch (action.kind) {
    case "shell":
      return action.command.trim() === "" ? denyUnread("an empty command") : judge.text(action.command, null, scene);
    case "write":
      return judgeWrite(action, scene);
    case "read":
      return null;
    case "fetch":
      return judgeFetch(action.url);
    case "tool":
      return judgeTool(action, scene);
    case "broken":
      return denyUnread(action.reason);
  }
}

function judgeWrite({ path, cwd, text, isWhole }: Extract<Action, { kind: "write" }>, scene: Scene): Denial | null {
  if (path.trim() === "" || path.includes("\0")) return denyUnread("a write without a path");
  const place = resolvePath(resolvePath(scene.context.top, cwd), path);
  return judgeFileWrite({ target: known(place), content: known(text), appends: !isWhole }, scene);
}

function judgeFetch(url: string): Denial | null {
  if (!/^https?:\/\//i.test(url))
    return deny("data-out/address", "an address that is not http or https", "read local files with the tool for reading");
  return judgeOutgoingText(decoded(url));
}

function decoded(url: string): string {
  try {
    return `${url} ${decodeURIComponent(url)}`;
  } catch {
    return url; // not a well-formed address: judged as it stands
  }
}

function openScene(context: GuardContext, folder: string, trace: Trace | null): Scene {
  return {
    context,
    judge,
    variables: new Map(),
    functions: new Map(),
    values: new Map(),
    resolving: new Set(),
    files: new Map(context.memory),
    aliases: new Map(),
    gitFolders: new Set(),
    folders: new Set([resolvePath(context.top, folder)]),
    remotes: new Set(),
    needs: { changes: false },
    granted: new Set(),
    trace,
    budget: { steps: 20_000 },
    positional: null,
    depth: 0,
  };
}

/** At most this many files and letters are remembered; the oldest go first, and one that is too long keeps only its marks. */
const mostFiles = 256;
const longestText = 64 * 1024;

function bounded(files: ReadonlyMap<string, FileNote>): Memory {
  const kept = [...files].slice(-mostFiles);
  return new Map(kept.map(([path, note]) => [path, note.text !== null && note.text.length > longestText ? { ...note, text: null } : note]));
}
