/**
 * The guard of the guard: the linter's table of imports is fed one file for each thing that is forbidden and must complain,
 * and one for each thing that is allowed and must not. A checker that reads nothing is green, so what it read is counted too.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const biome = join(root, "node_modules/.bin/biome");

type Probe = readonly [title: string, folder: string, source: string];

const imports = "lint/style/noRestrictedImports";
const globals = "lint/style/noRestrictedGlobals";
const properties = "lint/nursery/noJsRestrictedProperties";

const from = (specifier: string): string => `export { x } from "${specifier}";`;
const typeFrom = (specifier: string): string => `export type { X } from "${specifier}";`;
const use = (expression: string): string => `export const x = ${expression};`;

const forbiddenImports: Probe[] = [
  ["core has no node built-in", "core", from("node:path")],
  ["core has no node built-in, even for a type", "core", typeFrom("node:fs")],
  ["core has no package", "core", from("zod")],
  ["core has no scoped package", "core", from("@hono/node-server")],
  ["core does not know the ports", "core", typeFrom("../ports/store.ts")],
  ["core does not know the engine", "core", from("../engine/run.ts")],
  ["core does not know an adapter", "core", from("../adapters/git/git.ts")],
  ["core does not load an adapter later", "core", 'export const x = import("../adapters/git/git.ts");'],
  ["core does not know the config", "core", from("../config/schema.ts")],
  ["core has no fault points", "core", from("../faults.ts")],
  ["core is not left by a detour", "core", from("./plan/../../ports/store.ts")],
  ["a folder in core does not know the ports", "core/plan", from("../../ports/store.ts")],
  ["a folder in core has no package", "core/plan", from("zod")],
  ["a deep folder in core does not know the ports", "core/plan/list", from("../../../ports/store.ts")],
  ["ports have no node built-in", "ports", typeFrom("node:stream")],
  ["ports have no package", "ports", typeFrom("zod")],
  ["ports do not know the engine", "ports", from("../engine/run.ts")],
  ["ports do not know an adapter", "ports", from("../adapters/git/git.ts")],
  ["a folder in ports does not know the engine", "ports/store", from("../../engine/run.ts")],
  ["the engine knows no adapter", "engine", from("../adapters/store/sqlite/open.ts")],
  ["the engine knows no config", "engine", from("../config/schema.ts")],
  ["the engine knows no command", "engine", from("../cli/run.ts")],
  ["the engine knows no page", "engine", from("../web/routes.ts")],
  ["the engine does not know the gateway", "engine", from("../gateway/claims.ts")],
  ["the engine knows no hook", "engine", from("../hooks/hook.ts")],
  ["the engine does not know the MCP server", "engine", from("../mcp/server.ts")],
  ["the engine knows no tool", "engine", from("../tools/ask.ts")],
  ["the engine starts no process", "engine", from("node:child_process")],
  ["the engine reads no file", "engine", from("node:fs")],
  ["the engine opens no socket", "engine", from("node:net")],
  ["the engine serves no HTTP", "engine", from("node:http")],
  ["the engine has no package", "engine", from("zod")],
  ["a folder in the engine knows no adapter", "engine/window", from("../../adapters/git/git.ts")],
  ["a deep folder in the engine knows no adapter", "engine/window/end", from("../../../adapters/git/git.ts")],
  ["an adapter does not know another", "adapters/git", from("../processes/spawn.ts")],
  ["an adapter does not know the engine", "adapters/git", from("../../engine/run.ts")],
  ["an adapter does not know a command", "adapters/git", from("../../cli/run.ts")],
  ["an adapter does not know the config", "adapters/git", from("../../config/schema.ts")],
  ["an adapter does not know a tool", "adapters/git", from("../../tools/ask.ts")],
  ["an adapter does not know the program", "adapters/git", from("../../main.ts")],
  ["an adapter does not know the composition root", "adapters/git", from("../../composition/app.ts")],
  ["a folder in an adapter does not know another adapter", "adapters/store/sqlite", from("../../git/git.ts")],
  ["a folder in an adapter does not know the engine", "adapters/store/sqlite", from("../../../engine/run.ts")],
  ["a deep folder in an adapter does not know another adapter", "adapters/store/sqlite/task", from("../../../git/git.ts")],
  ["a file beside the adapters belongs to no layer", "adapters", from("./git/git.ts")],
  ["a command knows no adapter", "cli", from("../adapters/git/git.ts")],
  ["a command knows no config", "cli", from("../config/schema.ts")],
  ["a command does not know the page", "cli", from("../web/routes.ts")],
  ["a command does not know the gateway", "cli", from("../gateway/claims.ts")],
  ["a command starts no process", "cli", from("node:child_process")],
  ["a command opens no database", "cli", from("node:sqlite")],
  ["a command does not know the program", "cli", from("../main.ts")],
  ["a command does not know the composition root", "cli", from("../composition/app.ts")],
  ["the engine does not know the composition root", "engine", from("../composition/app.ts")],
  ["the config does not know the composition root", "config", from("../composition/app.ts")],
  ["the composition root does not know the program", "composition", from("../main.ts")],
  ["the composition root starts no process itself", "composition", from("node:child_process")],
  ["a folder in cli knows no adapter", "cli/report", from("../../adapters/git/git.ts")],
  ["a deep folder in cli knows no adapter", "cli/report/text", from("../../../adapters/git/git.ts")],
  ["the page knows no adapter", "web", from("../adapters/git/git.ts")],
  ["the page knows no command", "web", from("../cli/run.ts")],
  ["the gateway knows no adapter", "gateway", from("../adapters/git/git.ts")],
  ["the gateway knows no config", "gateway", from("../config/schema.ts")],
  ["the gateway knows no hook", "gateway", from("../hooks/hook.ts")],
  ["a hook knows no adapter", "hooks", from("../adapters/git/git.ts")],
  ["a hook does not know the MCP server", "hooks", from("../mcp/server.ts")],
  ["the MCP server knows no adapter", "mcp", from("../adapters/git/git.ts")],
  ["the MCP server does not know the gateway", "mcp", from("../gateway/claims.ts")],
  ["a tool knows no adapter", "tools", from("../adapters/git/git.ts")],
  ["a tool knows no surface", "tools", from("../mcp/server.ts")],
  ["a tool has no node built-in", "tools", from("node:fs")],
  ["a tool has no package but the schemas", "tools", from("hono")],
  ["a folder in tools knows no adapter", "tools/memory", from("../../adapters/git/git.ts")],
  ["the config knows no engine", "config", from("../engine/run.ts")],
  ["the config knows no adapter", "config", from("../adapters/git/git.ts")],
  ["the config starts no process", "config", from("node:child_process")],
  ["the config has no other package", "config", from("commander")],
  ["a folder in config knows no adapter", "config/layers", from("../../adapters/git/git.ts")],
  ["the demo's agent does not know the engine", "demo", from("../engine/run.ts")],
  ["the demo's agent has no package", "demo", from("zod")],
  ["the scripted provider does not know the engine", "provider", from("../engine/run.ts")],
  ["the scripted provider knows no adapter", "provider", from("../adapters/git/git.ts")],
  ["the scripted provider has no package", "provider", from("hono")],
  ["the scripted provider starts no process", "provider", from("node:child_process")],
  ["a folder in the scripted provider knows no command", "provider/wire", from("../../cli/run.ts")],
  ["the fault points need no other built-in", "faults.ts", 'export { spawn } from "node:child_process";'],
  ["a new folder belongs to no layer until it is given one", "helpers", from("./other.ts")],
  ["a folder deeper than the table knows belongs to no layer", "core/a/b/c", from("./other.ts")],
  ["process is a global and not an import", "adapters/git", 'export { env } from "node:process";'],
  ["a command does not import process", "cli", 'export { exit } from "node:process";'],
];

const clockGlobals = ["Date", "performance", "setTimeout", "setInterval", "setImmediate", "queueMicrotask"];
const outsideGlobals = ["process", "console", "fetch", "crypto", "globalThis"];
const forbiddenGlobals: Probe[] = [
  ...["core", "ports", "engine", "tools", "core/plan/list"].flatMap((folder) =>
    [...clockGlobals, ...outsideGlobals].map((name): Probe => [`${folder} has no ${name}`, folder, use(name)]),
  ),
  ["core has no Buffer", "core", use("Buffer")],
];

const forbiddenProperties: Probe[] = [
  ...["core", "ports", "engine", "tools"].flatMap((folder): Probe[] => [
    [`${folder} has no Math.random`, folder, use("Math.random()")],
    [`${folder} has no Math.random by another name`, folder, "export const { random } = Math;"],
    [`${folder} has no AbortSignal.timeout`, folder, use("AbortSignal.timeout(1)")],
  ]),
  ...["adapters/git", "cli", "composition", "gateway", "hooks", "mcp", "provider", "web"].map(
    (folder): Probe => [`${folder} does not read the environment`, folder, use("process.env")],
  ),
  ["an adapter does not read the environment by another name", "adapters/git", "export const { env } = process;"],

  ...["adapters/git", "cli", "composition", "config"].map(
    (folder): Probe => [`${folder} does not take exit along`, folder, "export const { exit } = process;"],
  ),
];

const others: [...Probe, string[]][] = [
  ["an adapter does not end the process", "adapters/git", "process.exit(1);", ["lint/nursery/noProcessExit", properties]],
  ["a command does not end the process", "cli", 'process["exit"](1);', ["lint/nursery/noProcessExit", properties]],
  ["the gateway does not end the process", "gateway", "globalThis.process.exit(1);", ["lint/nursery/noProcessExit"]],
  ["a command does not print through console", "cli", "console.log(1);", ["lint/suspicious/noConsole"]],
  ["an adapter does not print through console", "adapters/git", "console.error(1);", ["lint/suspicious/noConsole"]],
  [
    "a promise is awaited",
    "engine",
    "export async function f() { await 0; }\nexport function g() { f(); }",
    ["lint/nursery/noFloatingPromises"],
  ],
  ["an import names the file", "core", from("./cycle-b"), ["lint/correctness/useImportExtensions"]],
  ["a package is declared before it is used", "cli", from("left-pad"), ["lint/correctness/noUndeclaredDependencies"]],
];

const allowed: Probe[] = [
  ["core imports core", "core", from("./other.ts")],
  ["core imports its folders", "core", from("./plan/other.ts")],
  ["a folder in core imports core", "core/plan", from("../other.ts")],
  ["a deep folder in core imports core", "core/plan/list", from("../../other.ts")],
  ["core may wait for a promise it is given", "core", "export const f = async (p: Promise<number>) => 1 + (await p);"],
  ["ports import core", "ports", typeFrom("../core/other.ts")],
  ["ports import ports", "ports", typeFrom("./other.ts")],
  ["the engine imports core", "engine", from("../core/other.ts")],
  ["the engine imports ports", "engine", typeFrom("../ports/other.ts")],
  ["the engine has fault points", "engine", from("../faults.ts")],
  [
    "a folder in the engine imports core, ports and the engine",
    "engine/window",
    [from("../../core/other.ts"), typeFrom("../../ports/other.ts"), 'export { y } from "../other.ts";'].join("\n"),
  ],
  ["an adapter imports core", "adapters/git", from("../../core/other.ts")],
  ["an adapter imports a folder of core", "adapters/git", from("../../core/plan/other.ts")],
  ["an adapter imports ports", "adapters/git", typeFrom("../../ports/other.ts")],
  ["an adapter has fault points", "adapters/git", from("../../faults.ts")],
  ["an adapter has node built-ins", "adapters/git", from("node:child_process")],
  ["an adapter has its library", "adapters/git", from("hono")],
  ["an adapter imports its own folder", "adapters/store/sqlite", from("../other.ts")],
  [
    "a deep folder in an adapter imports its own folder and core",
    "adapters/store/sqlite/task",
    [from("../../other.ts"), 'export { y } from "../../../../core/other.ts";'].join("\n"),
  ],
  ["an adapter has the clock", "adapters/clock", use("Date.now()")],
  ...["cli", "gateway", "hooks", "mcp", "web"].flatMap((folder): Probe[] => [
    [`${folder} imports the engine`, folder, from("../engine/other.ts")],
    [`${folder} imports core`, folder, from("../core/other.ts")],
    [`${folder} imports ports`, folder, typeFrom("../ports/other.ts")],
    [`${folder} imports tools`, folder, from("../tools/other.ts")],
    [`${folder} imports its own folder`, `${folder}/part`, from("../other.ts")],
    [`a folder in ${folder} imports core`, `${folder}/part`, from("../../core/other.ts")],
  ]),
  ["a command has its library", "cli", from("commander")],
  [
    "tools import the engine, core, ports and zod",
    "tools",
    [from("../engine/other.ts"), 'export { y } from "../core/other.ts";', typeFrom("../ports/other.ts"), 'export { z } from "zod";'].join(
      "\n",
    ),
  ],
  [
    "the config imports core, zod, the parser, files and paths",
    "config",
    ["../core/other.ts", "zod", "jsonc-parser", "node:fs", "node:path"].map((name, i) => `export { x${i} } from "${name}";`).join("\n"),
  ],
  ["the config reads the environment", "config", use("process.env")],
  [
    "the demo's agent is a program of its own",
    "demo",
    'export { x } from "../core/other.ts";\nexport { y } from "node:fs";\nconsole.log(process.env, Date.now());\nprocess.exit(0);',
  ],
  [
    "the scripted provider is a server of its own",
    "provider",
    'export { x } from "../core/other.ts";\nexport type { X } from "../ports/other.ts";\nexport { y } from "node:http";\nexport const z = Date.now();',
  ],
  [
    "the composition root joins the layers",
    "composition",
    'export { x } from "../adapters/git/other.ts";\nexport { y } from "../cli/other.ts";\nexport { z } from "../config/other.ts";\nexport { w } from "node:fs";',
  ],
  [
    "main.ts joins the layers and ends the process",
    "main.ts",
    'export { x } from "./adapters/git/other.ts";\nexport { y } from "./cli/other.ts";\nexport { z } from "./config/other.ts";\nprocess.exit(0);',
  ],
];

const expected: [...Probe, string[]][] = [
  ...forbiddenImports.map((probe): [...Probe, string[]] => [...probe, [imports]]),
  ...forbiddenGlobals.map((probe): [...Probe, string[]] => [...probe, [globals]]),
  ...forbiddenProperties.map((probe): [...Probe, string[]] => [...probe, [properties]]),
  ...others,
  ...allowed.map((probe): [...Probe, string[]] => [...probe, []]),
];

const judged = new Set([...expected.flatMap(([, , , rules]) => rules), "lint/suspicious/noImportCycles"]);

type Diagnostic = { readonly category: string; readonly location: { readonly path: string } };
type Report = { readonly summary: { readonly unchanged: number }; readonly diagnostics: readonly Diagnostic[] };

/** Lints a folder and gives what Biome said; it exits with 1 where it complains. */
function lint(folder: string, ...paths: string[]): Report {
  const result = spawnSync(biome, ["lint", "--reporter=json", "--max-diagnostics=none", ...paths], { cwd: folder, encoding: "utf8" });
  return JSON.parse(result.stdout);
}

