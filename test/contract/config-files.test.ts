/** Real files: what is found, what is broken, what stands in a file's place. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadConfig, type ResolvedConfig } from "../../src/config/load.ts";
import { readPromptTemplate } from "../../src/config/prompt-template.ts";
import { refusalOfPromise } from "./config-fixture.ts";

let base: string;
let top: string;
let file: string;
let userFile: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "midwatch-config-"));
  top = join(base, "tree");
  file = join(top, "midwatch.jsonc");
  userFile = join(base, "home/.config/midwatch/config.jsonc");
  mkdirSync(top);
  mkdirSync(join(base, "home/.config/midwatch"), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const load = (more: { projectFile?: "required"; env?: Record<string, string> } = {}): Promise<ResolvedConfig> =>
  loadConfig({ top, env: {}, homeDir: join(base, "home"), flags: [], ...more });

test("without any file the defaults count", async () => {
  const resolved = await load();
  expect(resolved).toMatchObject({ top, files: { user: null, project: null }, warnings: [] });
  expect(resolved.value.limits.run).toBe(150);
});

test("both files are found, and XDG_CONFIG_HOME moves the user's", async () => {
  writeFileSync(file, '{"plan":"a.md"}');
  writeFileSync(userFile, '{"limits":{"run":5}}');
  expect(await load()).toMatchObject({ files: { user: userFile, project: file }, value: { plan: "a.md", limits: { run: 5 } } });
  const elsewhere = join(base, "xdg/midwatch/config.jsonc");
  mkdirSync(join(base, "xdg/midwatch"), { recursive: true });
  writeFileSync(elsewhere, '{"limits":{"run":6}}');
  expect(await load({ env: { XDG_CONFIG_HOME: join(base, "xdg") } })).toMatchObject({
    files: { user: elsewhere },
    value: { limits: { run: 6 } },
  });
});

test("outside of a working tree there is no project's file", async () => {
  const resolved = await loadConfig({ top: null, env: {}, homeDir: join(base, "home"), flags: [] });
  expect(resolved.files.project).toBeNull();
});

test("where a project's file is needed, its absence names the next command", async () => {
  expect(await refusalOfPromise(load({ projectFile: "required" }))).toEqual({
    kind: "config",
    code: "E_CONFIG_MISSING",
    message: `midwatch.jsonc is missing in ${top}`,
    hint: "write one with: midwatch init",
  });
});

test.each([
  ["a byte order mark changes nothing", '\ufeff{ "plan": "a.md" }'],
  ["line ends of Windows change nothing", '{\r\n  // night\r\n  "plan": "a.md",\r\n}\r\n'],
  ["comments and a trailing comma change nothing", '/* x */ { "plan": /* y */ "a.md", } // z'],
])("%s", async (_title, text) => {
  writeFileSync(file, text);
  const resolved = await load();
  expect(resolved.value.plan).toBe("a.md");
});

test.each([
  ["an empty file", "", "midwatch.jsonc:1: is empty"],
  ["a file of blanks", " \n\n", "midwatch.jsonc:1: is empty"],
  ["a file of comments", "// later\n", "midwatch.jsonc:1: is empty"],
  ["a file that is cut after a value", '{\n  "limits": {\n    "run": 40', 'midwatch.jsonc:3: ends too early: a "}" is missing'],
  ["a file that is cut after a key", '{\n  "limits"', 'midwatch.jsonc:2: ends too early: a ":" is expected'],
  ["a file that is cut in a list", '{ "agent": { "command": ["a",\n', "midwatch.jsonc:1: ends too early: a value is expected"],
  ["a file that is cut in a comment", '{ "plan": "a.md" }\n/* and then', 'midwatch.jsonc:2: a comment has no end: "*/" is missing'],
  ["a file that is cut in a text", '{\n"plan": "tas', "midwatch.jsonc:2: a text has no end: a double quote is missing"],
  ["one brace only", "{", 'midwatch.jsonc:1: ends too early: a "}" is missing'],
  ["single quotes", "{\n'plan': 'a.md' }", "midwatch.jsonc:2: a word stands there that is no JSON: texts need double quotes"],
  ["a missing comma", '{\n"plan": "a.md"\n"handoff": "b.md" }', 'midwatch.jsonc:3: a "," is expected'],
  ["something after the end", "{}\n{}", 'midwatch.jsonc:2: something follows the last "}"'],
  ["a list", "[]", "midwatch.jsonc:1: must be an object { … }, not an empty list"],
  ["a number", "\n42", "midwatch.jsonc:2: must be an object { … }, not a number"],
  [
    "a merge that is not done",
    '{\n<<<<<<< HEAD\n"limits": { "run": 10 }\n=======\n"limits": { "run": 99 }\n>>>>>>> theirs\n}',
    "midwatch.jsonc:2: is in the middle of a merge",
  ],
  ["a hundred thousand brackets", `${"[".repeat(100_000)}`, "midwatch.jsonc:1: is nested too deeply to be read"],
])("%s is refused with its line", async (_title, text, message) => {
  writeFileSync(file, text);
  const refusal = await refusalOfPromise(load());
  expect(refusal).toMatchObject({ kind: "config", code: "E_CONFIG_SYNTAX", message });
  expect(refusal.hint).toMatch(/^[^\n]+$/);
});

