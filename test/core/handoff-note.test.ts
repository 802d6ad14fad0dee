/** The handoff note: what reads as one, what does not and says why, and that writing and reading agree. docs/spec/handoff.md */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  formatNote,
  type HandoffNote,
  maxContractBytes,
  maxNoteBytes,
  maxNoteLines,
  type NoteFile,
  type NoteParse,
  parseNote,
  readNote,
} from "../../src/core/handoff-note.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const hash = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");
const file = (content: Uint8Array): NoteFile => ({ kind: "file", bytes: content, hash: hash(content) });
const parse = (text: string): NoteParse => parseNote(bytes(text));
const checkpoint: HandoffNote = { status: "checkpoint", next: "T-5", question: "", body: "" };
const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

describe("a note", () => {
  const ship = "Ship it?";
  test.each<[string, string, Partial<HandoffNote>]>([
    ["has three lines", "STATUS: CHECKPOINT\nNEXT: T-5\nQUESTION:\n", {}],
    ["may leave out the question line when nobody is asked", "STATUS: CHECKPOINT\nNEXT: T-5\n", {}],
    ["may leave out the question line and go on with prose", "STATUS: CHECKPOINT\nNEXT: T-5\nProse.\n", { body: "Prose." }],
    ["may say DONE", "STATUS: DONE\nNEXT: nothing\nQUESTION:\n", { status: "done", next: "nothing" }],
    ["may ask", "STATUS: AWAITING-HUMAN\nNEXT: T-5\nQUESTION: Ship it?\n", { status: "awaiting-human", question: ship }],
    ["may be blocked", "STATUS: BLOCKED\nNEXT: T-5\nQUESTION: Ship it?\n", { status: "blocked", question: ship }],
    ["is read in Portuguese", "STATUS: CHECKPOINT\nPROXIMO: T-5\nPERGUNTA:\n", {}],
    ["may say CONCLUIDO", "STATUS: CONCLUIDO\nPROXIMO: nada\nPERGUNTA:\n", { status: "done", next: "nada" }],
    ["may ask in Portuguese", "STATUS: AGUARDA-HUMANO\nPROXIMO: T-5\nPERGUNTA: Ship it?\n", { status: "awaiting-human", question: ship }],
    ["may be BLOQUEADO", "STATUS: BLOQUEADO\nPROXIMO: T-5\nPERGUNTA: Ship it?\n", { status: "blocked", question: ship }],
    ["mixes an English word with Portuguese keys", "STATUS: DONE\nPROXIMO: T-5\nPERGUNTA:\n", { status: "done" }],
    [
      "mixes a Portuguese word with English keys",
      "STATUS: BLOQUEADO\nNEXT: T-5\nQUESTION: Ship it?\n",
      { status: "blocked", question: ship },
    ],
    ["mixes the keys", "STATUS: AGUARDA-HUMANO\nNEXT: T-5\nPERGUNTA: Ship it?\n", { status: "awaiting-human", question: ship }],
    ["reads the same with CRLF", "STATUS: CHECKPOINT\r\nNEXT: T-5\r\nQUESTION:\r\nOne.\r\nTwo.\r\n", { body: "One.\nTwo." }],
    ["reads the same with mixed line ends", "STATUS: CHECKPOINT\r\nNEXT: T-5\nQUESTION:\r\nOne.\nTwo.", { body: "One.\nTwo." }],
    [
      "needs no last line end after the question",
      "STATUS: AWAITING-HUMAN\nNEXT: T-5\nQUESTION: Ship it?",
      { status: "awaiting-human", question: ship },
    ],
    ["needs no last line end after NEXT", "STATUS: CHECKPOINT\nNEXT: T-5", {}],
    ["ignores spaces after a value", "STATUS: BLOCKED   \nNEXT: T-5  \nQUESTION: Ship it? \n", { status: "blocked", question: ship }],
    ["may have nothing next", "STATUS: CHECKPOINT\nNEXT:\nQUESTION:\n", { next: "" }],
    ["may have spaces for nothing", "STATUS: CHECKPOINT\nNEXT:  \nQUESTION:  \n", { next: "" }],
    ["may name a task that nobody knows", "STATUS: CHECKPOINT\nNEXT: T-9999 (no such task)\n", { next: "T-9999 (no such task)" }],
    ["has any letters in its texts", "STATUS: CHECKPOINT\nNEXT: T-5 → ecrã «início» 完了 🌙\n", { next: "T-5 → ecrã «início» 完了 🌙" }],
    [
      "has a question that is text and nothing more",
      "STATUS: BLOCKED\nNEXT: T-5\nQUESTION: <img src=x onerror=alert(1)> `rm -rf /` $(id) [a](b)\n",
      { status: "blocked", question: "<img src=x onerror=alert(1)> `rm -rf /` $(id) [a](b)" },
    ],
    ["may use the keys below in lower case", "STATUS: CHECKPOINT\nNEXT: T-5\nQUESTION:\nstatus: done\n", { body: "status: done" }],
    ["may use a key below without a colon", "STATUS: CHECKPOINT\nNEXT: T-5\nQUESTION:\nSTATUS is fine\n", { body: "STATUS is fine" }],
    [
      "may use a longer word below that begins like a key",
      "STATUS: CHECKPOINT\nNEXT: T-5\nQUESTION:\nNEXTDAY: rain\n",
      { body: "NEXTDAY: rain" },
    ],
    [
      "may use a key inside a line below",
      "STATUS: CHECKPOINT\nNEXT: T-5\nQUESTION:\nI wrote STATUS: DONE\n",
      { body: "I wrote STATUS: DONE" },
    ],
    ["may have tabs and colours in its prose", "STATUS: CHECKPOINT\nNEXT: T-5\nQUESTION:\na\tb \u001b[1mc\n", { body: "a\tb \u001b[1mc" }],
  ])("%s", (_title, text, change) => {
    expect(parse(text)).toEqual({ kind: "note", note: { ...checkpoint, ...change } });
  });

  test("may have thirty lines", () => {
    const prose = numbered(27);
    const text = ["STATUS: CHECKPOINT", "NEXT: T-5", "QUESTION:", ...prose].join("\n");
    const expected = { kind: "note", note: { ...checkpoint, body: prose.join("\n") } };
    expect(maxNoteLines).toBe(30);
    expect([parse(text), parse(`${text}\n`), parse(`${text}\n`.replaceAll("\n", "\r\n"))]).toEqual([expected, expected, expected]);
  });

  test("may have contract lines of 4 KiB together", () => {
    const rest = "STATUS: BLOCKED\nNEXT: \nQUESTION: Why?\n";
    const next = "n".repeat(4096 - rest.length);
    expect(maxContractBytes).toBe(4096);
    expect(parse(rest.replace("NEXT: ", `NEXT: ${next}`))).toEqual({
      kind: "note",
      note: { status: "blocked", next, question: "Why?", body: "" },
    });
  });

  test("may have 256 KiB", () => {
    const contract = "STATUS: CHECKPOINT\nNEXT: T-5\nQUESTION:\n";
    const body = "b".repeat(256 * 1024 - contract.length);
    expect(maxNoteBytes).toBe(256 * 1024);
    expect(parse(contract + body)).toEqual({ kind: "note", note: { ...checkpoint, body } });
  });
});

