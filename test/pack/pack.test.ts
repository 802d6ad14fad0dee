/**
 * The published package, tried as a stranger would: packed, and run from the tarball by `npm exec` without a network and without install
 * scripts, on each Node that is supported. MIDWATCH_PACK_DEMO=1 plays the demo night on each as well.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { bring, nodeOf, npmOf, type Ran, root, run } from "./toolchains.ts";

const supported = [
  { node: "22.13.0", npm: "11.19.1" },
  { node: "22.23.5", npm: "12.2.2" },
  { node: "24.21.0", npm: "12.2.2" },
  { node: "26.12.1", npm: "11.19.1" },
  { node: "26.12.1", npm: "12.2.2" },
];
const tooOld = [
  { node: "22.12.0", npm: "11.19.1" },
  { node: "20.20.2", npm: "11.19.1" },
];
const used = [...supported, ...tooOld];
const withDemo = process.env["MIDWATCH_PACK_DEMO"] === "1";

type Packed = { readonly filename: string; readonly files: readonly { readonly path: string }[] };

const folder = mkdtempSync(join(tmpdir(), "midwatch-pack-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const packing = await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], { cwd: root });
// npm 11 answers with a list, npm 12 with an object by name.
const [packed] = Object.values<Packed>(JSON.parse(packing.stdout));
if (packed === undefined) throw new Error(packing.stderr);
const tarball = join(folder, packed.filename);
const files = packed.files.map((file) => file.path).sort();

const missing = await bring([...new Set(used.map(({ node }) => node))], [...new Set(used.map(({ npm }) => npm))]);
if (missing !== null && process.env["CI"] === "true") throw new Error(missing);
if (missing !== null) process.stderr.write(`skipped: the package is not tried on other Node versions, because ${missing}\n`);

/** `npm exec` of the tarball in an empty folder with an empty home: nothing of this machine or checkout takes part. */
async function execute({ node, npm }: { node: string; npm: string }, command: string): Promise<Ran> {
  const home = mkdtempSync(join(folder, "home-"));
  const env = {
    HOME: home,
    PATH: [dirname(nodeOf(node)), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter),
    npm_config_cache: join(home, "cache"),
    npm_config_update_notifier: "false",
  };
  const args = ["exec", "--offline", "--yes", "--ignore-scripts", `--package=${tarball}`, "--call", command];
  return run(nodeOf(node), [npmOf(npm), ...args], { cwd: home, env });
}

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

describe.skipIf(missing !== null)("the tarball", () => {
  test.each(supported)("runs on Node $node with npm $npm", async (toolchain) => {
    const { status, stdout } = await execute(toolchain, "node --version && midwatch --version && midwatch --help");
    expect(stdout.split("\n").slice(0, 2)).toEqual([`v${toolchain.node}`, version]);
    expect(status).toBe(0);
  });

  test.skipIf(!withDemo).each(supported)(
    "plays the demo night on Node $node with npm $npm",
    async (toolchain) => {
      const { status, stderr } = await execute(toolchain, "midwatch demo");
      expect({ status, trace: /^ {4}at /m.exec(stderr) }).toEqual({ status: 0, trace: null });
    },
    180_000,
  );

  test.each(tooOld)("tells Node $node what is needed, in one line", async (toolchain) => {
    const { status, stdout, stderr } = await execute(toolchain, "midwatch status");
    expect({ status, stdout, lines: stderr.split("\n").filter((line) => /midwatch needs|^ {4}at /.test(line)) }).toEqual({
      status: 2,
      stdout: "",
      lines: [
        `midwatch needs Node 22.13 or newer and this is ${toolchain.node}: install a newer one (https://nodejs.org), then run it again`,
      ],
    });
  });
});

test("the package holds the program and its papers, and nothing else", () => {
  expect(
    files.filter(
      (file) => !/^(?:README|CHANGELOG)\.md$|^dist\/demo-agent\.js$|^dist\/chunks\/[A-Z0-9]+\.js$|^schema\/.*\.json$/.test(file),
    ),
  ).toEqual(["LICENSE", "bin/midwatch.js", "bin/package.json", "dist/THIRD-PARTY-NOTICES.txt", "dist/midwatch.js", "package.json"]);
});

test("nothing that is installed with the package has an install script", async () => {
  const { stdout } = await run("tar", ["-xzOf", tarball, "package/package.json"], { cwd: folder });
  const manifest = JSON.parse(stdout);
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const withScripts = Object.entries<{ dev?: boolean; hasInstallScript?: boolean }>(lock.packages)
    .filter(([path, entry]) => path !== "" && entry.dev !== true && entry.hasInstallScript === true)
    .map(([path]) => path);
  expect(withScripts).toEqual([]);
  expect(Object.keys(manifest.scripts ?? {}).filter((name) => /^(?:pre|post)?install$|^prepare$/.test(name))).toEqual([]);
});

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && name !== "faults.ts")
  .map((name) => readFileSync(join(root, "src", name), "utf8"));
const calls = sources.flatMap((source) => source.match(/\bfaultPoint\(/g) ?? []);
const names = sources.flatMap((source) => [...source.matchAll(/\bfaultPoint\(\s*"([^"]+)"/g)].map((match) => match[1] ?? ""));

/** The bundler breaks long lines, also within a text. */
const whole = (text: string): string => text.replaceAll("\\\n", "");

/** The store names the points around each of its writes after the method: `store.<method>.before-commit`, and after. */
const computed = sources.flatMap((source) => source.match(/\bfaultPoint\(`store\.\$\{/g) ?? []);
/** Kinds of events are in the program, whether a point is called the same or not. */
const eventKinds = new Set(sources.flatMap((source) => [...source.matchAll(/\bkind: "([a-z]+\.[a-z-]+)"/g)].map((match) => match[1])));

test("every fault point has a name written out, and the test build has them all", () => {
  const program = whole(readFileSync(join(root, "build/midwatch-faults.js"), "utf8"));
  expect(names.length + computed.length).toBe(calls.length);
  expect(names.filter((name) => !program.includes(`"${name}"`))).toEqual([]);
  expect(program).toContain("MIDWATCH_FAULT");
});

test("no fault point is in the published program", () => {
  const chunks = readdirSync(join(root, "dist/chunks")).map((name) => `chunks/${name}`);
  const program = ["midwatch.js", ...chunks].map((name) => whole(readFileSync(join(root, "dist", name), "utf8"))).join("\n");
  expect(names.filter((name) => !eventKinds.has(name) && program.includes(`"${name}"`))).toEqual([]);
  expect(program).not.toMatch(/store\.\$\{\w+\}\.(?:before|after)-commit/);
  expect(program).not.toMatch(/MIDWATCH_FAULT(?:_LOG)?\b|kill-nth/);
});
