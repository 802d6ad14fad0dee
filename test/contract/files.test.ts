/** The files port: what lies at a path may be anything, and a write is the old text or the new one. */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFiles } from "../../src/adapters/files/files.ts";
import { makeFolder } from "../fixtures/repositories.ts";

const files = createFiles();
const sha256 = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const isRoot = process.getuid?.() === 0;

type Made = (path: string) => void;

const notes: readonly (readonly [title: string, make: Made, expected: object])[] = [
  ["nothing", () => {}, { kind: "absent" }],
  ["an empty file", (path) => writeFileSync(path, ""), { kind: "file", bytes: Buffer.from(""), hash: sha256("") }],
  [
    "a file",
    (path) => writeFileSync(path, "STATUS: DONE\n"),
    { kind: "file", bytes: Buffer.from("STATUS: DONE\n"), hash: sha256("STATUS: DONE\n") },
  ],
  [
    "a file of bytes",
    (path) => writeFileSync(path, Buffer.from([0, 255, 254])),
    { kind: "file", bytes: Buffer.from([0, 255, 254]), hash: sha256(Buffer.from([0, 255, 254])) },
  ],
  [
    "a file of just the limit",
    (path) => writeFileSync(path, "x".repeat(100)),
    { kind: "file", bytes: Buffer.from("x".repeat(100)), hash: sha256("x".repeat(100)) },
  ],
  ["a file over the limit", (path) => writeFileSync(path, "x".repeat(101)), { kind: "too-large", bytes: 101 }],
  ["a folder", (path) => mkdirSync(path), { kind: "not-regular", what: "folder" }],
  ["a named pipe nobody writes to", (path) => void execFileSync("mkfifo", [path]), { kind: "not-regular", what: "named pipe" }],
  [
    "a link to a file",
    (path) => {
      writeFileSync(`${path}.target`, "x");
      symlinkSync(`${path}.target`, path);
    },
    { kind: "not-regular", what: "symbolic link" },
  ],
  ["a link to nothing", (path) => symlinkSync("nowhere", path), { kind: "not-regular", what: "symbolic link" }],
  ["a link to an endless device", (path) => symlinkSync("/dev/zero", path), { kind: "not-regular", what: "symbolic link" }],
];

test.each(notes)("read as a note, %s is told for what it is", async (_title, make, expected) => {
  const path = join(makeFolder(), "note.md");
  make(path);
  expect(await files.readNote(path, 100)).toEqual(expected);
});

test("a device and a socket are no note", async () => {
  expect(await files.readNote("/dev/zero", 100)).toEqual({ kind: "not-regular", what: "device" });
  const path = join(makeFolder(), "socket");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  expect(await files.readNote(path, 100)).toEqual({ kind: "not-regular", what: "socket" });
  await new Promise((resolve) => server.close(resolve));
});

test("a path through a file is absent", async () => {
  const path = join(makeFolder(), "file");
  writeFileSync(path, "");
  expect(await files.readNote(join(path, "note"), 100)).toEqual({ kind: "absent" });
  expect(await files.readText(join(path, "note"), 100)).toEqual({ kind: "absent" });
});

test.runIf(!isRoot)("a file that may not be read says so", async () => {
  const path = join(makeFolder(), "note");
  writeFileSync(path, "x");
  chmodSync(path, 0);
  expect(await files.readNote(path, 100)).toEqual({ kind: "unreadable", error: "EACCES" });
});

test.runIf(process.platform === "linux")("a file that grows past its limit while it is read is too large", async () => {
  // /proc files say they have no byte and then give many.
  expect(await files.readNote("/proc/self/status", 100)).toEqual({ kind: "too-large", bytes: 101 });
  expect(await files.readText("/proc/self/status", 1 << 16)).toMatchObject({ kind: "text", text: expect.stringContaining("VmRSS") });
});