/** A copy of the configuration with an empty src: the probes never touch the real one. */
function makeSkeleton(): string {
  const folder = mkdtempSync(join(tmpdir(), "midwatch-layers-"));
  for (const name of ["biome.json", "package.json"]) cpSync(join(root, name), join(folder, name));
  return folder;
}

const skeletons = [makeSkeleton(), makeSkeleton()] as const;
afterAll(() => {
  for (const folder of skeletons) rmSync(folder, { recursive: true, force: true });
});

function write(skeleton: string, path: string, source: string): void {
  mkdirSync(dirname(join(skeleton, path)), { recursive: true });
  writeFileSync(join(skeleton, path), `${source}\n`);
}

// A file with a fixed name stands once in each skeleton: what is forbidden in the first, what is allowed in the second.
const placed = expected.map(([title, place, source, rules], index) => {
  const skeleton = skeletons[rules.length > 0 ? 0 : 1];
  const path = place.endsWith(".ts") ? `src/${place}` : `src/${place}/probe-${index}.ts`;
  write(skeleton, path, source);
  return [title, { skeleton, path, rules }] as const;
});
write(skeletons[0], "src/core/cycle-a.ts", 'import { b } from "./cycle-b.ts";\nexport const a = () => b;');
write(skeletons[0], "src/core/cycle-b.ts", 'import { a } from "./cycle-a.ts";\nexport const b = () => a;');

