/** Lists of jobs as people have them: what is taken, and for everything else one line that names file and line. */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test as plainTest, test } from "vitest";
import { readChecked } from "../../src/adapters/jobs/checked-bytes.ts";
import { createJobLists } from "../../src/adapters/jobs/job-lists.ts";
import { MidwatchError } from "../../src/core/error.ts";
import type { NewJob } from "../../src/ports/batch-store.ts";
import type { JobIds } from "../../src/ports/job-list.ts";

const lists = createJobLists();
const mib = 1024 * 1024;

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "midwatch-jobs-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function write(name: string, content: string | Uint8Array): string {
  const path = join(makeFolder(), name);
  writeFileSync(path, content);
  return path;
}

async function read(path: string, ids: JobIds = { kind: "own" }, maxBytes = mib): Promise<readonly NewJob[]> {
  const list = await lists.read({ path, ids, maxBytes });
  try {
    const jobs = [...list.all()];
    expect(list.jobs).toBe(jobs.length);
    return jobs;
  } finally {
    list.close();
  }
}

async function refusal(path: string, ids?: JobIds, maxBytes?: number): Promise<string> {
  const error = await read(path, ids, maxBytes).catch((caught: unknown) => caught);
  if (!(error instanceof MidwatchError)) throw new Error(`it was taken: ${String(error).slice(0, 300)}`);
  expect(error.kind).toBe("usage");
  expect(`${error.message}${error.hint}`).not.toMatch(/[\n\r\0]/);
  expect(error.hint).not.toBe("");
  return error.message.replace(path, "FILE");
}

const byLine: JobIds = { kind: "line" };
const byField = (name: string): JobIds => ({ kind: "field", name });
const bom = "\ufeff";

test.each<[title: string, name: string, text: string, ids: JobIds, expected: readonly NewJob[]]>([
  ["a number as id is its text", "a.jsonl", '{"id":215}\n', { kind: "own" }, [{ id: "215", payload: '{"id":215}' }]],
  [
    "a list without ids takes the lines",
    "a.jsonl",
    '{"q":1}\n{"q":2}',
    { kind: "own" },
    [
      { id: "1", payload: '{"q":1}' },
      { id: "2", payload: '{"q":2}' },
    ],
  ],
  ["the person may take the lines", "a.jsonl", '{"id":"a b"}\n', byLine, [{ id: "1", payload: '{"id":"a b"}' }]],
  ["another field may be the id", "a.jsonl", '{"id":1,"name":"x"}\n', byField("name"), [{ id: "x", payload: '{"id":1,"name":"x"}' }]],
  [
    "a JSON pointer leads to a nested one",
    "a.jsonl",
    '{"a":{"b/c":"x"}}\n',
    byField("/a/b~1c"),
    [{ id: "x", payload: '{"a":{"b/c":"x"}}' }],
  ],
  [
    "the text of a job stays as it was written",
    "a.jsonl",
    ' {"n": 1e400, "n": 12345678901234567890}\t\n',
    { kind: "own" },
    [{ id: "1", payload: '{"n": 1e400, "n": 12345678901234567890}' }],
  ],
  [
    "CRLF ends a line",
    "a.jsonl",
    '{"id":1}\r\n{"id":2}\r\n',
    { kind: "own" },
    [
      { id: "1", payload: '{"id":1}' },
      { id: "2", payload: '{"id":2}' },
    ],
  ],
  [
    "CR alone ends a line",
    "a.jsonl",
    '{"id":1}\r{"id":2}\r',
    { kind: "own" },
    [
      { id: "1", payload: '{"id":1}' },
      { id: "2", payload: '{"id":2}' },
    ],
  ],
  ["a BOM is left out", "a.jsonl", `${bom}{"id":1}\n`, { kind: "own" }, [{ id: "1", payload: '{"id":1}' }]],
  ["empty lines at the end are nobody's mistake", "a.jsonl", '{"id":1}\n\n \r\n\n', { kind: "own" }, [{ id: "1", payload: '{"id":1}' }]],
  ["a CSV file's fields are texts", "a.CSV", "id,q\n7,0.10\n", { kind: "own" }, [{ id: "7", payload: '{"id":"7","q":"0.10"}' }]],
  [
    "quotes hold commas, quotes and lines",
    "a.csv",
    'id,q\r\n1,"a, ""b""\r\nc"\r\n2,d\r\n',
    { kind: "own" },
    [
      { id: "1", payload: '{"id":"1","q":"a, \\"b\\"\\r\\nc"}' },
      { id: "2", payload: '{"id":"2","q":"d"}' },
    ],
  ],
  [
    "a CSV file without ids takes the lines, also where a job has several",
    "a.csv",
    'q\n"a\nb"\nc\n',
    { kind: "own" },
    [
      { id: "2", payload: '{"q":"a\\nb"}' },
      { id: "4", payload: '{"q":"c"}' },
    ],
  ],
  [
    "a CSV file with a BOM and CR alone",
    "a.csv",
    `${bom}id,q\r1,a\r2,b\r`,
    { kind: "own" },
    [
      { id: "1", payload: '{"id":"1","q":"a"}' },
      { id: "2", payload: '{"id":"2","q":"b"}' },
    ],
  ],
])("%s", async (_title, name, text, ids, expected) => {
  expect(await read(write(name, text), ids)).toEqual(expected);
});

