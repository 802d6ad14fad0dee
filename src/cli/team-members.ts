/** `--member alice:coder@../shop-alice`: who works, and in which working tree of the repository. */
import { realpathSync } from "node:fs";
import { basename, resolve } from "node:path";
import { MidwatchError } from "../core/error.ts";
import type { Member } from "../core/run-settings.ts";
import { parseMember } from "./run-flags.ts";

export interface Placed extends Omit<Member, "team"> {
  readonly top: string;
}

export interface Tree {
  readonly top: string;
  readonly branch: string | null;
}

/**
 * @param words  as they were typed; @param trees  the working trees of the repository
 * @param here  top of the one we are in: where a single member works that names none
 */
export function placeMembers(words: readonly string[], trees: readonly Tree[], here: string): readonly Placed[] {
  const placed = words.map((word) => {
    const at = word.indexOf("@");
    const member = parseMember(at < 0 ? word : word.slice(0, at));
    const top =
      at < 0 ? (treeOf(member.name, trees) ?? (words.length === 1 ? here : noTree(member.name, here))) : named(word.slice(at + 1), trees);
    return { ...member, top };
  });
  for (const [index, one] of placed.entries()) {
    const other = placed.slice(0, index).find(({ name, top }) => name === one.name || top === one.top);
    if (other?.name === one.name) throw usage(`${one.name} is named twice`, "give each member a name of its own");
    if (other !== undefined) throw usage(`${other.name} and ${one.name} would work in the same tree, ${one.top}`, addTree(one.name, here));
  }
  return placed;
}

/** The tree that is called like the member, by its branch or its folder. */
function treeOf(name: string, trees: readonly Tree[]): string | null {
  const isCalled = ({ top, branch }: Tree) => branch === name || basename(top) === name || basename(top).endsWith(`-${name}`);
  return trees.find(isCalled)?.top ?? null;
}

function named(path: string, trees: readonly Tree[]): string {
  const top = realPath(resolve(path));
  if (trees.some((tree) => tree.top === top)) return top;
  throw usage(`${path} is no working tree of this repository`, `there are: ${trees.map((tree) => tree.top).join(", ")}`);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // not there: it will be none of the trees
  }
}

function noTree(name: string, here: string): never {
  throw usage(`no working tree is called like ${name}`, addTree(name, here));
}

function addTree(name: string, here: string): string {
  return `make one: git worktree add ../${basename(here)}-${name} -b ${name}`;
}

function usage(message: string, hint: string): MidwatchError {
  return new MidwatchError("usage", "E_MEMBER", message, { hint });
}
