/** Texts of the tree's files as a claim left them, and what their syntax says. */
import type { ReadText } from "../../core/integrity/reach.ts";
import type { SourceFacts } from "../../core/integrity/source.ts";
import { isTestFile } from "../../core/integrity/test-files.ts";
import { type RunContext, treePath } from "../context.ts";

const maxBytes = 256 * 1024;
/** Of a larger tree only so many are read. */
const mostRead = 300;
const mostScripts = 200;
const source = /\.([cm]?[jt]sx?|pyi?|sh|bash)$/;
const naming = /(^|\/)(package\.json|[Mm]akefile|[Jj]ustfile|README[^/]*|[^/]+\.(sh|ya?ml|toml|md|html))$/;
const leadsOn = /(^|\/)(package\.json|GNUmakefile|[Mm]akefile|[Jj]ustfile|[^/.]+|[^/]+\.(sh|bash))$/;

/** Null = there is none of at most so many bytes. */
export async function readTreeText(context: RunContext, path: string, most = maxBytes): Promise<string | null> {
  const read = await context.ports.files.readText(treePath(context, path), most);
  return read.kind === "text" ? read.text : null;
}

/** Of the files by which commands lead to other commands. */
export async function readScripts(context: RunContext, paths: readonly string[]): Promise<ReadText> {
  const scripts = paths.filter((path) => leadsOn.test(path)).slice(0, mostScripts);
  const texts = new Map(await Promise.all(scripts.map(async (path) => [path, await readTreeText(context, path)] as const)));
  return (path) => texts.get(path) ?? null;
}

export function isSource({ path }: { readonly path: string }): boolean {
  return source.test(path);
}

export interface SourceTree {
  readonly facts: ReadonlyMap<string, SourceFacts>;
  readonly texts: readonly string[];
  /** False = there is more than was read. */
  readonly isWhole: boolean;
}

/** Facts of the source files among these, and the texts that name files. */
export async function readSourceTree(context: RunContext, paths: readonly string[]): Promise<SourceTree> {
  // Tests first: what they expect matters more than who imports whom.
  const sources = paths.filter((path) => source.test(path)).sort((one, other) => Number(isTestFile(other)) - Number(isTestFile(one)));
  const facts = new Map<string, SourceFacts>();
  for (const path of sources.slice(0, mostRead)) {
    const text = await readTreeText(context, path);
    const reading = text === null ? null : context.ports.syntax.read(path, text);
    if (reading?.kind === "facts") facts.set(path, reading.facts);
    await context.ports.clock.nextTurn(); // reading is work: agents' calls pass through this process, too
  }
  const named = paths.filter((path) => naming.test(path));
  const words = await Promise.all(named.slice(0, mostRead).map((path) => readTreeText(context, path)));
  return { facts, texts: words.filter((text) => text !== null), isWhole: sources.length <= mostRead && named.length <= mostRead };
}
