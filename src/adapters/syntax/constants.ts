/** What a person can work out from the text alone: literals, arithmetic of them, and comparisons that can only come out one way. */
import { childOf, flatText, partsOf, textOf } from "./nodes.ts";
import type { Node, Source } from "./tree.ts";

const plain = /^(Number|String|BooleanLiteral|Boolean|null|None|RegExp|Ellipsis)$/;
const gathered = /^(ArrayExpression|TupleExpression|ObjectExpression|DictionaryExpression|SetExpression|Property|ContinuedString)$/;
const opposites: Readonly<Record<string, string>> = { "===": "!==", "==": "!=", "<": ">=", ">": "<=" };

export interface ConstantReader {
  readonly source: Source;
  /** Names that stand for a constant where we read. */
  readonly names: ReadonlySet<string>;
}

export function isConstant(reader: ConstantReader, node: Node): boolean {
  if (plain.test(node.name)) return true;
  const parts = partsOf(node);
  switch (node.name) {
    case "VariableName":
      return /^(undefined|NaN|Infinity)$/.test(textOf(reader.source, node)) || reader.names.has(textOf(reader.source, node));
    case "TemplateString":
    case "FormatString":
      return parts.every((part) => partsOf(part).every((inner) => /^Interpolation/.test(inner.name) || isConstant(reader, inner)));
    case "ParenthesizedExpression":
    case "UnaryExpression":
      return parts.filter(({ name }) => !isOperator(name)).every((part) => isConstant(reader, part));
    case "BinaryExpression":
      return isSettled(reader, parts);
    case "ArrowFunction":
      return isEmptyFunction(reader, node);
    default:
      return gathered.test(node.name) && parts.every((part) => part.name === "PropertyDefinition" || isConstant(reader, part));
  }
}

function isOperator(name: string): boolean {
  return /Op$/.test(name) || ["not", "typeof", "void", "in", "is", "and", "or", "instanceof"].includes(name);
}

/** A binary expression of which the outcome is settled. */
function isSettled(reader: ConstantReader, parts: readonly Node[]): boolean {
  const [left, right] = [parts[0], parts.at(-1)];
  const operator = parts
    .slice(1, -1)
    .map((part) => textOf(reader.source, part))
    .join(" ");
  if (left === undefined || right === undefined || /^(as|satisfies)$/.test(operator)) return left !== undefined && isConstant(reader, left);
  if (isConstant(reader, left) && isConstant(reader, right)) return true;
  if (/^(\|\||or)$/.test(operator))
    return isAlways(reader, left, true) || isAlways(reader, right, true) || areOpposite(reader, left, right);
  if (/^(&&|and)$/.test(operator)) return isAlways(reader, left, false) || isAlways(reader, right, false);
  if (/^(===?|!==?|<=|>=|is|is not)$/.test(operator) && isSameValue(reader.source, left, right)) return true;
  return operator === ">=" && /(\.length|\.size|^len\(.*\))$/.test(flatText(reader.source, left)) && textOf(reader.source, right) === "0";
}

function isAlways(reader: ConstantReader, node: Node, value: boolean): boolean {
  const inner = stripped(node);
  if (/^Boolean/.test(inner.name)) return textOf(reader.source, inner).toLowerCase() === String(value);
  if (value && /^(Number|String)$/.test(inner.name)) return !/^(0|''|"")$/.test(textOf(reader.source, inner));
  return inner.name === "BinaryExpression" && isConstant(reader, inner) && value;
}

function areOpposite(reader: ConstantReader, left: Node, right: Node): boolean {
  const [one, other] = [stripped(left), stripped(right)].map((side) => side.name === "BinaryExpression" && partsOf(side));
  if (!one || !other || one.length !== 3 || other.length !== 3) return false;
  const texts = (parts: readonly Node[]) => parts.map((part) => flatText(reader.source, part)) as [string, string, string];
  const [a, first, b] = texts(one);
  const [c, second, d] = texts(other);
  return a === c && b === d && (opposites[first] === second || opposites[second] === first);
}

export function stripped(node: Node): Node {
  const [inner] = partsOf(node);
  return node.name === "ParenthesizedExpression" && inner !== undefined ? stripped(inner) : node;
}

/** The same text on both sides, where no call could answer otherwise the second time. */
export function isSameValue(source: Source, left: Node, right: Node): boolean {
  return flatText(source, left) === flatText(source, right) && !/[(`]/.test(textOf(source, left));
}

function isEmptyFunction(reader: ConstantReader, node: Node): boolean {
  const body = node.children.at(-1);
  if (body === undefined || body.name === "ArrowFunction") return false;
  return body.name === "Block" ? partsOf(body).length === 0 : isConstant(reader, body);
}

/** A literal as a value that tests and code can be compared by: texts without quotes, numbers as they count. Null = it is none. */
export function literalOf(source: Source, node: Node): string | null {
  const inner = stripped(node);
  const text = textOf(source, inner);
  switch (inner.name) {
    case "Number": {
      const value = Number(text.replaceAll("_", ""));
      return Number.isNaN(value) ? text : String(value);
    }
    case "String":
      return unquoted(text);
    case "TemplateString":
      return childOf(inner, "Interpolation") === null ? text.slice(1, -1) : null;
    case "UnaryExpression": {
      const [sign, value] = partsOf(inner);
      const number = value?.name === "Number" && sign !== undefined && textOf(source, sign) === "-" ? literalOf(source, value) : null;
      return number === null ? null : `-${number}`;
    }
    case "BooleanLiteral":
    case "Boolean":
    case "null":
    case "None":
      return text;
    case "ArrayExpression":
    case "TupleExpression":
    case "ObjectExpression":
    case "DictionaryExpression":
      return isConstant({ source, names: new Set() }, inner) && text.length <= 400 ? text.replace(/\s+/g, "").replaceAll("'", '"') : null;
    default:
      return null;
  }
}

function unquoted(text: string): string {
  const match = /^[A-Za-z]*("""|'''|"|')([\s\S]*)\1$/.exec(text);
  return (match?.[2] ?? text)
    .replace(/\\(["'\\])/g, "$1")
    .replaceAll("\\n", "\n")
    .replaceAll("\\t", "\t");
}

/** Every literal of the file. */
export function literalsOf(source: Source, nodes: Iterable<Node>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const node of nodes) {
    const literal = literalOf(source, node);
    if (literal !== null) found.add(literal);
  }
  return found;
}
