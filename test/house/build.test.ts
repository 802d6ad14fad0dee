/** The build, run on a small tree of its own: what is published, what is left out, and what stays unloaded until it is asked for. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "midwatch-build-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sources = {
  "src/main.ts": `
    import { faultPoint } from "./faults.ts";
    import { parse } from "jsonc-parser";
    declare const MIDWATCH_VERSION: string;
    declare const MIDWATCH_SQL: Record<string, string>;
    faultPoint("probe.start");
    const listed = { version: MIDWATCH_VERSION, sql: MIDWATCH_SQL, parsed: parse("{ /* one */ \\"a\\": 1 }") };
    if (process.argv[2] === "late") console.log((await import("./late.ts")).late());
    else console.log(JSON.stringify(listed));
    faultPoint("probe.end");`,
  "src/late.ts": `
    import { createServer } from "node:http";
    import { faultPoint } from "./faults.ts";
    console.log("loaded late");
    export function late(): string { faultPoint("probe.late"); return typeof createServer; }`,
  "src/store/0001-first.sql": "create table first (a text);\n",
  "src/demo/agent.ts": `import { basename } from "node:path"; console.log(basename("/a/agent"));`,
};

type Ran = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

function run(file: string, args: readonly string[] = [], env: Record<string, string> = {}): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { encoding: "utf8", env: { ...process.env, ...env } });
  return { status, stdout, stderr };
}

const build = (place: string): Ran => run(join(root, "scripts/build.mjs"), [place]);
const published = (): string =>
  ["dist/midwatch.js", ...readdirSync(join(folder, "dist/chunks")).map((name) => `dist/chunks/${name}`)].map(read).join("\n");
const read = (path: string): string => readFileSync(join(folder, path), "utf8");

beforeAll(() => {
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  for (const name of ["package.json", "src/faults.ts"]) cpSync(join(root, name), join(folder, name));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  expect(build(folder)).toMatchObject({ status: 0 });
});

test("the build leaves these files and no drafts", () => {
  expect(readdirSync(join(folder, "dist")).sort()).toEqual(["THIRD-PARTY-NOTICES.txt", "chunks", "demo-agent.js", "midwatch.js"]);
  expect(readdirSync(join(folder, "build"))).toEqual(["midwatch-faults.js"]);
});

test("the program knows its version and carries its migrations", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(JSON.parse(run(join(folder, "dist/midwatch.js")).stdout)).toEqual({
    version,
    sql: { "store/0001-first.sql": "create table first (a text);\n" },
    parsed: { a: 1 },
  });
});

test("a module that is imported late runs late, and its built-ins with it", () => {
  const program = join(folder, "dist/midwatch.js");
  expect(run(program).stdout).not.toContain("loaded late");
  expect(run(program, ["late"]).stdout).toBe("loaded late\nfunction\n");
  expect(read("dist/midwatch.js")).not.toMatch(/^import[^(]*"node:|;import[^(]*"node:/m);
});

test("the demo's agent is a program of its own", () => {
  expect(run(join(folder, "dist/demo-agent.js")).stdout).toBe("agent\n");
});

test("fault points are in the test build and not in the published one", () => {
  const names = /probe\.(?:start|end|late)|MIDWATCH_FAULT\w*/g;
  expect(published().match(names)).toBeNull();
  expect(new Set(read("build/midwatch-faults.js").match(names))).toEqual(
    new Set(["probe.start", "probe.end", "probe.late", "MIDWATCH_FAULT", "MIDWATCH_FAULT_LOG"]),
  );
});

test.each([
  ["the test build dies where it is told to", "build/midwatch-faults.js", { status: null, stdout: "" }],
  ["the published program does not", "dist/midwatch.js", { status: 0 }],
])("%s", (_title, file, ended) => {
  expect(run(join(folder, file), [], { MIDWATCH_FAULT: "kill:probe.start" })).toMatchObject(ended);
});

test("the notices name each package in the bundle with its licence", () => {
  const { version } = JSON.parse(readFileSync(join(root, "node_modules/jsonc-parser/package.json"), "utf8"));
  expect(read("dist/THIRD-PARTY-NOTICES.txt")).toContain(`jsonc-parser ${version} (MIT)\n\nThe MIT License`);
});

test("a tree without a program is refused", () => {
  const empty = join(folder, "empty");
  mkdirSync(join(empty, "src"), { recursive: true });
  const { status, stderr } = build(empty);
  expect(status).toBe(1);
  expect(stderr).toContain("src/main.ts is missing: there is nothing to build");
});
