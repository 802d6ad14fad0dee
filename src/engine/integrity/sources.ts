/** The changed source files of a claim, read by their syntax, for core's rules. */
import { addedLines, type Change, namesFile } from "../../core/integrity/change.ts";
import type { Finding } from "../../core/integrity/finding.ts";
import type { ChangedSource, SourceState } from "../../core/integrity/source-change.ts";
import { asksOfTree, judgeSources } from "../../core/integrity/source-rules.ts";
import { isTestFile } from "../../core/integrity/test-files.ts";
import type { Task } from "../../core/task.ts";
import type { RunContext } from "../context.ts";
import { isSource, readSourceTree } from "./tree-texts.ts";

interface Claimed {
  readonly task: Task;
  readonly changes: readonly Change[];
  /** All files at HEAD. */
  readonly paths: readonly string[];
}

export async function examineSources(context: RunContext, { task, changes, paths }: Claimed): Promise<readonly Finding[]> {
  const files = changes.filter(isSource).map((change) => readChanged(context, change));
  if (files.length === 0) return [];
  const asked = asksOfTree(files);
  const all = await readSourceTree(context, asked.uses ? paths : asked.literals ? paths.filter(isTestFile) : []);
  return judgeSources({
    files,
    named: new Set(changes.filter(({ path }) => namesFile(task, path)).map(({ path }) => path)),
    taskText: [task.title, task.objective, ...task.criteria.map(({ text }) => text), ...task.context].join("\n"),
    asksForCoverage: task.criteria.some(({ kind }) => kind === "coverage"),
    testLiterals: new Set([...all.facts].flatMap(([path, { literals }]) => (isTestFile(path) ? [...literals] : []))),
    uses:
      asked.uses && all.isWhole
        ? { imports: new Map([...all.facts].map(([path, { imports }]) => [path, imports.map(({ module }) => module)])), texts: all.texts }
        : null,
  });
}

function readChanged({ ports }: RunContext, change: Change): ChangedSource {
  const { path, kind, before, after } = change;
  const read = (text: string | null): SourceState => (text === null ? { kind: "unknown" } : ports.syntax.read(path, text));
  const earlier = read(before);
  return { path, kind, before: earlier.kind === "facts" ? earlier.facts : null, after: read(after), addedLines: addedLines(change) };
}
