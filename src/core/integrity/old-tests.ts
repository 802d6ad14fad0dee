/** Which changed test files are measured as they were: those whose words still count. */
import { addedLines, type Change, namesFile, type TaskWords, wordsOf } from "./change.ts";
import { nameOf } from "./module-paths.ts";
import { leavesOut } from "./skips.ts";
import { isTestFile } from "./test-files.ts";

/**
 * Test files that the claim changed or took away. Left out are those that the task names, whose words speak of something that went with them, that only lost a skip,
 * and whose new words are the task's own: then it asked for another behaviour.
 */
export function oldTests(changes: readonly Change[], task: TaskWords): readonly Change[] {
  const gone = changes.filter(({ path, kind }) => kind === "removed" && !isTestFile(path)).map(({ path }) => nameOf(path));
  return changes.filter((change) => {
    const { path, kind, before } = change;
    if (kind === "added" || !isTestFile(path) || namesFile(task, path)) return false;
    return !gone.some((stem) => stem !== "" && (before ?? "").includes(stem)) && !isStricter(change) && !isAskedFor(change, task);
  });
}

function removedLines({ before, after }: Change): readonly string[] {
  return addedLines({ before: after, after: before }).map(({ text }) => text);
}

/** Nothing came, and what went were skips. */
function isStricter(change: Change): boolean {
  const removed = removedLines(change);
  return (
    change.kind === "changed" && addedLines(change).length === 0 && removed.length > 0 && removed.every((text) => leavesOut(text) !== null)
  );
}

/** Each value that stands in the new lines and not in the old ones stands in the task too, and there is one. */
function isAskedFor(change: Change, task: TaskWords): boolean {
  const old = new Set(removedLines(change).flatMap(valuesIn));
  const fresh = addedLines(change)
    .flatMap(({ text }) => valuesIn(text))
    .filter((value) => !old.has(value));
  const words = wordsOf(task);
  return change.kind === "changed" && fresh.length > 0 && fresh.every((value) => words.includes(value));
}

/** Numbers of two digits and more, and texts. */
function valuesIn(text: string): readonly string[] {
  const numbers = (text.match(/(?<![\w.])-?\d[\d_]*(?:\.\d+)?/g) ?? [])
    .map((number) => number.replaceAll("_", ""))
    .filter((number) => number.length > 1);
  return [...numbers, ...[...text.matchAll(/(["'`])((?:(?!\1).)+)\1/g)].map(([, , value = ""]) => value)];
}
