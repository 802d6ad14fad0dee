/** Reads shell scripts by the Bash grammar of unbash. A text with an error anywhere, also inside a substitution, is unreadable as a whole. */
import { parse } from "unbash";
import type { ShellParse } from "../../core/guard/shell-tree.ts";
import type { ShellParser } from "../../ports/shell.ts";
import { findExcess } from "./bounds.ts";
import { CommandReader } from "./commands.ts";

/** The parser of shell scripts. */
export function createShellParser(): ShellParser {
  return { parse: parseShell };
}

function parseShell(text: string): ShellParse {
  const excess = findExcess(text);
  if (excess !== null) return { kind: "unreadable", reason: excess };
  try {
    const reader = new CommandReader();
    const script = reader.script(parse(text));
    return reader.problem === null ? { kind: "tree", script } : { kind: "unreadable", reason: reader.problem };
  } catch (error) {
    // The grammar's parser recurses: a text that is nested too deeply ends as a RangeError.
    return { kind: "unreadable", reason: error instanceof RangeError ? "the command is nested too deeply" : "the command cannot be read" };
  }
}
