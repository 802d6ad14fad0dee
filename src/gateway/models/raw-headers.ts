/** Headers as they stand on the wire: names and values by turns, in order and case, as Node reads and writes them. Nothing here is merged or renamed. */

export type RawHeaders = readonly string[];

export type HeaderPair = readonly [name: string, value: string];

/** The first one of this name, in small letters. */
export function headerOf(raw: RawHeaders, name: string): string | null {
  for (let at = 0; at < raw.length; at += 2) if (raw[at]?.toLowerCase() === name) return raw[at + 1] ?? null;
  return null;
}

/** They are between two neighbours and end there. `expect` too: it was answered here, and the body is at hand. */
const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
]);

/** Framing and routing stay whatever `connection` names: a message would mean something else without them. */
const neverNamed: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "content-encoding",
  "content-type",
  "authorization",
  "x-api-key",
]);

/** One pass, and no lists in between: it is done twice in each call. */
export function withoutHopByHop(raw: RawHeaders): readonly HeaderPair[] {
  const named = namedByConnection(raw);
  const kept: HeaderPair[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? "";
    const small = name.toLowerCase();
    if (!hopByHop.has(small) && !named.includes(small)) kept.push([name, raw[at + 1] ?? ""]);
  }
  return kept;
}

function namedByConnection(raw: RawHeaders): readonly string[] {
  const values: string[] = [];
  for (let at = 0; at < raw.length; at += 2) if (raw[at]?.toLowerCase() === "connection") values.push(raw[at + 1] ?? "");
  return values
    .flatMap((value) =>
      value
        .toLowerCase()
        .split(",")
        .map((name) => name.trim()),
    )
    .filter((name) => !neverNamed.has(name));
}
