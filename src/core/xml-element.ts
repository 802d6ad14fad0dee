/** A parsed XML document, as far as reports need it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
}

/** Total: null = it is no well-formed XML, or larger or deeper than a report is. Entities of its own are never expanded. */
export type ParseXml = (text: string) => XmlElement | null;

/** The element and all below it, in the order of the document. */
export function* elementsIn(root: XmlElement): Generator<XmlElement> {
  const left = [root];
  for (let element = left.pop(); element !== undefined; element = left.pop()) {
    yield element;
    for (let index = element.children.length - 1; index >= 0; index -= 1) left.push(element.children[index] as XmlElement);
  }
}

/** A count that stands in an attribute; 0 where it is none. */
export function countIn(attribute: string | undefined): number {
  return attribute !== undefined && /^\d{1,9}$/.test(attribute) ? Number(attribute) : 0;
}
