/** Words of the grammar as words of our tree. Quotes are gone here: what they kept from being expanded is a literal, what they kept whole is marked. */
import type {
  CommandExpansionPart,
  Word as GrammarWord,
  ParameterExpansionPart,
  ParameterOperation,
  ParsedScript,
  WordPart as SourcePart,
  SyntaxNode,
} from "unbash";
import type { Script, VariableChange, Word, WordPart } from "../../core/guard/shell-tree.ts";
import { expandBraces } from "./braces.ts";

const mostBraces = 4;
const longestWord = 1_024;

/** What the conversion of words needs from that of commands. */
export interface Reader {
  /** Takes one node from those that may still be read; false when there is none left, and then the reading has failed. */
  take(): boolean;
  /** A script inside a word. */
  script(source: ParsedScript | undefined): Script;
  /** A text that stands for one word, after braces. */
  reparse(text: string): readonly GrammarWord[];
  /** Every word that hides in a node we do not model. */
  wordsIn(node: SyntaxNode): readonly Word[];
}

/** One word becomes several where it holds braces. */
export function readWords(word: GrammarWord, reader: Reader): readonly Word[] {
  if (!reader.take()) return [];
  const expanded = withoutBraces(word);
  if (expanded === null) return [readWord(word, reader)];
  return expanded.flatMap((text) => reader.reparse(text).flatMap((one) => readWords(one, reader)));
}

/** The word as it stands, braces unexpanded: assignments, targets, here-documents. */
export function readWord(word: Pick<GrammarWord, "parts" | "text" | "value">, reader: Reader): Word {
  return { parts: word.text.startsWith("~") ? readTilde(word, reader) : partsOf(word, reader) };
}

/** `~` and `~/x` are the home folder; `~name` is not known. Only an unquoted tilde at the very start counts. */
function readTilde(word: Pick<GrammarWord, "parts" | "value">, reader: Reader): readonly WordPart[] {
  const [first, ...others] = word.parts ?? [];
  const text = first === undefined ? word.value : first.type === "Literal" ? first.value : "~";
  const name = /^~([^/]*)/.exec(text)?.[1] ?? "";
  const rest: WordPart = { kind: "literal", text: text.slice(1 + name.length) };
  return [homeOf(name), rest, ...others.flatMap((part) => readPart(part, reader, false))];
}

function homeOf(name: string): WordPart {
  if (name === "") return variable("HOME", true, false);
  return name === "+" ? variable("PWD", true, false) : unknown([], true);
}

function partsOf(word: Pick<GrammarWord, "parts" | "value">, reader: Reader): readonly WordPart[] {
  return word.parts?.flatMap((part) => readPart(part, reader, false)) ?? [{ kind: "literal", text: word.value }];
}

function withoutBraces(word: GrammarWord): readonly string[] | null {
  const braces = word.parts?.filter((part) => part.type === "BraceExpansion") ?? [];
  const [brace] = braces;
  // Each pair multiplies: beyond this the word stays unknown.
  if (brace === undefined || braces.length > mostBraces || word.text.length > longestWord) return null;
  const alternatives = brace.parts === undefined ? expandBraces(brace.text) : null;
  if (alternatives === null) return null;
  const from = brace.pos - word.pos;
  const front = word.text.slice(0, from);
  const end = word.text.slice(from + brace.text.length);
  return word.text.startsWith(brace.text, from) ? alternatives.map((one) => front + one + end) : null;
}

function readPart(part: SourcePart, reader: Reader, isQuoted: boolean): readonly WordPart[] {
  if (!reader.take()) return [];
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [{ kind: "literal", text: part.value }];
    case "DoubleQuoted":
    case "LocaleString":
      return [{ kind: "literal", text: "" }, ...part.parts.flatMap((child) => readPart(child, reader, true))];
    case "Glob":
      return part.parts?.some(isActive) === true ? [unknown(reader.wordsIn(part), isQuoted)] : [{ kind: "glob", text: part.value }];
    case "ExtendedGlob":
    case "BraceExpansion":
      return [unknown(reader.wordsIn(part), isQuoted)];
    case "SimpleExpansion":
      return [variable(part.text.replaceAll("\\\n", "").slice(1), isQuoted, false)];
    case "ParameterExpansion":
      return [readParameter(part, reader, isQuoted)];
    case "CommandExpansion":
      return [{ kind: "output", script: scriptOf(part, reader), isQuoted }];
    case "ArithmeticExpansion":
      return [{ kind: "unknown", isNumber: true, isQuoted, words: reader.wordsIn(part) }];
    case "ProcessSubstitution":
      return [{ kind: "channel", direction: part.operator === "<" ? "in" : "out", script: reader.script(part.script) }];
    default:
      return [unknown(reader.wordsIn(part), isQuoted)];
  }
}

function scriptOf(part: CommandExpansionPart, reader: Reader): Script {
  return reader.script(part.script);
}

function isActive(part: SourcePart): boolean {
  return part.type !== "Literal" && part.type !== "SingleQuoted";
}

function unknown(words: readonly Word[], isQuoted: boolean): WordPart {
  return { kind: "unknown", isNumber: false, isQuoted, words };
}

function variable(name: string, isQuoted: boolean, all: boolean, change: VariableChange = { kind: "none" }): WordPart {
  return { kind: "variable", name, all: all || name === "@" || name === "*", isQuoted, change };
}

function readParameter(part: ParameterExpansionPart, reader: Reader, isQuoted: boolean): WordPart {
  if (part.prefix === "#") return { kind: "unknown", isNumber: true, isQuoted, words: reader.wordsIn(part) };
  if (part.prefix === "!" || part.parameter === "") return unknown(reader.wordsIn(part), isQuoted);
  const all = part.index?.value === "@" || part.index?.value === "*";
  const change = readChange(part.operation, reader);
  const hidden = part.index === undefined || all ? [] : reader.wordsIn(part.index);
  const holdsScripts = hidden.some((word) => word.parts.some(({ kind }) => kind !== "literal"));
  return holdsScripts ? unknown(reader.wordsIn(part), isQuoted) : variable(part.parameter, isQuoted, all, change);
}

function readChange(operation: ParameterOperation | undefined, reader: Reader): VariableChange {
  if (operation === undefined) return { kind: "none" };
  if (operation.type === "Default") {
    if (operation.operator.endsWith("?")) return { kind: "none" };
    const word = readWord(operation.operand, reader);
    return operation.operator.endsWith("+") ? { kind: "alternate", word } : { kind: "default", word };
  }
  const words = reader.wordsIn(operation);
  const shortens = operation.type === "Remove" && operation.operator.startsWith("%");
  return shortens ? { kind: "shorten", words } : { kind: "other", words };
}
