/**
 * XML as plain values, by saxes: a strict parser that knows the five entities of XML and no others. What a document type declares is never looked at,
 * so that nothing in a report can grow, point to a file, or be fetched.
 */
import { SaxesParser } from "saxes";
import type { XmlElement } from "../../core/xml-element.ts";

const maxCharacters = 64 * 1024 * 1024;
const maxElements = 1_000_000;
const maxDepth = 200;

interface Open {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: Open[];
}

/** Total: null = it is no well-formed XML, or too large or too deep to be a report. */
export function parseXml(text: string): XmlElement | null {
  if (text.length > maxCharacters) return null;
  const parser = new SaxesParser();
  const open: Open[] = [];
  let root: Open | null = null;
  let elements = 0;
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    elements += 1;
    if (elements > maxElements || open.length >= maxDepth) throw new Error("too many elements, or too deep");
    const element: Open = { name: String(name), attributes: Object.assign(Object.create(null), attributes), children: [] };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on("closetag", () => {
    open.pop();
  });
  try {
    parser.write(text.replace(/^\uFEFF/, "")).close();
    return root;
  } catch {
    return null; // it is not well formed
  }
}