/** Malformed, with a reason of one line. */
const malformed = { kind: "malformed", reason: expect.stringMatching(/^[^\r\n]+$/), rawLines: expect.any(Array) };

describe("it is malformed when", () => {
  test.each<[string, string]>([
    ["the file is empty", ""],
    ["the file is one empty line", "\n"],
    ["line 1 is no STATUS", "NEXT: T-5\nQUESTION:\n"],
    ["STATUS has no word", "STATUS:\nNEXT: T-5\n"],
    ["STATUS has an unknown word", "STATUS: FINISHED\nNEXT: T-5\n"],
    ["STATUS has two words", "STATUS: DONE BLOCKED\nNEXT: T-5\n"],
    ["STATUS has a word and a full stop", "STATUS: DONE.\nNEXT: T-5\n"],
    ["STATUS has an alternative", "STATUS: CHECKPOINT | DONE\nNEXT: T-5\n"],
    ["STATUS has a word in lower case", "STATUS: done\nNEXT: T-5\n"],
    ["STATUS has a word in mixed case", "STATUS: Done\nNEXT: T-5\n"],
    ["STATUS is in lower case", "status: DONE\nNEXT: T-5\n"],
    ["STATUS has an accent in its word", "STATUS: CONCLUÍDO\nNEXT: T-5\n"],
    ["a space stands before STATUS", " STATUS: DONE\nNEXT: T-5\n"],
    ["a tab stands before STATUS", "\tSTATUS: DONE\nNEXT: T-5\n"],
    ["an empty line stands before STATUS", "\nSTATUS: DONE\nNEXT: T-5\n"],
    ["a space stands before the colon", "STATUS : DONE\nNEXT: T-5\n"],
    ["NEXT is absent", "STATUS: CHECKPOINT\n"],
    ["NEXT is absent before a question", "STATUS: BLOCKED\nQUESTION: Why?\n"],
    ["NEXT has no colon", "STATUS: CHECKPOINT\nNEXT T-5\n"],
    ["NEXT is in lower case", "STATUS: CHECKPOINT\nnext: T-5\n"],
    ["NEXT is in accented Portuguese", "STATUS: CHECKPOINT\nPRÓXIMO: T-5\n"],
    ["a space stands before NEXT", "STATUS: CHECKPOINT\n NEXT: T-5\n"],
    ["an empty line stands before NEXT", "STATUS: CHECKPOINT\n\nNEXT: T-5\n"],
    ["the lines change places", "STATUS: BLOCKED\nQUESTION: Why?\nNEXT: T-5\n"],
    ["NEXT comes before STATUS", "NEXT: T-5\nSTATUS: DONE\nQUESTION:\n"],
    ["AWAITING-HUMAN asks nothing", "STATUS: AWAITING-HUMAN\nNEXT: T-5\nQUESTION:\n"],
    ["AWAITING-HUMAN asks with spaces", "STATUS: AWAITING-HUMAN\nNEXT: T-5\nQUESTION:   \n"],
    ["AWAITING-HUMAN has no question line", "STATUS: AWAITING-HUMAN\nNEXT: T-5\n"],
    ["AWAITING-HUMAN has prose for a question line", "STATUS: AWAITING-HUMAN\nNEXT: T-5\nShip it?\n"],
    ["AGUARDA-HUMANO asks nothing", "STATUS: AGUARDA-HUMANO\nPROXIMO: T-5\nPERGUNTA:\n"],
    ["BLOCKED asks nothing", "STATUS: BLOCKED\nNEXT: T-5\nQUESTION:\n"],
    ["BLOQUEADO has no question line", "STATUS: BLOQUEADO\nPROXIMO: T-5\n"],
    ["BLOCKED asks on line 4", "STATUS: BLOCKED\nNEXT: T-5\n\nQUESTION: Why?\n"],
    ["CHECKPOINT asks", "STATUS: CHECKPOINT\nNEXT: T-5\nQUESTION: Ship it?\n"],
    ["DONE asks", "STATUS: DONE\nNEXT: nothing\nQUESTION: Ship it?\n"],
    ["a space stands before QUESTION", "STATUS: BLOCKED\nNEXT: T-5\n QUESTION: Why?\n"],
    ["a second STATUS stands below", "STATUS: CHECKPOINT\nNEXT: T-5\nQUESTION:\nSTATUS: DONE\n"],
    ["a second STATUS stands on line 2", "STATUS: CHECKPOINT\nSTATUS: DONE\nNEXT: T-5\n"],
    ["a second STATUS stands on line 3", "STATUS: CHECKPOINT\nNEXT: T-5\nSTATUS: DONE\n"],
    ["a second NEXT stands below", "STATUS: CHECKPOINT\nNEXT: T-5\nQUESTION:\nprose\nNEXT: T-6\n"],
    ["a second QUESTION stands below", "STATUS: BLOCKED\nNEXT: T-5\nQUESTION: Why?\nQUESTION: How?\n"],
    ["an empty QUESTION stands below the prose", "STATUS: CHECKPOINT\nNEXT: T-5\nprose\nQUESTION:\n"],
    ["a PROXIMO stands below", "STATUS: CHECKPOINT\nNEXT: T-5\nQUESTION:\nPROXIMO: T-6\n"],
    ["a PERGUNTA stands below", "STATUS: CHECKPOINT\nNEXT: T-5\nQUESTION:\nPERGUNTA:\n"],
    ["it has 31 lines", ["STATUS: CHECKPOINT", "NEXT: T-5", "QUESTION:", ...numbered(28)].join("\n")],
    ["it has a hundred thousand lines", `STATUS: CHECKPOINT\nNEXT: T-5\nQUESTION:\n${"x\n".repeat(100_000)}`],
    ["its question has 10 KB", `STATUS: BLOCKED\nNEXT: T-5\nQUESTION: ${"?".repeat(10_000)}\n`],
    ["its contract lines have more than 4 KiB together", `STATUS: BLOCKED\nNEXT: ${"n".repeat(2040)}\nQUESTION: ${"q".repeat(2040)}\n`],
    ["its contract lines have more than 4 KiB in bytes", `STATUS: CHECKPOINT\nNEXT: ${"é".repeat(2100)}\nQUESTION:\n`],
    ["it begins with a byte order mark", "\ufeffSTATUS: DONE\nNEXT: T-5\n"],
    ["a NUL stands before the word", "STATUS: \0DONE\nNEXT: T-5\n"],
    ["a NUL stands in NEXT", "STATUS: CHECKPOINT\nNEXT: T\0-5\n"],
    ["an escape code stands in NEXT", "STATUS: CHECKPOINT\nNEXT: \u001b[2J\n"],
    ["an escape code stands in the question", "STATUS: BLOCKED\nNEXT: T-5\nQUESTION: \u001b]0;title\u0007Why?\n"],
    ["a one-byte escape code stands in the question", "STATUS: BLOCKED\nNEXT: T-5\nQUESTION: \u009b31mWhy?\n"],
    ["a tab stands in NEXT", "STATUS: CHECKPOINT\nNEXT: T-5\tT-6\n"],
    ["a DEL stands in NEXT", "STATUS: CHECKPOINT\nNEXT: T-\u007f5\n"],
    ["a lone carriage return ends line 1", "STATUS: CHECKPOINT\rNEXT: T-5\rQUESTION:\r"],
    ["a lone carriage return hides half of NEXT", "STATUS: CHECKPOINT\nNEXT: T-5\rNEXT: T-6\n"],
    ["a right-to-left override stands in the question", "STATUS: BLOCKED\nNEXT: T-5\nQUESTION: \u202eyhW?\n"],
    ["a left-to-right override stands in NEXT", "STATUS: CHECKPOINT\nNEXT: \u202dT-5\n"],
    ["it is the contract as the prompt explains it", "STATUS: <status word>\nNEXT: <what comes next>\nQUESTION: <one line, or nothing>\n"],
  ])("%s", (_title, text) => {
    expect(parse(text)).toEqual(malformed);
  });

  const dones = "STATUS: DONE\nNEXT: T-5\n";
  test.each<[string, Uint8Array]>([
    ["a byte in it is no UTF-8", Uint8Array.from([...bytes("STATUS: CHECKPOINT\nNEXT: "), 0xff, 0x0a])],
    ["a byte of its prose is no UTF-8", Uint8Array.from([...bytes("STATUS: CHECKPOINT\nNEXT: T-5\nQUESTION:\nprose "), 0xe9, 0x0a])],
    ["a letter is cut in half", bytes("STATUS: CHECKPOINT\nNEXT: é").slice(0, -1)],
    ["a letter is written longer than it is", Uint8Array.from([...bytes("STATUS: "), 0xc1, 0x84, ...bytes("ONE\nNEXT: T-5\n")])],
    ["half a surrogate pair stands in it", Uint8Array.from([...bytes("STATUS: CHECKPOINT\nNEXT: "), 0xed, 0xa0, 0x80, 0x0a])],
    ["it is Latin-1", Uint8Array.from(Buffer.from("STATUS: CHECKPOINT\nNEXT: ecrã\n", "latin1"))],
    ["it is UTF-16 with a mark", Uint8Array.from(Buffer.from(`\ufeff${dones}`, "utf16le"))],
    ["it is UTF-16 without a mark", Uint8Array.from(Buffer.from(dones, "utf16le"))],
    ["it is UTF-16, big end first", Uint8Array.from(Buffer.from(`\ufeff${dones}`, "utf16le").swap16())],
  ])("%s", (_title, content) => {
    expect(parseNote(content)).toEqual(malformed);
  });

  test("it has more than 256 KiB", () => {
    const long = bytes(`STATUS: CHECKPOINT\nNEXT: T-5\nQUESTION:\n${"b".repeat(256 * 1024)}`);
    expect([parseNote(long).kind, readNote(file(long), null).kind]).toEqual(["malformed", "malformed"]);
  });

  test("and its raw lines are kept for a person", () => {
    const result = parse("Status: done\nNEXT: T-5\nQUESTION: Ship it?\nprose\n");
    expect(result.kind === "malformed" && result.rawLines.slice(0, 3)).toEqual(["Status: done", "NEXT: T-5", "QUESTION: Ship it?"]);
  });
});

