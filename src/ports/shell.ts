import type { ShellParse } from "../core/guard/shell-tree.ts";

/** Reads shell scripts. */
export interface ShellParser {
  /** Total and bounded: never throws, and answers `unreadable` for whatever it cannot read whole. */
  parse(text: string): ShellParse;
}
