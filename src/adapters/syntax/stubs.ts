/** Functions that only throw that they are not there yet. */
import { partsOf, textOf } from "./nodes.ts";
import type { Node, Source } from "./tree.ts";

const excuse =
  /not[ _-]?(?:yet[ _-]?)?(?:been[ _-]?)?(?:implemented|written|done|supported yet)|unimplemented|to be (?:implemented|written|done)|\b(?:TODO|FIXME)\b|n[ãa]o implementad|por (?:implementar|fazer)/i;

/** @param body  of a function that is no method */
export function isStubBody(source: Source, body: Node): boolean {
  if (body.name !== "Block" && body.name !== "Body") return false;
  const statements = partsOf(body).filter((one) => !isText(one));
  const [first] = statements;
  return (
    first !== undefined && statements.length === 1 && /^(Throw|Raise)Statement$/.test(first.name) && excuse.test(textOf(source, first))
  );
}

/** A text that stands alone, such as a docstring. */
function isText(node: Node): boolean {
  const [value, second] = partsOf(node);
  return node.name === "ExpressionStatement" && second === undefined && /^(String|ContinuedString)$/.test(value?.name ?? "");
}

/** Whether a file has nothing but comments and texts. */
export function isEmptyFile(root: Node): boolean {
  return partsOf(root).every((one) => isText(one) || one.name === "PassStatement" || one.name === "EmptyStatement");
}
