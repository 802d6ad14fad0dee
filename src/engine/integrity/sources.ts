/** The changed source files of a claim, read by their syntax, for core's rules. */
import type { Evidence } from "../../core/evidence.ts";
import { addedLines, type Change, namesFile, wordsOf } from "../../core/integrity/change.ts";
import { isCheckFile } from "../../core/integrity/checks.ts";
import type { Finding } from "../../core/integrity/finding.ts";
import type { ChangedSource, SourceState } from "../../core/integrity/source-change.ts";
import { asksOfTree, judgeSources } from "../../core/integrity/source-rules.ts";
import { isTestFile } from "../../core/integrity/test-files.ts";
import type { CountedTests } from "../../core/integrity/twin-tests.ts";
import type { Task } from "../../core/task.ts";
import type { RunContext } from "../context.ts";
import { isSource, readSourceTree } from "./tree-texts.ts";

interface Claimed {
  readonly task: Task;
  readonly changes: readonly Change[];
  /** All files at HEAD. */
  readonly paths: readonly string[];
  /** What the criteria run. */
  readonly reach: ReadonlySet<string>;
  readonly evidence: readonly Evidence[];
}

export async function examineSources(context: RunContext, { task, changes, paths, reach, evidence }: Claimed): Promise<readonly Finding[]> {
  const files = changes.filter(isSource).map((change) => readChanged(context, change));
  const words = wordsOf(task);
  const expects = (path: string) => isTestFile(path) || (reach.has(path) && isCheckFile(path));
  const asked = asksOfTree(files, words);
  const all = await readSourceTree(context, asked.uses || asked.product ? paths : asked.literals ? paths.filter(expects) : []);
  return judgeSources({
    files,
    named: new Set(changes.filter(({ path }) => namesFile(task, path)).map(({ path }) => path)),
    taskText: [task.title, task.objective, ...task.criteria.map(({ text }) => text), ...task.context].join("\n"),
    words,
    counted: countedTests(task, evidence),
    asksForCoverage: task.criteria.some(({ kind }) => kind === "coverage"),
    testLiterals: new Set([...all.facts].flatMap(([path, { literals }]) => (expects(path) ? [...literals] : []))),
    uses:
      asked.uses && all.isWhole
        ? { imports: new Map([...all.facts].map(([path, { imports }]) => [path, imports.map(({ module }) => module)])), texts: all.texts }
        : null,
    product: asked.product
      ? {
          product: new Map([...all.facts].filter(([path]) => !isTestFile(path))),
          isWhole: all.isWhole && !paths.some((path) => unread.test(path)),
        }
      : null,
  });
}

/** Languages that are not read, and that call functions of those that are. */
const unread = /\.(vue|svelte|astro|html?|ejs|hbs|pug|php|erb|mdx|jinja2?|j2)$/;

function countedTests({ criteria }: Task, evidence: readonly Evidence[]): readonly CountedTests[] {
  return criteria.flatMap((one) => {
    if (one.kind !== "tests") return [];
    const figures = evidence.find(({ criterion }) => criterion === one.text)?.figures;
    const { text, passedAtLeast, newAtLeast } = one;
    return [{ criterion: text, passed: figures?.["passed"] ?? null, fresh: figures?.["new"] ?? null, passedAtLeast, newAtLeast }];
  });
}

function readChanged({ ports }: RunContext, change: Change): ChangedSource {
  const { path, kind, before, after } = change;
  const read = (text: string | null): SourceState => (text === null ? { kind: "unknown" } : ports.syntax.read(path, text));
  const earlier = read(before);
  return { path, kind, before: earlier.kind === "facts" ? earlier.facts : null, after: read(after), addedLines: addedLines(change) };
}
