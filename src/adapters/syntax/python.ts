/** Python. */
import type { SourceFacts } from "../../core/integrity/source.ts";
import { literalsOf } from "./constants.ts";
import { readYesToAll } from "./equalities.ts";
import { namesOf } from "./names.ts";
import { lineCounter, walk } from "./nodes.ts";
import { readFunctions } from "./python-functions.ts";
import { readMocks } from "./python-mocks.ts";
import { readExits, readImports, readTestQuestions } from "./python-modules.ts";
import { readTests } from "./python-tests.ts";
import { isEmptyFile } from "./stubs.ts";
import type { Node, Source } from "./tree.ts";

/** What the readers of one file share. */
export interface Module {
  readonly path: string;
  readonly source: Source;
  /** Every node, in the order of the text. */
  readonly nodes: readonly Node[];
  readonly comments: readonly Node[];
  readonly lineOf: (position: number) => number;
}

export function knowsPython(ending: string): boolean {
  return ending === "py" || ending === "pyi";
}

export function readPython(path: string, source: Source): SourceFacts {
  const nodes = [...walk(source.root)];
  const comments = nodes.filter(({ name }) => name === "Comment");
  const module: Module = { path, source, nodes, comments, lineOf: lineCounter(source.text) };
  return {
    tests: readTests(module),
    functions: readFunctions(module),
    imports: readImports(module),
    mocks: readMocks(module),
    exits: readExits(module),
    testQuestions: readTestQuestions(module),
    literals: literalsOf(source, nodes),
    names: namesOf(source, nodes),
    yesToAll: readYesToAll(module),
    isEmpty: isEmptyFile(source.root),
  };
}
