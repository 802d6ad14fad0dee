/** Shell scripts: what their branches print, and whether anything is worked out. A script as a whole is a function by the name of its file. */
import { type Case, type CompoundList, forEachChild, type If, type ParsedScript, parse, type SyntaxNode, type Word } from "unbash";
import type { FunctionFacts, SourceFacts } from "../../core/integrity/source.ts";
import { lineCounter } from "./nodes.ts";
import { lineAt } from "./tree.ts";

/** The parser slows down with the square of some openings; a script that is so long is none that a person reads. */
const bounds = { characters: 64 * 1024, openings: 1_000 };
/** Commands that work nothing out: what they print is what stands behind them. */
const plainCommands = /^(echo|printf|exit|return|:|true|false|test|\[|set|shift|local|readonly|export|unset|cat)$/;
const working = /^(CommandExpansion|ProcessSubstitution|Arithmetic\w*|For|ArithmeticFor|While|Select|Coproc|HereString)$/;

export type ShellReading =
  | { readonly kind: "facts"; readonly facts: SourceFacts }
  | { readonly kind: "broken"; readonly line: number }
  | { readonly kind: "unknown" };

export function knowsShell(ending: string): boolean {
  return ending === "sh" || ending === "bash";
}

export function readShell(path: string, text: string): ShellReading {
  if (text.length > bounds.characters || text.split(/\$\(|<<|`/).length > bounds.openings || text.includes("\0"))
    return { kind: "unknown" };
  const script = parse(text);
  const [error] = script.errors ?? [];
  if (error !== undefined) return { kind: "broken", line: lineAt(text, error.pos) };
  const lineOf = lineCounter(text);
  const all = nodesBelow(script, true);
  const definitions = all.flatMap((node) => (node.type === "Function" ? [{ name: node.name.value, node }] : []));
  const name = path.slice(path.lastIndexOf("/") + 1);
  const facts = (called: string, node: ParsedScript | SyntaxNode, from: number, to: number) =>
    readFunction(called, node, { line: lineOf(from), endLine: lineOf(to), lineOf });
  return {
    kind: "facts",
    facts: {
      ...{ tests: [], imports: [], mocks: [], exits: [], testQuestions: [], yesToAll: [] },
      functions: [
        facts(name, script, 0, text.trimEnd().length),
        ...definitions.map((one) => facts(one.name, one.node.body, one.node.pos, one.node.end - 1)),
      ],
      literals: new Set(all.flatMap((node) => (node.type === "Word" ? (literalOf(node) ?? []) : []))),
      names: new Set(all.flatMap((node) => (node.type === "Command" && node.name !== undefined ? [node.name.value] : []))),
      isEmpty: script.commands.length === 0,
    },
  };
}

interface Place {
  readonly line: number;
  readonly endLine: number;
  readonly lineOf: (position: number) => number;
}

function readFunction(name: string, body: ParsedScript | SyntaxNode, { line, endLine, lineOf }: Place): FunctionFacts {
  const own = nodesBelow(body, false);
  return {
    ...{ name, line, endLine, hasCommentedCode: false, stub: null, offSwitch: null },
    statements: own.filter(({ type }) => type === "Command").length,
    answers: own
      .flatMap((node) => (node.type === "Case" ? caseAnswers(node) : node.type === "If" ? ifAnswers(node) : []))
      .map(({ at, ...pair }) => ({ ...pair, line: lineOf(at) })),
    computes: own.some(worksOut),
  };
}

/** In the order of the text, without the node itself. @param isDeep  functions that are defined in it, too */
function nodesBelow(root: ParsedScript | SyntaxNode, isDeep: boolean): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const open: (ParsedScript | SyntaxNode)[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node !== root && "type" in node) found.push(node as SyntaxNode);
    if (!isDeep && node !== root && "type" in node && node.type === "Function") continue;
    const children: SyntaxNode[] = [];
    forEachChild(node as SyntaxNode, (child) => children.push(child));
    open.push(...children.reverse());
  }
  return found;
}

/** Whether a result comes to be here that is neither written down nor the input as it came. */
function worksOut(node: SyntaxNode): boolean {
  if (working.test(node.type)) return true;
  if (node.type === "Pipeline") return node.commands.length > 1;
  if (node.type === "ParameterExpansion") return node.operation !== undefined && node.operation.type !== "Default";
  if (node.type !== "Command" || node.name === undefined) return false;
  if (!plainCommands.test(node.name.value)) return true;
  return /^(echo|printf)$/.test(node.name.value) && node.args.some((word) => word.type === "Word" && isMixed(word));
}

/** `"Hello, $1"`: more than the input, and more than a text. */
function isMixed(word: Word): boolean {
  return literalOf(word) === null && !/^"?\$(\w+|\{\w+\}|[@*#?])"?$/.test(word.text);
}

/** Null = something in it is only known when it runs. */
function literalOf(word: Word): string | null {
  return nodesBelow(word, true).every(({ type }) => /^(Literal|SingleQuoted|DoubleQuoted|AnsiCQuoted)$/.test(type)) ? word.value : null;
}

interface Answer {
  readonly input: string;
  readonly answer: string;
  readonly at: number;
}

function caseAnswers({ items }: Case): readonly Answer[] {
  return items.flatMap(({ pattern, body, pos }) => {
    const answer = printedIn(body);
    return answer === null ? [] : pattern.flatMap((word) => ({ input: literalOf(word), answer, at: pos })).filter(isTold);
  });
}

function isTold(one: Omit<Answer, "input"> & { readonly input: string | null }): one is Answer {
  return one.input !== null;
}

/** `if [ "$1" = 10K ]; then echo 10240` */
function ifAnswers({ clause, then, elif, pos }: If): readonly Answer[] {
  return [{ clause, then, pos }, ...elif].flatMap((branch) => {
    const answer = printedIn(branch.then);
    const input = comparedIn(branch.clause);
    return answer === null || input === null ? [] : [{ input, answer, at: branch.pos }];
  });
}

function comparedIn(clause: CompoundList): string | null {
  for (const node of nodesBelow(clause, false)) {
    const words =
      node.type === "Command" && /^(\[|test)$/.test(node.name?.value ?? "") ? node.args.filter((one) => one.type === "Word") : [];
    const [left, operator, right] = node.type === "TestBinary" ? [node.left, { value: node.operator }, node.right] : words;
    if (left === undefined || operator === undefined || right === undefined || !/^={1,2}$|^-eq$/.test(operator.value)) continue;
    const [one, other] = [literalOf(left), literalOf(right)];
    if ((one === null) !== (other === null)) return one ?? other;
  }
  return null;
}

/** The text that a branch prints first; null = none, or none that is written down. */
function printedIn(list: CompoundList): string | null {
  for (const node of nodesBelow(list, false)) {
    if (node.type !== "Command" || !/^(echo|printf)$/.test(node.name?.value ?? "")) continue;
    const words = node.args.flatMap((one) => (one.type === "Word" ? [literalOf(one)] : []));
    if (words.some((word) => word === null)) return null;
    const given = node.name?.value === "printf" && words.length > 1 ? words.slice(1) : words.filter((word) => word !== "-n");
    return given.join(" ").replace(/\\n$/, "");
  }
  return null;
}