test("a broken user's file is named with its whole path", async () => {
  writeFileSync(userFile, '{\n"limits": {\n');
  expect(await refusalOfPromise(load())).toMatchObject({ message: `${userFile}:2: ends too early: a "}" is missing` });
});

test.each<[string, () => void, string]>([
  ["a folder", () => mkdirSync(file), "is a folder"],
  ["a pipe that nobody feeds", () => expect(spawnSync("mkfifo", [file]).status).toBe(0), "is no regular file"],
  ["a device", () => symlinkSync("/dev/zero", file), "is no regular file"],
  ["a link to nothing", () => symlinkSync("gone", file), "is a link to nothing"],
  ["a link to itself", () => symlinkSync("midwatch.jsonc", file), "is a link that leads to itself"],
  ["a file of many gigabytes", () => writeSparse(file, 8 * 1024 ** 3), "is larger than 256 KiB"],
  ["UTF-16", () => writeFileSync(file, Buffer.from('\ufeff{ "plan": "a.md" }', "utf16le")), "is not UTF-8 text"],
  ["random bytes", () => writeFileSync(file, Buffer.from([0xc3, 0x28, 0xff, 0x00])), "is not UTF-8 text"],
])("%s in place of the file is refused, not read and not waited for", async (_title, put, trouble) => {
  put();
  const refusal = await refusalOfPromise(load());
  expect(refusal).toMatchObject({ kind: "config", code: "E_CONFIG_UNREADABLE", message: `midwatch.jsonc: ${trouble}` });
  expect(refusal.hint).toMatch(/^[^\n]+$/);
});

function writeSparse(path: string, bytes: number): void {
  writeFileSync(path, "{");
  truncateSync(path, bytes);
}

test("a file in place of the user's folder is named", async () => {
  rmSync(join(base, "home/.config/midwatch"), { recursive: true });
  writeFileSync(join(base, "home/.config/midwatch"), "");
  expect(await refusalOfPromise(load())).toMatchObject({
    code: "E_CONFIG_UNREADABLE",
    message: `${userFile}: cannot be reached: a file stands where one of its folders should`,
  });
});

test("a file that this user may not read is refused with the way out", async () => {
  writeFileSync(file, "{}");
  chmodSync(file, 0o000);
  chmodSync(base, 0o755);
  chmodSync(top, 0o755);
  await load({ env: {} }).catch(() => {}); // the schema is loaded before this process gives up its rights
  const refusal = await asNobody(() => refusalOfPromise(load({ env: { XDG_CONFIG_HOME: "/nowhere" } })));
  expect(refusal).toEqual({
    kind: "config",
    code: "E_CONFIG_UNREADABLE",
    message: "midwatch.jsonc: may not be read by this user",
    hint: `allow it: chmod u+r ${file}`,
  });
});

/** Root may read everything: for the time of the call this process is nobody. */
async function asNobody<T>(call: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return call();
  process.seteuid?.(65_534);
  try {
    return await call();
  } finally {
    process.seteuid?.(0);
  }
}

test.each<[string, "project" | "user", (name: string) => void]>([
  ["a prompt in the tree", "project", () => writeFileSync(join(top, "night.md"), "Go on.\n")],
  ["a prompt beside the user's file", "user", () => writeFileSync(join(base, "home/.config/midwatch/night.md"), "Go on.\n")],
])("%s is read", async (_title, layer, put) => {
  writeFileSync(layer === "project" ? file : userFile, '{ "prompt": "night.md" }');
  put("night.md");
  expect(await readPromptTemplate(await load())).toBe("Go on.\n");
});

test("without a prompt of one's own it is ours", async () => {
  expect(await readPromptTemplate(await load())).toBeNull();
});

test.each<[string, () => void, string]>([
  ["missing", () => {}, "is missing"],
  ["empty", () => writeFileSync(join(top, "night.md"), "\n"), "is empty"],
  ["a folder", () => mkdirSync(join(top, "night.md")), "is a folder"],
])("a prompt that is %s is refused with the line that names it", async (_title, put, trouble) => {
  writeFileSync(file, '{\n  "prompt": "night.md"\n}');
  put();
  expect(await refusalOfPromise(load().then(readPromptTemplate))).toMatchObject({
    kind: "config",
    code: "E_PROMPT_TEMPLATE",
    message: `midwatch.jsonc:2: the prompt template ${join(top, "night.md")} ${trouble}`,
  });
});
