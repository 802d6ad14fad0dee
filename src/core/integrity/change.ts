/** What a claim changed, and how far the task speaks of it. */
import type { Criterion } from "../criteria/criterion.ts";

export interface Change {
  readonly path: string;
  readonly kind: "added" | "changed" | "removed";
  /** Null = there was none, or it is no text that we read. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface AddedLine {
  /** From 1, at HEAD. */
  readonly line: number;
  readonly text: string;
}

/** Lines that the text before does not have as often, by their words: a line that was moved or indented is none. */
export function addedLines({ before, after }: Pick<Change, "before" | "after">): readonly AddedLine[] {
  const left = new Map<string, number>();
  for (const line of (before ?? "").split("\n")) left.set(line.trim(), (left.get(line.trim()) ?? 0) + 1);
  return (after ?? "").split("\n").flatMap((text, index) => {
    const words = text.trim();
    const count = left.get(words) ?? 0;
    if (count > 0) left.set(words, count - 1);
    return count > 0 || words === "" ? [] : [{ line: index + 1, text }];
  });
}

/** The words of a task in which it may name files. */
export interface TaskWords {
  readonly title: string;
  readonly objective: string;
  readonly criteria: readonly Pick<Criterion, "kind" | "text">[];
  readonly context: readonly string[];
}

/** What it says itself, without what is measured. */
export function wordsOf({ title, objective }: Pick<TaskWords, "title" | "objective">): string {
  return `${title}\n${objective}`;
}

/** That a command names a file says which one is run, not that it may be bent. */
const runs: ReadonlySet<Criterion["kind"]> = new Set(["command", "tests", "lint", "http", "coverage"]);

/** Whether the task names the file, by its path or by the end of it. What a task names may be changed. */
export function namesFile(task: TaskWords, path: string): boolean {
  const told = task.criteria.filter(({ kind }) => !runs.has(kind)).map(({ text }) => text);
  const words = [task.title, task.objective, ...told, ...task.context].join("\n");
  const name = path.slice(path.lastIndexOf("/") + 1);
  return [...words.matchAll(/[\w@%+.~/-]+/g)].some(([word]) => {
    const plain = word.replace(/^\.\//, "").replace(/[./]+$/, "");
    return plain === path || plain === name || (plain.includes("/") && (path.endsWith(`/${plain}`) || path.startsWith(`${plain}/`)));
  });
}

/** @param name  of a function, or another name of code */
export function isWord(name: string, words: string): boolean {
  return words.split(/[^\w$]+/).includes(name);
}

/** Lines that are no comment as a whole. */
export function uncommented(lines: readonly AddedLine[], path: string): readonly AddedLine[] {
  const comment = /\.(py|sh|bash|rb|toml|ya?ml|cfg|ini)$|^[^.]+$/.test(path) ? /^\s*#/ : /^\s*(?:\/\/|\/?\*)/;
  return lines.filter(({ text }) => !comment.test(text) || /#\[ignore/.test(text));
}

/** A line for people. */
export function shown(text: string): string {
  return text.trim().slice(0, 120);
}
