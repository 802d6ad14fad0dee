/**
 * The handoff note (bilhete de passagem): the first three lines are the whole contract, everything below is prose.
 *   STATUS: CHECKPOINT | AWAITING-HUMAN | DONE | BLOCKED     (AGUARDA-HUMANO, CONCLUIDO, BLOQUEADO)
 *   NEXT: <text>                                             (PROXIMO)
 *   QUESTION: <one line>                                     (PERGUNTA)
 * Words are exact: another case, an accent, another order or a leading space make it malformed. The QUESTION line may be
 * absent or empty unless STATUS asks for a person. A note that does not parse is malformed with the reason, never a guess.
 */
export type NoteStatus = "checkpoint" | "awaiting-human" | "done" | "blocked";

export interface HandoffNote {
  readonly status: NoteStatus;
  readonly next: string;
  /** Empty when there is none. */
  readonly question: string;
  /** Lines below the contract, joined; shown to people and to the next window, never read for decisions. */
  readonly body: string;
}

export type NoteParse =
  | { readonly kind: "note"; readonly note: HandoffNote }
  | { readonly kind: "malformed"; readonly reason: string; readonly rawLines: readonly string[] };

/** What lies at the configured path, as the files adapter found it. */
export type NoteFile =
  | { readonly kind: "absent" }
  | { readonly kind: "not-regular"; readonly what: string }
  | { readonly kind: "too-large"; readonly bytes: number }
  | { readonly kind: "unreadable"; readonly error: string }
  | { readonly kind: "file"; readonly bytes: Uint8Array; readonly hash: string };

/** `unchanged` = this window wrote no note. */
export type NoteReading = NoteParse | { readonly kind: "absent" } | { readonly kind: "unchanged" };

const statusWords: Readonly<Record<string, NoteStatus>> = {
  CHECKPOINT: "checkpoint",
  "AWAITING-HUMAN": "awaiting-human",
  "AGUARDA-HUMANO": "awaiting-human",
  DONE: "done",
  CONCLUIDO: "done",
  BLOCKED: "blocked",
  BLOQUEADO: "blocked",
};

export const maxNoteLines = 30;
/** The three lines together. reliability.md 4.3 */
export const maxContractBytes = 4096;
/** A note of more than this is not read at all. */
export const maxNoteBytes = 256 * 1024;

/**
 * Reads the note a window left.
 * @param before  hash of the file at the window's start, or null when there was none: an equal hash is no note of this window
 */
export function readNote(file: NoteFile, before: string | null): NoteReading {
  switch (file.kind) {
    case "absent":
      return { kind: "absent" };
    case "not-regular":
      return malformed(`it is a ${file.what}, not a regular file`, []);
    case "too-large":
      return malformed(`it has ${file.bytes} bytes; ${maxNoteBytes} is the limit`, []);
    case "unreadable":
      return malformed(`it cannot be read (${file.error})`, []);
    case "file":
      return file.hash === before ? { kind: "unchanged" } : parseNote(file.bytes);
  }
}

/** Parses the bytes of a note. Total: every input gives a note or a reason. */
export function parseNote(bytes: Uint8Array): NoteParse {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return malformed("it starts with a byte order mark", []);
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return malformed("it is UTF-16, not UTF-8", []);
  if (bytes.length === 0) return malformed("it is empty", []);
  if (bytes.length > maxNoteBytes) return malformed(`it has ${bytes.length} bytes; ${maxNoteBytes} is the limit`, []);
  const text = decode(bytes);
  if (text === null) return malformed("it is not valid UTF-8", []);
  const lines = text.split(/\r\n|\n/);
  if (lines.at(-1) === "") lines.pop();
  const head = lines.slice(0, 3);
  const bad = (reason: string): NoteParse => malformed(reason, head);
  if (new TextEncoder().encode(head.join("\n")).length > maxContractBytes)
    return bad(`its first three lines are over ${maxContractBytes} bytes`);
  const control = head.findIndex((line) => controlCharacter.test(line));
  if (control >= 0) return bad(`line ${control + 1} has a control character`);
  if (lines.length > maxNoteLines) return bad(`it has ${lines.length} lines; ${maxNoteLines} is the limit`);
  return parseLines(head, lines.slice(3), bad);
}

function parseLines(head: readonly string[], rest: readonly string[], bad: (reason: string) => NoteParse): NoteParse {
  const status = field(head[0], ["STATUS"]);
  if (status === null) return bad("line 1 is not `STATUS: <word>`");
  const meaning = Object.hasOwn(statusWords, status) ? statusWords[status] : undefined;
  if (meaning === undefined) return bad(`line 1 has an unknown status ${JSON.stringify(status.slice(0, 40))}`);
  const next = field(head[1], ["NEXT", "PROXIMO"]);
  if (next === null) return bad("line 2 is not `NEXT: <text>`");
  const needsQuestion = meaning === "awaiting-human" || meaning === "blocked";
  const third = head[2] ?? "";
  const asked = field(third, ["QUESTION", "PERGUNTA"]);
  if (asked === null && questionLike.test(third)) return bad("line 3 is not `QUESTION: <one line>`");
  const question = asked ?? "";
  // Without a question line the third line is prose already.
  const body = asked === null ? [third, ...rest] : rest;
  if (needsQuestion && question === "") return bad(`line 3 must hold the question when the status is ${status}`);
  if (!needsQuestion && question !== "") return bad(`line 3 holds a question, but the status is ${status}`);
  if (body.some((line) => /^(STATUS|NEXT|PROXIMO|QUESTION|PERGUNTA):/.test(line)))
    return bad("a line of the contract stands a second time below it");
  return { kind: "note", note: { status: meaning, next, question, body: body.join("\n").trim() } };
}

/** C0 and C1, and the bidirectional overrides that make a line read otherwise than it is. */
const controlCharacter = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]/;
/** An attempt at the question line that is not exactly it: another case, an accent, a leading space. */
const questionLike = /^\W*(question|pergunta)\s*:/i;

/** The value after `KEY:` and one optional space run; null when the line is not that. */
function field(line: string | undefined, keys: readonly string[]): string | null {
  if (line === undefined) return null;
  const colon = line.indexOf(":");
  if (colon < 0 || !keys.includes(line.slice(0, colon))) return null;
  return line.slice(colon + 1).trim();
}

/** `fatal` decoding without the platform's TextDecoder options would differ per runtime; this is the WHATWG one, present in all of ours. */
function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null; // not UTF-8: the caller says so
  }
}

function malformed(reason: string, rawLines: readonly string[]): NoteParse {
  return { kind: "malformed", reason, rawLines: rawLines.map((line) => line.slice(0, 500)) };
}

/** The text of a note; `parseNote` gives the same note back. */
export function formatNote(note: HandoffNote): string {
  const word: Record<NoteStatus, string> = {
    checkpoint: "CHECKPOINT",
    "awaiting-human": "AWAITING-HUMAN",
    done: "DONE",
    blocked: "BLOCKED",
  };
  return `STATUS: ${word[note.status]}\nNEXT: ${note.next}\nQUESTION: ${note.question}\n${note.body === "" ? "" : `\n${note.body}\n`}`;
}