describe("a window's note", () => {
  const good = file(bytes("STATUS: DONE\nNEXT: T-5\n"));
  const bad = file(bytes("all done\n"));
  const done = { kind: "note", note: { ...checkpoint, status: "done" } };
  const hashOf = (one: NoteFile): string => (one.kind === "file" ? one.hash : "");

  test.each<[string, NoteFile, string | null, unknown]>([
    ["counts when there was none before", good, null, done],
    ["counts when its bytes differ from those before", good, hashOf(bad), done],
    ["is unchanged when the bytes are those before", good, hashOf(good), { kind: "unchanged" }],
    ["is unchanged also when what lay there never parsed", bad, hashOf(bad), { kind: "unchanged" }],
    ["is malformed when its bytes differ and do not parse", bad, hashOf(good), malformed],
    ["is absent when no file is there", { kind: "absent" }, null, { kind: "absent" }],
    ["is absent when the window took the file away", { kind: "absent" }, hashOf(good), { kind: "absent" }],
    ["is malformed when it is a symbolic link", { kind: "not-regular", what: "symbolic link" }, null, malformed],
    ["is malformed when it is a pipe", { kind: "not-regular", what: "pipe" }, null, malformed],
    ["is malformed when it is a folder", { kind: "not-regular", what: "folder" }, hashOf(good), malformed],
    ["is malformed when it is a socket", { kind: "not-regular", what: "socket" }, null, malformed],
    ["is malformed when it is a device", { kind: "not-regular", what: "device" }, null, malformed],
    ["is malformed when it has 1 GiB", { kind: "too-large", bytes: 2 ** 30 }, null, malformed],
    ["is malformed when it has a byte too many", { kind: "too-large", bytes: 256 * 1024 + 1 }, hashOf(good), malformed],
    ["is malformed when it cannot be read", { kind: "unreadable", error: "EACCES" }, null, malformed],
  ])("%s", (_title, found, before, reading) => {
    expect(readNote(found, before)).toEqual(reading);
  });

  test("that does not lie there as a regular file says what does", () => {
    expect(readNote({ kind: "not-regular", what: "symbolic link" }, null)).toMatchObject({
      reason: expect.stringContaining("symbolic link"),
    });
  });

  test("that cannot be read says why", () => {
    expect(readNote({ kind: "unreadable", error: "EACCES" }, null)).toMatchObject({ reason: expect.stringContaining("EACCES") });
  });
});

test("a note is written with English words in the order of the contract", () => {
  const written = formatNote({ status: "awaiting-human", next: "T-5", question: "Ship it?", body: "One.\nTwo." });
  expect(written.split("\n").slice(0, 3)).toEqual(["STATUS: AWAITING-HUMAN", "NEXT: T-5", "QUESTION: Ship it?"]);
});
