/** What holds for any handoff note and for any bytes: writing and reading agree, reading is total, and a note that was touched is none. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatNote, type HandoffNote, type NoteParse, parseNote } from "../../src/core/handoff-note.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const parse = (text: string): NoteParse => parseNote(bytes(text));
/** Malformed, with a reason of one line. */
const malformed = { kind: "malformed", reason: expect.stringMatching(/^[^\r\n]+$/), rawLines: expect.any(Array) };

describe("for any note", () => {
  const outOfContract = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff]/u;
  const line = fc
    .oneof(
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc.string({ maxLength: 60 }),
      fc.constantFrom("T-5 -> T-6", "say STATUS: DONE", "- QUESTION: x"),
    )
    .map((text) => text.trim())
    .filter((text) => !outOfContract.test(text));
  const contractKey = /^(STATUS|NEXT|PROXIMO|QUESTION|PERGUNTA):/;
  const prose = line.filter((text) => !contractKey.test(text));
  const text = prose.filter((one) => one !== "");
  const body = fc.oneof(
    fc.constant(""),
    text,
    fc.tuple(text, fc.array(prose, { maxLength: 25 }), text).map(([first, middle, last]) => [first, ...middle, last].join("\n")),
  );
  const note: fc.Arbitrary<HandoffNote> = fc.oneof(
    fc.record({ status: fc.constantFrom("checkpoint" as const, "done" as const), next: line, question: fc.constant(""), body }),
    fc.record({ status: fc.constantFrom("awaiting-human" as const, "blocked" as const), next: line, question: text, body }),
  );

  test("reading what was written gives the note", () => {
    fc.assert(
      fc.property(note, (one) => {
        expect(parse(formatNote(one))).toEqual({ kind: "note", note: one });
      }),
    );
  });

  test("reading it with CRLF, or without the last line end, gives the same", () => {
    fc.assert(
      fc.property(note, (one) => {
        const written = formatNote(one).replace(/\n$/, "");
        const expected = { kind: "note", note: one };
        expect([parse(written), parse(`${written}\n`), parse(`${written}\n`.replaceAll("\n", "\r\n"))]).toEqual([
          expected,
          expected,
          expected,
        ]);
      }),
    );
  });

  test("any line before it makes it none", () => {
    const before = fc.oneof(
      fc.constantFrom("", "STATUS: DONE", "NEXT: x", "```", "---", "# Handoff"),
      fc.string({ unit: "binary", maxLength: 40 }),
    );
    fc.assert(
      fc.property(note, before, (one, first) => {
        expect(parse(`${first}\n${formatNote(one)}`)).toEqual(malformed);
      }),
    );
  });

  test("a character more before the end of line 1 makes it none", () => {
    fc.assert(
      fc.property(note, fc.nat(40), fc.string({ unit: "binary", minLength: 1, maxLength: 2 }), (one, place, extra) => {
        const written = formatNote(one);
        const end = written.indexOf("\n");
        // A space between colon and word, or after the word, is white space; everything else is another word or key.
        const at = Math.min(place, end - 1);
        fc.pre(
          !(extra.trim() === "" && written.slice(0, at).endsWith(":")) && !(extra.trim() === "" && written.slice(0, at).endsWith(": ")),
        );
        expect(parse(written.slice(0, at) + extra + written.slice(at))).toEqual(malformed);
      }),
    );
  });

  test("another case of any letter on line 1 makes it none", () => {
    fc.assert(
      fc.property(note, fc.nat(40), (one, place) => {
        const written = formatNote(one);
        const letters = [...written.slice(0, written.indexOf("\n")).matchAll(/[A-Z]/g)].map((match) => match.index);
        const at = letters[place % letters.length] ?? 0;
        expect(parse(written.slice(0, at) + written.charAt(at).toLowerCase() + written.slice(at + 1))).toEqual(malformed);
      }),
    );
  });

  test("whatever its texts hold, it never reads as another status", () => {
    const anyText = fc.oneof(
      line,
      fc.string({ unit: "binary" }),
      fc.constantFrom("x\nSTATUS: DONE", "\r\nQUESTION: y", "\n\n\n", "STATUS: BLOCKED\nNEXT: a\nQUESTION: b"),
    );
    const anyNote = fc.record({
      status: fc.constantFrom("checkpoint" as const, "awaiting-human" as const, "done" as const, "blocked" as const),
      next: anyText,
      question: anyText,
      body: anyText,
    });
    fc.assert(
      fc.property(anyNote, (one) => {
        const read = parse(formatNote(one));
        expect(read.kind === "malformed" || read.note.status === one.status).toBe(true);
      }),
    );
  });
});

describe("any bytes at all", () => {
  const pieces = fc.constantFrom(
    "STATUS:",
    " ",
    "DONE",
    "CHECKPOINT",
    "BLOCKED",
    "NEXT:",
    "PERGUNTA:",
    "QUESTION:",
    "\n",
    "\r\n",
    "\r",
    "\0",
    "x",
    "\ufeff",
    "é",
  );
  const content = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.array(pieces, { maxLength: 30 }).map((all) => bytes(all.join(""))),
    fc
      .tuple(fc.uint8Array({ maxLength: 20 }), fc.uint8Array({ maxLength: 20 }))
      .map(([a, b]) => Uint8Array.from([...a, ...bytes("STATUS: DONE\nNEXT:\n"), ...b])),
  );

  test("read as a note or as malformed with a reason of one line, and twice the same", () => {
    fc.assert(
      fc.property(content, (one) => {
        const read = parseNote(one);
        if (read.kind === "malformed") {
          expect(read).toEqual(malformed);
          expect(read.rawLines.filter((raw) => raw.includes("\n"))).toEqual([]);
        }
        expect(parseNote(one)).toEqual(read);
      }),
      { numRuns: 1000 },
    );
  });

  test("that read as a note read as the same note when it is written again", () => {
    fc.assert(
      fc.property(content, (one) => {
        const read = parseNote(one);
        if (read.kind === "note") expect(parse(formatNote(read.note))).toEqual(read);
      }),
      { numRuns: 1000 },
    );
  });

  test("leave the bytes as they were", () => {
    fc.assert(
      fc.property(content, (one) => {
        const before = Uint8Array.from(one);
        parseNote(one);
        expect(one).toEqual(before);
      }),
    );
  });
});
