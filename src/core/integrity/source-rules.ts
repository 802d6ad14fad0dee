/** The rules that read syntax: docs/spec/criteria.md, "The rules", B. In doubt they say nothing, or leave a remark. */
import { judgeCode } from "./code-rules.ts";
import { type Finding, refuse, remark } from "./finding.ts";
import { asksForProduct, judgePromises, type Promised } from "./promised.ts";
import { type ChangedSource, readSources } from "./source-change.ts";
import { judgeMocks } from "./subject-mocked.ts";
import { judgeExits } from "./test-exits.ts";
import { judgeTests } from "./test-rules.ts";
import { type CountedTests, judgeTwins } from "./twin-tests.ts";
import { judgeUnfinished } from "./unfinished.ts";
import { judgeUses, type Uses } from "./unreferenced-file.ts";

export interface SourcesInput {
  /** What the claim changed, without bookkeeping: one entry a path. */
  readonly files: readonly ChangedSource[];
  /** Paths that the task names, from the top of the repository. */
  readonly named: ReadonlySet<string>;
  /** Title, objective, criteria and context of the task. */
  readonly taskText: string;
  /** Title and objective alone. */
  readonly words: string;
  readonly counted: readonly CountedTests[];
  /** The task has a `coverage:` criterion. */
  readonly asksForCoverage: boolean;
  /** Literals of every test file at HEAD, changed or not, and of the scripts that check. */
  readonly testLiterals: ReadonlySet<string>;
  /** Null = nobody looked: no file is called unreferenced. */
  readonly uses: Uses | null;
  /** What is at HEAD and is no test, by path; null = nobody asked for it. */
  readonly product: Pick<Promised, "product" | "isWhole"> | null;
}

/** What the rules want to know of the rest of the tree: reading it is work. */
export function asksOfTree(
  files: readonly ChangedSource[],
  words: string,
): { readonly literals: boolean; readonly uses: boolean; readonly product: boolean } {
  const sources = readSources(files);
  return {
    product: asksForProduct(files, words),
    literals: sources.some(({ after }) => after.functions.some(({ answers }) => answers.length > 0)),
    uses: sources.some(({ isNew }) => isNew),
  };
}

export function judgeSources(input: SourcesInput): readonly Finding[] {
  const sources = readSources(input.files);
  const paths = input.files.map(({ path }) => path);
  return [
    ...input.files.flatMap(judgeReading),
    ...judgeTests({ sources, named: input.named }),
    ...judgeMocks(sources, paths),
    ...judgeCode({ sources, testLiterals: input.testLiterals, taskText: input.taskText }),
    ...judgeExits(sources),
    ...input.files.flatMap((file) => judgePragmas(file, input.asksForCoverage)),
    ...(input.uses === null ? [] : judgeUses(sources, input.uses)),
    ...judgeTwins(sources, input.counted),
    ...judgeUnfinished({ sources, named: input.named, words: input.words }),
    ...(input.product === null ? [] : judgePromises({ files: input.files, words: input.words, ...input.product })),
  ];
}

function judgeReading({ path, after }: ChangedSource): readonly Finding[] {
  return after.kind === "broken" ? [remark("unparsed", path, after.line, "this file could not be parsed, so no rule has read it")] : [];
}

/** In a comment: a text that speaks of pragmas is none. */
const pragma = /(\/\/|\/\*|#|<!--).*\b((istanbul|c8|v8|vitest|node:coverage)\s+(ignore|disable)|pragma:\s*no\s*(cover|branch))\b/i;
const prose = /\.(md|mdx|markdown|rst|txt|adoc|json|jsonc|ya?ml|toml|lock)$/i;

function judgePragmas({ path, addedLines }: ChangedSource, asksForCoverage: boolean): readonly Finding[] {
  if (prose.test(path)) return [];
  const make = asksForCoverage ? refuse : remark;
  return addedLines
    .filter(({ text }) => pragma.test(text))
    .map(({ line }) => make("coverage-pragma", path, line, "a comment takes this code out of the coverage"));
}
