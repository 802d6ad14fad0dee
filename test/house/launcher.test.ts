/** The launcher, run as a program: a copy of bin beside a small program that stands in for the built one. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transform } from "esbuild";
import { afterAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const folder = mkdtempSync(join(tmpdir(), "midwatch-launcher-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An installed package: the launcher, the manifest with the given oldest Node, and the program if there is one. */
function install(name: string, { node = ">=22.13", program }: { node?: string; program?: string }): string {
  const place = join(folder, name);
  cpSync(join(root, "bin"), join(place, "bin"), { recursive: true });
  writeFileSync(join(place, "package.json"), JSON.stringify({ name: "midwatch", version, type: "module", engines: { node } }));
  if (program !== undefined) {
    mkdirSync(join(place, "dist"));
    writeFileSync(join(place, "dist/midwatch.js"), program);
  }
  return join(place, "bin/midwatch.js");
}

type Ran = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

function run(launcher: string, ...args: string[]): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], { encoding: "utf8" });
  return { status, stdout, stderr };
}

test.each(["--version", "-v", "-V"])("%s is answered without the program", (flag) => {
  expect(run(install(`version${flag}`, {}), flag)).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
});

test("the version is told on a Node that is too old", () => {
  expect(run(install("version-old", { node: ">=999.1" }), "--version")).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
});

test.each([
  ["a major version that is too old gets one line", ">=999.0", "999.0"],
  [
    "a minor version that is too old gets one line",
    `>=${process.versions.node.split(".")[0]}.999`,
    `${process.versions.node.split(".")[0]}.999`,
  ],
])("%s", (title, node, needed) => {
  const { status, stdout, stderr } = run(install(title, { node, program: 'console.log("started");' }), "status");
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toBe(
    `midwatch needs Node ${needed} or newer and this is ${process.versions.node}: install a newer one (https://nodejs.org), then run it again\n`,
  );
});

test("a checkout that is not built gets one line that names the command", () => {
  const { status, stderr } = run(install("unbuilt", {}), "status");
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: `midwatch is not built here: run \`npm ci && npm run build\` in ${join(folder, "unbuilt")}\n`,
  });
});

test("the program gets the arguments and decides the exit code", () => {
  const launcher = install("plain", { program: "console.log(process.argv.slice(2).join()); process.exitCode = 7;" });
  expect(run(launcher, "run", "--version")).toEqual({ status: 7, stdout: "run,--version\n", stderr: "" });
});

test("it starts through a link, as npm installs it", () => {
  const launcher = install("linked", { program: 'console.log("started");' });
  const link = join(folder, "midwatch-link");
  symlinkSync(launcher, link);
  expect(run(link, "status")).toEqual({ status: 0, stdout: "started\n", stderr: "" });
});

test("SQLite's warning is dropped and no other is", () => {
  const program = `
    await import("node:sqlite");
    process.emitWarning("SQLite is an experimental feature and might change at any time", "ExperimentalWarning");
    process.emitWarning("SQLite is slow today");
    process.emitWarning("Something else is experimental", "ExperimentalWarning");`;
  const { status, stderr } = run(install("warnings", { program }), "status");
  expect(status).toBe(0);
  expect(stderr.match(/\w*Warning: .*/g)).toEqual(["Warning: SQLite is slow today", "ExperimentalWarning: Something else is experimental"]);
});

test("an old Node can read the launcher: nothing in it would have to be rewritten", async () => {
  const source = readFileSync(join(root, "bin/midwatch.js"), "utf8");
  const [old, today] = await Promise.all(
    ["node12.9", "esnext"].map((target) => transform(source, { target, supported: { "dynamic-import": true } })),
  );
  expect(old?.code).toBe(today?.code);
});
