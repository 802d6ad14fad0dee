/** The files that tests are about, with hollow functions: what a test does not notice when they are in place, it does not test. */
import type { Change } from "../../core/integrity/change.ts";
import { resolveImport } from "../../core/integrity/module-paths.ts";
import { isTestFile } from "../../core/integrity/test-files.ts";
import type { RunContext } from "../context.ts";
import { readTreeText } from "./tree-texts.ts";

const maxBytes = 1024 * 1024;
/** A test that is about more than that is about none. */
const mostSubjects = 50;

interface Claimed {
  readonly changes: readonly Change[];
  readonly paths: readonly string[];
}

/** By path. Those of the imported files that the claim changed; where it changed none of them, all that are imported; where none is, what it changed. */
export async function hollowSubjects(
  context: RunContext,
  { changes, paths }: Claimed,
  tests: readonly Change[],
): Promise<ReadonlyMap<string, string>> {
  const imported = await importedBy(
    context,
    paths,
    tests.map(({ path }) => path),
  );
  const changed = changes.filter(({ path, kind }) => kind !== "removed" && !isTestFile(path)).map(({ path }) => path);
  const both = imported.filter((path) => changed.includes(path));
  const subjects = both.length > 0 ? both : imported.length > 0 ? imported : changed;
  const hollow = new Map<string, string>();
  for (const path of subjects.slice(0, mostSubjects)) {
    const text = await readTreeText(context, path, maxBytes);
    const emptied = text === null ? null : context.ports.syntax.hollow(path, text);
    if (emptied !== null) hollow.set(path, emptied);
  }
  return hollow;
}

/** Through the tests' own helpers, which are no subject. */
async function importedBy(context: RunContext, paths: readonly string[], tests: readonly string[]): Promise<readonly string[]> {
  const known = new Set(paths);
  const subjects = new Set<string>();
  const seen = new Set<string>();
  const waiting = [...tests];
  for (let path = waiting.pop(); path !== undefined && seen.size < mostSubjects; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const text = await readTreeText(context, path, maxBytes);
    const reading = text === null ? null : context.ports.syntax.read(path, text);
    if (reading?.kind !== "facts") continue;
    for (const { module } of reading.facts.imports) {
      const found = resolveImport(path, module, known);
      if (found === null) continue;
      if (isTestFile(found)) waiting.push(found);
      else subjects.add(found);
    }
  }
  return [...subjects];
}
