/** A parsed file as plain nodes, the same for each language. Bounded in depth, so that whoever walks it may call itself. */
import type { Parser, Tree, TreeCursor } from "@lezer/common";

export interface Node {
  /** As the grammar calls it; punctuation and keywords stand for themselves. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly parent: Node | null;
  readonly children: readonly Node[];
}

export interface Source {
  readonly text: string;
  readonly root: Node;
}

export type Parsed = { readonly kind: "tree"; readonly source: Source } | { readonly kind: "broken"; readonly line: number };

/** Deeper than any program that a person wrote; chains of `+` nest too. */
const deepest = 1_000;

/**
 * Reads a text. An error anywhere, or too deep a nesting, makes it broken as a whole.
 * @param parser  a strict one: recovering from a megabyte of brackets took it more than a minute
 */
export function parseText(parser: Parser, text: string): Parsed {
  const parse = parser.startParse(text);
  let tree: Tree | null = null;
  try {
    while (tree === null) tree = parse.advance();
  } catch (error) {
    // What a strict parser throws at the first text that fits nothing; its place is where the parse stands.
    if (!(error instanceof SyntaxError)) throw error;
    return { kind: "broken", line: lineAt(text, parse.parsedPos) };
  }
  const built = buildNodes(tree);
  return typeof built === "number" ? { kind: "broken", line: lineAt(text, built) } : { kind: "tree", source: { text, root: built } };
}

interface Draft {
  name: string;
  from: number;
  to: number;
  parent: Draft | null;
  children: Draft[];
}

/** The root, or the place of the first error. */
function buildNodes(tree: Tree): Node | number {
  const cursor = tree.cursor();
  const root = draftOf(cursor, null);
  let parent = root;
  let depth = 0;
  if (cursor.type.isError) return cursor.from;
  for (;;) {
    if (cursor.firstChild()) depth += 1;
    else {
      while (!cursor.nextSibling()) {
        if (depth === 0 || !cursor.parent()) return root;
        depth -= 1;
        parent = parent.parent ?? root;
      }
      parent = parent.parent ?? root;
    }
    if (cursor.type.isError || depth > deepest) return cursor.from;
    const draft = draftOf(cursor, depth === 0 ? null : parent);
    parent.children.push(draft);
    parent = draft;
  }
}

function draftOf(cursor: TreeCursor, parent: Draft | null): Draft {
  return { name: cursor.name, from: cursor.from, to: cursor.to, parent, children: [] };
}

/** From 1. */
export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < position; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