const reports = new Map(skeletons.map((folder) => [folder, lint(folder, "src")]));

function complaints(skeleton: string, path: string): string[] {
  const diagnostics = reports.get(skeleton)?.diagnostics ?? [];
  return [
    ...new Set(diagnostics.filter((one) => one.location.path === path && judged.has(one.category)).map((one) => one.category)),
  ].sort();
}

test.each(placed)("%s", (_title, { skeleton, path, rules }) => {
  expect(complaints(skeleton, path)).toEqual([...rules].sort());
});

test("two files that import each other are a cycle", () => {
  expect(complaints(skeletons[0], "src/core/cycle-a.ts")).toEqual(["lint/suspicious/noImportCycles"]);
});

test("every probe was read", () => {
  const paths = new Set(placed.map(([, { skeleton, path }]) => `${skeleton}/${path}`));
  expect([...reports.values()].reduce((sum, report) => sum + report.summary.unchanged, 0)).toBe(paths.size + 2);
  expect(paths.size).toBe(placed.length);
});

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));

test("the linter reads every source file", () => {
  expect(lint(root, "src").summary.unchanged).toBe(sources.length);
});

test.each(sources.filter((name) => name.startsWith("ports/")))("%s holds types and nothing that runs", (name) => {
  const code = stripTypeScriptTypes(readFileSync(join(root, "src", name), "utf8"));
  expect(code.replace(/\/\*[\s\S]*?\*\/|\/\/.*|[\s;]/g, "")).toBe("");
});