const texts: readonly (readonly [title: string, make: Made, expected: object])[] = [
  ["nothing", () => {}, { kind: "absent" }],
  ["a text", (path) => writeFileSync(path, "é 🌙\r\n"), { kind: "text", text: "é 🌙\r\n", hash: sha256("é 🌙\r\n") }],
  ["a byte order mark", (path) => writeFileSync(path, "\ufeffx"), { kind: "text", text: "\ufeffx", hash: sha256("\ufeffx") }],
  [
    "a link to a text",
    (path) => {
      writeFileSync(`${path}.target`, "x");
      symlinkSync(`${path}.target`, path);
    },
    { kind: "text", text: "x", hash: sha256("x") },
  ],
  ["a link to nothing", (path) => symlinkSync("nowhere", path), { kind: "absent" }],
  ["bytes that are no UTF-8", (path) => writeFileSync(path, Buffer.from([0xff])), { kind: "unreadable", detail: "it is not valid UTF-8" }],
  ["too much", (path) => writeFileSync(path, "x".repeat(101)), { kind: "unreadable", detail: "it has 101 bytes; 100 is the limit" }],
  ["a folder", (path) => mkdirSync(path), { kind: "unreadable", detail: "it is a folder, not a regular file" }],
  [
    "a named pipe nobody writes to",
    (path) => void execFileSync("mkfifo", [path]),
    { kind: "unreadable", detail: "it is a named pipe, not a regular file" },
  ],
  [
    "a link to an endless device",
    (path) => symlinkSync("/dev/zero", path),
    { kind: "unreadable", detail: "it is a device, not a regular file" },
  ],
];

test.each(texts)("read as a text, %s is told for what it is", async (_title, make, expected) => {
  const path = join(makeFolder(), "plan.md");
  make(path);
  expect(await files.readText(path, 100)).toEqual(expected);
});

test("a new file is private, and missing folders are made for its owner alone", async () => {
  const folder = makeFolder();
  await files.writeAtomic(join(folder, "a/b/note.md"), "é\n");
  expect(readFileSync(join(folder, "a/b/note.md"), "utf8")).toBe("é\n");
  expect(
    [statSync(join(folder, "a/b/note.md")), statSync(join(folder, "a/b")), statSync(join(folder, "a"))].map((found) => found.mode & 0o777),
  ).toEqual([0o600, 0o700, 0o700]);
});

test("a file that was there keeps its mode and its owner, and is replaced as a whole", async () => {
  const path = join(makeFolder(), "plan.md");
  writeFileSync(path, "a long old text\n");
  chmodSync(path, 0o754);
  if (isRoot) chownSync(path, 12_345, 12_346);
  const before = statSync(path);
  await files.writeAtomic(path, "new\n");
  const after = statSync(path);
  expect(readFileSync(path, "utf8")).toBe("new\n");
  expect([after.mode, after.uid, after.gid]).toEqual([before.mode, before.uid, before.gid]);
  expect(after.ino).not.toBe(before.ino);
  expect(readdirSync(join(path, ".."))).toEqual(["plan.md"]);
});

test("a link stays a link, and its target is written, also through folders that are links", async () => {
  const folder = makeFolder();
  mkdirSync(join(folder, "real/inner"), { recursive: true });
  symlinkSync("real/inner", join(folder, "short"));
  symlinkSync("../target.md", join(folder, "real/inner/link.md"));
  await files.writeAtomic(join(folder, "short/link.md"), "one\n");
  expect(readFileSync(join(folder, "real/target.md"), "utf8")).toBe("one\n");
  await files.writeAtomic(join(folder, "short/link.md"), "two\n");
  expect(readFileSync(join(folder, "real/target.md"), "utf8")).toBe("two\n");
  expect(readlinkSync(join(folder, "real/inner/link.md"))).toBe("../target.md");
});