test.each<[title: string, name: string, content: string | Uint8Array, message: string, ids?: JobIds]>([
  ["a broken line", "a.jsonl", '{"id":1}\n{"id":\n{"id":3}\n', 'FILE:2: this is no JSON: "{\\"id\\":"'],
  ["the same id twice", "a.jsonl", '{"id":1}\n{"id":2}\n{"id":"1","q":1}\n', 'FILE:3: the id "1" is in line 1 already'],
  ["the same job twice", "a.jsonl", '{"id":1}\n{"id":1}\n', 'FILE:2: the id "1" is in line 1 already'],
  ["an empty line between jobs", "a.jsonl", '{"id":1}\n\n{"id":2}\n', "FILE:2: the line is empty"],
  ["a list in one line", "a.jsonl", '[{"id":1}]\n', "FILE:1: a job is a JSON object { … }, and this is a list"],
  ["a text for a job", "a.jsonl", '"x"\n', 'FILE:1: a job is a JSON object { … }, and this is "\\"x\\""'],
  ["null for a job", "a.jsonl", "null\n", 'FILE:1: a job is a JSON object { … }, and this is "null"'],
  ["an id that is an object", "a.jsonl", '{"id":{"a":1}}\n', 'FILE:1: its "id" is neither text nor a number, so it is no id'],
  ["an id that is null", "a.jsonl", '{"id":null}\n', 'FILE:1: its "id" is neither text nor a number, so it is no id'],
  [
    "an id with a colon",
    "a.jsonl",
    '{"id":"a:b"}\n',
    'FILE:1: "a:b" is no id: 1 to 100 of A-Z, a-z, 0-9, ".", "_" and "-", the first a letter or digit',
  ],
  [
    "an id that is a path",
    "a.jsonl",
    '{"id":"../x"}\n',
    'FILE:1: "../x" is no id: 1 to 100 of A-Z, a-z, 0-9, ".", "_" and "-", the first a letter or digit',
  ],
  [
    "a number that loses digits",
    "a.jsonl",
    '{"id":12345678901234567890}\n',
    "FILE:1: 12345678901234567000 is no id: a number must be whole and of at most 15 digits",
  ],
  ["a fraction as id", "a.jsonl", '{"id":1.5}\n', "FILE:1: 1.5 is no id: a number must be whole and of at most 15 digits"],
  ["an id in some jobs only", "a.jsonl", '{"id":1}\n{"q":2}\n', 'FILE:2: the job has no field "id", which is to be its id'],
  ["an id that comes late", "a.jsonl", '{"q":1}\n{"id":2}\n', "FILE:2: this job has an id, and the ones before it have none"],
  ["a field that is not there", "a.jsonl", '{"q":1}\n', 'FILE:1: the job has no field "name", which is to be its id', byField("name")],
  [
    "bytes that are no text",
    "a.jsonl",
    Buffer.concat([Buffer.from('{"id":1}\n{"id":"'), Buffer.from([0xff, 0x22, 0x7d, 0x0a])]),
    "FILE:2: it is not UTF-8",
  ],
  [
    "a character that is cut at the end",
    "a.jsonl",
    Buffer.concat([Buffer.from('{"id":1}\n'), Buffer.from([0xe2, 0x82])]),
    "FILE:2: it is not UTF-8",
  ],
  ["a NUL", "a.jsonl", '{"id":1}\n\0{"id":2}\n', "FILE:2: there is a NUL in it: this is no text"],
  ["UTF-16", "a.jsonl", Buffer.from('\ufeff{"id":1}\n', "utf16le"), "FILE:1: it is UTF-16 text"],
  ["nothing at all", "a.jsonl", "", "FILE: there is no job in it"],
  ["only a BOM", "a.jsonl", bom, "FILE: there is no job in it"],
  ["a CSV file of a header alone", "a.csv", "id,q\n", "FILE: there is no job in it"],
  ["a record with a field too many", "a.csv", "id,q\n1,a\n2,b,c\n", "FILE:3: 3 fields, where the first line names 2"],
  ["a record with a field too few", "a.csv", 'id,q\n1,"a\nb"\n2\n', "FILE:4: 1 fields, where the first line names 2"],
  ["an empty line in a CSV file", "a.csv", "id,q\n1,a\n\n2,b\n", "FILE:3: the line is empty"],
  ["a quote that is not closed", "a.csv", 'id,q\n1,a\n2,"b\n3,c\n', "FILE:3: a quote is opened and not closed"],
  ["a quote within a field", "a.csv", 'id,q\n1,a"b"\n', "FILE:2: a quote in the middle of a field that does not begin with one"],
  ["something after a closing quote", "a.csv", 'id,q\n1,"a"b\n', "FILE:2: after a quoted field comes something else than a comma"],
  ["a field without a name", "a.csv", "id,\n1,a\n", "FILE:1: the first line names the fields, and one of them has no name"],
  ["two fields of one name", "a.csv", "id,q,q\n1,a,b\n", 'FILE:1: two fields are called "q"'],
  ["twins in a CSV file", "a.csv", "id,q\n1,a\n1,a\n", 'FILE:3: the id "1" is in line 2 already'],
  [
    "bytes that are no text in a CSV file",
    "a.csv",
    Buffer.concat([Buffer.from("id,q\n1,"), Buffer.from([0xc3, 0x28, 0x0a])]),
    "FILE:2: it is not UTF-8",
  ],
])("%s is refused", async (_title, name, content, message, ids) => {
  expect(await refusal(write(name, content), ids)).toBe(message);
});

