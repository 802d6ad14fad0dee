/** The text of a settings file as a tree whose parts know their lines. Comments and trailing commas are fine, all else that is no JSON is refused. */
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { MidwatchError } from "../core/error.ts";
import type { ConfigFile } from "./layer.ts";
import { quote, showType } from "./printable.ts";

/** The root, which is an object. */
export function parseSettings(file: ConfigFile): Node {
  const errors: ParseError[] = [];
  const root = parseTolerantly(file, errors);
  const [first] = errors;
  if (first !== undefined) throw syntaxError(file, first, root === undefined);
  if (root === undefined) throw emptyFile(file);
  if (root.type === "object") return root;
  const trouble = `must be an object { … }, not ${showType(getNodeValue(root))}`;
  throw refuseAt(file, root.offset, "E_CONFIG_SYNTAX", trouble, "put the settings between { and }");
}

export function refuseAt(file: ConfigFile, offset: number, code: string, trouble: string, hint: string): MidwatchError {
  return new MidwatchError("config", code, `${placeAt(file, offset)}: ${trouble}`, { hint });
}

export function placeAt(file: ConfigFile, offset: number): string {
  return `${file.label}:${lineNumber(file.text, offset)}`;
}

export function lineNumber(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function parseTolerantly(file: ConfigFile, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(file.text, errors, { allowTrailingComma: true });
  } catch {
    // The parser calls itself for each level, and the stack has an end.
    throw refuseAt(file, 0, "E_CONFIG_SYNTAX", "is nested too deeply to be read", "no setting lies more than two objects deep");
  }
}

function syntaxError(file: ConfigFile, error: ParseError, isNothing: boolean): MidwatchError {
  const { text } = file;
  const mark = /^(<{7}|\|{7}|={7}|>{7})(\s|$)/m.exec(text);
  if (mark !== null)
    return refuseAt(file, mark.index, "E_CONFIG_SYNTAX", "is in the middle of a merge", "choose a side and remove the marks");
  const name = printParseErrorCode(error.error);
  if (isNothing && name === "ValueExpected") return emptyFile(file);
  const trouble = syntaxTroubles[name] ?? "is not JSON";
  const rest = text.slice(error.offset).trim();
  if (rest !== "") return refuseAt(file, error.offset, "E_CONFIG_SYNTAX", trouble, `look at ${quote(lineAt(text, error.offset))}`);
  return refuseAt(
    file,
    text.trimEnd().length,
    "E_CONFIG_SYNTAX",
    `ends too early: ${trouble}`,
    "write its end, or take the file back from git",
  );
}

function emptyFile(file: ConfigFile): MidwatchError {
  return refuseAt(file, 0, "E_CONFIG_SYNTAX", "is empty", "write {} into it, or remove it, to get the defaults");
}

function lineAt(text: string, offset: number): string {
  return (text.split("\n")[lineNumber(text, offset) - 1] ?? "").trim();
}

const syntaxTroubles: Readonly<Record<string, string>> = {
  InvalidSymbol: "a word stands there that is no JSON: texts need double quotes",
  InvalidNumberFormat: "a number is not written as JSON wants it",
  PropertyNameExpected: 'a key in double quotes, or "}", is expected',
  ValueExpected: "a value is expected",
  ColonExpected: 'a ":" is expected',
  CommaExpected: 'a "," is expected',
  CloseBraceExpected: 'a "}" is missing',
  CloseBracketExpected: 'a "]" is missing',
  EndOfFileExpected: 'something follows the last "}"',
  InvalidCommentToken: "a comment is not written as // or /* */",
  UnexpectedEndOfComment: 'a comment has no end: "*/" is missing',
  UnexpectedEndOfString: "a text has no end: a double quote is missing",
  UnexpectedEndOfNumber: "a number has no end",
  InvalidUnicode: "a \\u escape is not four hexadecimal digits",
  InvalidEscapeCharacter: "a backslash is followed by a character that it cannot escape",
  InvalidCharacter: "a text contains a control character",
};