test.each<readonly [title: string, make: Made, reason: RegExp]>([
  ["a folder", (path) => mkdirSync(path), /it is no regular file/],
  ["a named pipe", (path) => void execFileSync("mkfifo", [path]), /it is no regular file/],
  ["a link to itself", (path) => symlinkSync(path, path), /too many symbolic links/],
])("%s is not written over", async (_title, make, reason) => {
  const folder = makeFolder();
  const path = join(folder, "plan.md");
  make(path);
  const before = lstatSync(path);
  await expect(files.writeAtomic(path, "x")).rejects.toMatchObject({
    code: "E_WRITE",
    kind: "environment",
    message: expect.stringMatching(reason),
  });
  expect([lstatSync(path).mode, lstatSync(path).ino, readdirSync(folder)]).toEqual([before.mode, before.ino, ["plan.md"]]);
});

test("a folder that is a file fails with its path", async () => {
  const path = join(makeFolder(), "file");
  writeFileSync(path, "");
  await expect(files.writeAtomic(join(path, "x"), "x")).rejects.toMatchObject({ message: expect.stringContaining(join(path, "x")) });
});

test("writes at once leave one whole text and nothing else", async () => {
  const folder = makeFolder();
  const path = join(folder, "x");
  const written = Array.from({ length: 20 }, (_none, number) => String(number).repeat(10_000));
  await Promise.all(written.map((text) => files.writeAtomic(path, text)));
  expect(written).toContain(readFileSync(path, "utf8"));
  expect(readdirSync(folder)).toEqual(["x"]);
});

/** A process of its own writes, with the fault points switched on as in the test build. */
function writeElsewhere(path: string, fault: string) {
  const module = new URL("../../src/adapters/files/files.ts", import.meta.url).href;
  const script = `globalThis.MIDWATCH_FAULTS = true; const { createFiles } = await import(${JSON.stringify(module)}); await createFiles().writeAtomic(${JSON.stringify(path)}, "new");`;
  return spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    env: { PATH: process.env["PATH"], MIDWATCH_FAULT: fault },
    encoding: "utf8",
  });
}

test("killed before the rename the old text is whole, and the next writer clears what was left", async () => {
  const folder = makeFolder();
  const path = join(folder, "plan.md");
  writeFileSync(path, "old");
  writeFileSync(join(folder, `.midwatch-${process.pid}-0123abcd-1.tmp`), "left by a process that had our number");
  writeFileSync(join(folder, ".midwatch-1-0123abcd-1.tmp"), "of one that lives");
  writeFileSync(join(folder, ".midwatch-notes.tmp"), "not ours");
  expect(writeElsewhere(path, "kill:file.temp-written").signal).toBe("SIGKILL");
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(readdirSync(folder)).toHaveLength(5);
  await createFiles().writeAtomic(path, "newer");
  expect(readFileSync(path, "utf8")).toBe("newer");
  expect(readdirSync(folder).sort()).toEqual([".midwatch-1-0123abcd-1.tmp", ".midwatch-notes.tmp", "plan.md"]);
});

test("killed after the rename the new text is whole", () => {
  const path = join(makeFolder(), "plan.md");
  writeFileSync(path, "old");
  expect(writeElsewhere(path, "kill:file.renamed").signal).toBe("SIGKILL");
  expect(readFileSync(path, "utf8")).toBe("new");
});

test("a disk that fills up leaves the old text and no temporary", () => {
  const folder = makeFolder();
  const path = join(folder, "plan.md");
  writeFileSync(path, "old");
  expect(writeElsewhere(path, "fail:file.temp-written:1:ENOSPC").stderr).toContain("E_WRITE");
  expect([readFileSync(path, "utf8"), readdirSync(folder)]).toEqual(["old", ["plan.md"]]);
});

test("what exists is what leads to something", async () => {
  const folder = makeFolder();
  symlinkSync("nowhere", join(folder, "dangling"));
  expect(await Promise.all([folder, join(folder, "dangling"), join(folder, "absent")].map((path) => files.exists(path)))).toEqual([
    true,
    false,
    false,
  ]);
});