test("a job over the bound is refused by its line, and the rest of it is never read", async () => {
  const line = `{"id":2,"text":"${"x".repeat(mib)}"}`;
  expect(await refusal(write("a.jsonl", `{"id":1}\n${line}\n`))).toBe("FILE:2: a job of more than 1 MiB");
  expect(await refusal(write("a.csv", `id,q\n1,"${"x".repeat(mib)}"\n`))).toBe("FILE:2: a job of more than 1 MiB");
  expect(await read(write("a.jsonl", `${line}\n`), { kind: "own" }, 2 * mib)).toEqual([{ id: "2", payload: line }]);
});

test("characters that lie across two reads are whole again", async () => {
  const text = `{"id":1,"t":"${"€".repeat(300_000)}"}`;
  for (const shift of ["", "x", "xx"]) {
    const payload = text.replace("€", `${shift}€`);
    expect(await read(write("a.jsonl", `${payload}\n`))).toEqual([{ id: "1", payload }]);
  }
});

test("a pair of CR and LF that lies across two reads ends one line", async () => {
  const first = `{"id":1,"t":"${"x".repeat(256 * 1024 - 16)}"}`;
  expect(Buffer.byteLength(first)).toBe(256 * 1024 - 1);
  expect((await read(write("a.jsonl", `${first}\r\n{"id":2}\r\n`))).map(({ id }) => id)).toEqual(["1", "2"]);
  expect((await read(write("a.jsonl", `${first}\r\n{"q":2}\r\n`), byLine)).map(({ id }) => id)).toEqual(["1", "2"]);
  expect(await refusal(write("a.jsonl", `${first}\r\n{"id":"\0"}\r\n`))).toBe("FILE:2: there is a NUL in it: this is no text");
});

test("a folder is a list: one file a job, called as the file is", async () => {
  const folder = makeFolder();
  for (const [name, text] of Object.entries({ "b.txt": "B", a: "A €", ".hidden": "no" })) writeFileSync(join(folder, name), text);
  expect(await read(folder)).toEqual([
    { id: "a", payload: JSON.stringify({ path: join(folder, "a"), text: "A €" }) },
    { id: "b.txt", payload: JSON.stringify({ path: join(folder, "b.txt"), text: "B" }) },
  ]);
});

test.each<[title: string, make: (folder: string) => void, message: RegExp]>([
  ["a folder in it", (folder) => mkdirSync(join(folder, "sub")), /\/sub: it is no regular file$/],
  ["a link in it", (folder) => symlinkSync("/etc/hostname", join(folder, "link")), /\/link: it is no regular file$/],
  ["a FIFO in it", (folder) => execFileSync("mkfifo", [join(folder, "pipe")]), /\/pipe: it is no regular file$/],
  ["a name that is no id", (folder) => writeFileSync(join(folder, "a b"), ""), /"a b" is no id/],
  ["a file that is no text", (folder) => writeFileSync(join(folder, "x"), Buffer.from([0xff])), /\/x:1: it is not UTF-8$/],
  ["a file over the bound", (folder) => writeFileSync(join(folder, "x"), Buffer.alloc(mib + 1, 0x61)), /\/x: a job of more than 1 MiB$/],
  ["nothing in it", () => undefined, /there is no job in it$/],
])("a folder with %s is refused", async (_title, make, message) => {
  const folder = makeFolder();
  make(folder);
  expect(await refusal(folder)).toMatch(message);
});

test("what is no list at all is told apart", async () => {
  const folder = makeFolder();
  expect(await refusal(join(folder, "none.jsonl"))).toBe("FILE: there is no such file or folder");
  execFileSync("mkfifo", [join(folder, "pipe")]);
  expect(await refusal(join(folder, "pipe"))).toBe("FILE: it is no regular file");
  expect(await refusal("/dev/null")).toBe("FILE: it is no regular file");
});

test("a file that is changed while it is read is refused", () => {
  const path = write("a.jsonl", `{"id":1}\n`.repeat(100_000));
  const reading = readChecked(path);
  reading.next();
  appendFileSync(path, '{"id":2}\n');
  expect(() => [...reading]).toThrow(/: it was changed while it was read$/);
});

const asRoot = process.getuid?.() === 0 ? plainTest.skip : plainTest;

asRoot("a file that may not be read is named with the reason", async () => {
  const path = write("a.jsonl", '{"id":1}\n');
  execFileSync("chmod", ["000", path]);
  expect(await refusal(path)).toBe("FILE: it cannot be read (EACCES)");
});
