/** The changed source files of a claim, read by their syntax, for core's rules. */
import { addedLines, type Change, namesFile } from "../../core/integrity/change.ts";
import type { Finding } from "../../core/integrity/finding.ts";
import type { SourceFacts } from "../../core/integrity/source.ts";
import type { ChangedSource, SourceState } from "../../core/integrity/source-change.ts";
import { judgeSources } from "../../core/integrity/source-rules.ts";
import { isTestFile } from "../../core/integrity/test-files.ts";
import type { Task } from "../../core/task.ts";
import { type RunContext, treePath } from "../context.ts";

const maxBytes = 256 * 1024;
/** Of a larger tree only so many are read for what tests expect and what files use. */
const mostRead = 300;
const source = /\.([cm]?[jt]sx?|pyi?)$/;
const texts = /(^|\/)(package\.json|[Mm]akefile|[Jj]ustfile|README[^/]*|[^/]+\.(sh|ya?ml|toml|md|html))$/;

interface Claimed {
  readonly task: Task;
  readonly changes: readonly Change[];
  /** All files at HEAD. */
  readonly paths: readonly string[];
}

export async function examineSources(context: RunContext, { task, changes, paths }: Claimed): Promise<readonly Finding[]> {
  const files = changes.filter(isSource).map((change) => readChanged(context, change));
  if (files.length === 0) return [];
  const all = await readTree(context, paths);
  return judgeSources({
    files,
    named: new Set(changes.filter(({ path }) => namesFile(task, path)).map(({ path }) => path)),
    taskText: [task.title, task.objective, ...task.criteria.map(({ text }) => text), ...task.context].join("\n"),
    asksForCoverage: task.criteria.some(({ kind }) => kind === "coverage"),
    testLiterals: new Set([...all.facts].flatMap(([path, { literals }]) => (isTestFile(path) ? [...literals] : []))),
    uses: all.isWhole
      ? { imports: new Map([...all.facts].map(([path, { imports }]) => [path, imports.map(({ module }) => module)])), texts: all.texts }
      : null,
  });
}

export function isSource({ path }: Pick<Change, "path">): boolean {
  return source.test(path);
}

function readChanged({ ports }: RunContext, change: Change): ChangedSource {
  const { path, kind, before, after } = change;
  const read = (text: string | null): SourceState => (text === null ? { kind: "unknown" } : ports.syntax.read(path, text));
  const earlier = read(before);
  return { path, kind, before: earlier.kind === "facts" ? earlier.facts : null, after: read(after), addedLines: addedLines(change) };
}

interface Tree {
  readonly facts: ReadonlyMap<string, SourceFacts>;
  readonly texts: readonly string[];
  /** False = there is more than was read. */
  readonly isWhole: boolean;
}

/** Facts of the source files among these, and the texts that name files. */
export async function readTree(context: RunContext, paths: readonly string[]): Promise<Tree> {
  // Tests first: what they expect matters more than who imports whom.
  const sources = paths.filter((path) => source.test(path)).sort((one, other) => Number(isTestFile(other)) - Number(isTestFile(one)));
  const facts = new Map<string, SourceFacts>();
  for (const path of sources.slice(0, mostRead)) {
    const text = await textOf(context, path);
    const reading = text === null ? null : context.ports.syntax.read(path, text);
    if (reading?.kind === "facts") facts.set(path, reading.facts);
    await context.ports.clock.nextTurn(); // reading is work: agents' calls pass through this process, too
  }
  const named = paths.filter((path) => texts.test(path));
  const words = await Promise.all(named.slice(0, mostRead).map((path) => textOf(context, path)));
  return { facts, texts: words.filter((text) => text !== null), isWhole: sources.length <= mostRead && named.length <= mostRead };
}

async function textOf(context: RunContext, path: string): Promise<string | null> {
  const read = await context.ports.files.readText(treePath(context, path), maxBytes);
  return read.kind === "text" ? read.text : null;
}
