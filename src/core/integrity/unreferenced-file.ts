/** A new source file that nothing uses: perhaps work that was never joined to the rest. Only a remark, since names can be made while a program runs. */
import { type Finding, remark } from "./finding.ts";
import { stemOf } from "./module-paths.ts";
import type { ReadSource } from "./source-change.ts";
import { isTestFile } from "./test-files.ts";

export interface Uses {
  /** Modules that the files of the repository ask for, as they are written, by path. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  /** Texts that may name a file: settings, scripts, Makefiles, criteria. */
  readonly texts: readonly string[];
}

/** Files that are found by their name or place. */
const entries =
  /(^|\/)(index|main|__main__|__init__|cli|app|server|setup|conftest|manage|wsgi|asgi|vite-env\.d|page|layout|route|loading|error)\.[^/]+$|\.config\.[^/]+$|\.d\.ts$|\.(sh|bash)$|\.(stories|story)\.|(^|\/)(bin|scripts|migrations|pages|routes|examples|benchmarks?|bench|tools)\//;

export function judgeUses(sources: readonly ReadSource[], { imports, texts }: Uses): readonly Finding[] {
  return sources
    .filter(({ path, isNew, after }) => isNew && !isTestFile(path) && after.tests.length === 0 && !entries.test(path))
    .filter(({ path }) => !isUsed(path, imports) && !texts.some((text) => text.includes(path.split("/").pop() ?? path)))
    .map(({ path }) => remark("unreferenced-file", path, null, "nothing imports, names or runs this new file"));
}

/** By its bare name: two modules of one name are told apart by nobody here. */
function isUsed(path: string, imports: Uses["imports"]): boolean {
  const stem = stemOf(path);
  for (const [from, modules] of imports) {
    if (from === path) continue;
    if (modules.some((module) => stemOf(module) === stem || module.split(".").includes(stem))) return true;
  }
  return false;
}
