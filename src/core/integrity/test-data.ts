/** Data that only tests read: whoever changes it changes the tests. */
import type { Change } from "./change.ts";
import { folderOf } from "./module-paths.ts";

const data = /\.(csv|tsv|json|jsonl|ndjson|ya?ml|txt|xml|toml|dat|log|html?|md|bin)$/i;

export interface Readers {
  /** Values that stand in tests. */
  readonly tests: ReadonlySet<string>;
  /** Values that stand in what is no test. */
  readonly product: ReadonlySet<string>;
  /** Settings, scripts, documents. */
  readonly texts: readonly string[];
}

/** Paths of changed data files. */
export function changedData(changes: readonly Change[]): readonly string[] {
  return changes.filter(({ path, kind }) => kind !== "added" && data.test(path)).map(({ path }) => path);
}

/** Those that a test names by their path, and that nothing else names, not even by their folder. */
export function dataOfTests(paths: readonly string[], { tests, product, texts }: Readers): ReadonlySet<string> {
  return new Set(
    paths.filter((path) => {
      const name = path.slice(path.lastIndexOf("/") + 1);
      const folder = folderOf(path).split("/").at(-1) ?? "";
      const names = (value: string) => value.split(/[\\/\s]+/).some((part) => part === name || (folder !== "" && part === folder));
      return (
        [...tests].some((value) => value.replace(/^(\.\.?\/)+/, "") === path || value === name) &&
        ![...product].some(names) &&
        !texts.some((text) => text.includes(name))
      );
    }),
  );
}
