/**
 * What is known while one script is judged. Only notes are added to it, never taken away: a variable may have any value that is assigned to
 * it anywhere, the folder may be any that was changed to. So order, branches and loops need no simulation, and nothing hides behind them.
 */
import type { Denial } from "./action.ts";
import type { Argument } from "./argument.ts";
import type { FileNote, GuardContext } from "./context.ts";
import { resolvePath } from "./paths.ts";
import type { Command, Script, Word } from "./shell-tree.ts";

/** Where a value of a variable comes from. */
export type Source =
  | { readonly kind: "scalar"; readonly word: Word; readonly adds: boolean }
  | { readonly kind: "list"; readonly words: readonly Word[]; readonly adds: boolean }
  | { readonly kind: "elements"; readonly words: readonly Word[] }
  | { readonly kind: "open" };

export interface Scene {
  readonly context: GuardContext;
  readonly judge: Judge;
  readonly variables: Map<string, Source[]>;
  readonly functions: Map<string, Command[]>;
  /** Values found so far; emptied when a source is added. */
  readonly values: Map<string, readonly Argument[]>;
  /** Variables whose value is being found right now: one that needs itself is open. */
  readonly resolving: Set<string>;
  readonly files: Map<string, FileNote>;
  /** Aliases of git that the script itself makes, by name in small letters. */
  readonly aliases: Map<string, Set<string>>;
  /** Folders whose git settings the verdict needed. */
  readonly gitFolders: Set<string>;
  /** Remotes of git that the script itself adds. */
  readonly remotes: Set<string>;
  /** Whether the verdict needed what git would take in. */
  readonly needs: { changes: boolean };
  /** The absolute folders this may run in; null stands for one that is not known. */
  readonly folders: Set<string | null>;
  /** The person's grants without which this would be denied. */
  readonly granted: Set<string>;
  /** What was understood of it, for people; null = nobody asks. */
  readonly trace: Trace | null;
  /** Steps that may still be taken; at none, everything is a gap and every command is denied. */
  readonly budget: { steps: number };
  /** `$0`, `$1`, `$2` and so on; null when they are not known. */
  readonly positional: readonly Argument[] | null;
  /** How deep scripts, functions and wrappers lie in one another. */
  readonly depth: number;
}

/** The commands of an action as they were understood, in the order in which they were judged. */
export interface Trace {
  readonly commands: TracedCommand[];
  /** Variables by name, with every value that they may have. */
  readonly variables: Map<string, readonly string[]>;
}

export interface TracedCommand {
  readonly words: string;
  /** How deep it lies in others. */
  readonly depth: number;
  /** The rule that denied it, or would have without a grant; null = none. */
  rule: string | null;
  /** The grant by which it passes; null = it needed none. */
  grant: string | null;
}

/** More folders than this are not told apart: then it is not known where something runs. */
export const mostFolders = 16;

/** One command about to run: a name, and arguments of one of the ways in which they may come out. */
export interface Invocation {
  /** The last part of the path, lower case. */
  readonly name: string;
  /** As it was called, path and all. */
  readonly program: Argument;
  readonly args: readonly Argument[];
  /** What a pipe or a here-document feeds it; null when nothing does. */
  readonly input: Argument | null;
  /** The file that `<` feeds it. */
  readonly inputFile: Argument | null;
  /** The variables set for it alone. */
  readonly environment: ReadonlyMap<string, Argument>;
}

/** What a carrier (a command that runs another) needs to have the other judged. */
export interface Judge {
  /** Judges a command given by its words, the name first. */
  words(words: readonly Argument[], like: Pick<Invocation, "input" | "inputFile" | "environment">, scene: Scene): Denial | null;
  /** Judges the text of a script; its own positional arguments are those of the scene given. */
  text(text: string, input: Argument | null, scene: Scene): Denial | null;
  /** What a script prints. */
  output(script: Script, scene: Scene): Argument;
}

/** The first denial of a list, in order. */
export function firstDenial<T>(items: Iterable<T>, judge: (item: T) => Denial | null): Denial | null {
  for (const item of items) {
    const denial = judge(item);
    if (denial !== null) return denial;
  }
  return null;
}

/** One level further in. */
export function deeper(scene: Scene, positional: readonly Argument[] | null = scene.positional): Scene {
  return { ...scene, positional, depth: scene.depth + 1 };
}

/** Every absolute path that the text may mean, through links too. An unknown folder gives none. */
export function pathsOf(text: string, { folders, context }: Scene): readonly string[] {
  if (text.startsWith("/")) return context.placesOf(resolvePath("/", text));
  const paths: string[] = [];
  for (const folder of folders) if (folder !== null) paths.push(...context.placesOf(resolvePath(folder, text)));
  return paths;
}
