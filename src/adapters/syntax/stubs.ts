/** Functions that only throw that they are not there yet. */
import { around, childOf, partsOf, textOf } from "./nodes.ts";
import type { Node, Source } from "./tree.ts";

const excuse =
  /not[ _-]?(?:yet[ _-]?)?(?:been[ _-]?)?(?:implemented|written|done|supported yet)|unimplemented|to be (?:implemented|written|done)|\b(?:TODO|FIXME)\b|n[ãa]o implementad|por (?:implementar|fazer)/i;

function isStubBody(source: Source, body: Node): boolean {
  if (body.name !== "Block" && body.name !== "Body") return false;
  const statements = partsOf(body).filter((one) => !isText(one));
  const [first] = statements;
  return (
    first !== undefined && statements.length === 1 && /^(Throw|Raise)Statement$/.test(first.name) && excuse.test(textOf(source, first))
  );
}

/**
 * @param node  the function; @param body  its own.
 * A method counts where nothing of the file stands below its class, and it below nothing: who leaves a method to others has others.
 */
export function stubOf(source: Source, node: Node, body: Node): { readonly owner: string | null } | null {
  if (!isStubBody(source, body)) return null;
  const outer = [...around(node)].find(({ name }) => /^(Class|Function|Arrow|Method|Property|Object)/.test(name));
  if (outer === undefined || !/^(Class|Property|Object)/.test(outer.name)) return { owner: null };
  const owner = /^Class(Definition|Body|Declaration)$/.test(outer.name)
    ? [outer, ...around(outer)].find(({ name }) => name !== "ClassBody")
    : undefined;
  const name = childOf(owner, "VariableDefinition", "VariableName");
  if (owner === undefined || name === null || childOf(owner, "extends", "ArgList") !== null) return null;
  const heir = new RegExp(`(?:extends|class\\s+\\w+\\s*\\([^)]*)\\s*\\b${textOf(source, name)}\\b`);
  return heir.test(source.text) ? null : { owner: textOf(source, name) };
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
