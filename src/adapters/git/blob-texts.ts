/** The texts of many blobs from one git. */
import { describeFailure, type Git, type GitSpec } from "./command.ts";

export const maxTextBytes = 1 << 20;
const maxAllBytes = 64 << 20;

export type BlobTexts =
  | { readonly kind: "read"; readonly texts: ReadonlyMap<string, string> }
  | { readonly kind: "failed"; readonly detail: string };

/** By object name; what is missing, too large or no text has none. Past 64 MB no more of them are read. */
export async function readBlobTexts(git: Git, spec: GitSpec, oids: readonly string[]): Promise<BlobTexts> {
  const sized = await sizesOf(git, spec, oids);
  if (sized.kind === "failed") return sized;
  const wanted = withinBounds(sized.sizes);
  if (wanted.length === 0) return { kind: "read", texts: new Map() };
  const chunks: Buffer[] = [];
  const end = await git.run(["cat-file", "--batch"], {
    ...spec,
    input: `${wanted.join("\n")}\n`,
    onOutput: (chunk) => {
      chunks.push(chunk);
      return true;
    },
  });
  const failure = describeFailure(end);
  return failure === null ? { kind: "read", texts: cutApart(Buffer.concat(chunks)) } : { kind: "failed", detail: failure };
}

type Sizes = { readonly kind: "read"; readonly sizes: ReadonlyMap<string, number> } | { readonly kind: "failed"; readonly detail: string };

async function sizesOf(git: Git, spec: GitSpec, oids: readonly string[]): Promise<Sizes> {
  let output = "";
  const end = await git.run(["cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"], {
    ...spec,
    input: `${oids.join("\n")}\n`,
    onOutput: (chunk) => {
      output += chunk.toString("latin1");
      return true;
    },
  });
  const failure = describeFailure(end);
  if (failure !== null) return { kind: "failed", detail: failure };
  const rows = output.split("\n").map((line) => /^(\S+) blob (\d+)$/.exec(line));
  return { kind: "read", sizes: new Map(rows.flatMap((row) => (row === null ? [] : [[row[1] ?? "", Number(row[2])]]))) };
}

function withinBounds(sizes: ReadonlyMap<string, number>): readonly string[] {
  let left = maxAllBytes;
  return [...sizes].flatMap(([oid, size]) => {
    if (size > maxTextBytes || size > left) return [];
    left -= size;
    return [oid];
  });
}

/** `OID blob SIZE\n`, the bytes, `\n`, and so on. */
function cutApart(output: Buffer): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (let at = 0; at < output.length; ) {
    const lineEnd = output.indexOf(10, at);
    if (lineEnd < 0) break;
    const [oid = "", , size = ""] = output.toString("latin1", at, lineEnd).split(" ");
    const end = lineEnd + 1 + Number(size);
    const bytes = output.subarray(lineEnd + 1, end);
    const text = textOf(bytes);
    if (text !== null) texts.set(oid, text);
    at = end + 1;
  }
  return texts;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Null = it is no text to us: it has a zero in it, or is no UTF-8. */
export function textOf(bytes: Buffer): string | null {
  try {
    return bytes.includes(0) ? null : decoder.decode(bytes);
  } catch {
    return null;
  }
}
