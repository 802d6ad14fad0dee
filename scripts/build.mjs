/**
 * Builds the published program: each entry becomes a file that needs nothing beside Node. What the program imports late lies in chunks of its own,
 * so that `status` does not read the text of schemas and servers that it never uses (1.6 MB in one file took 31 ms to parse).
 * `node scripts/build.mjs [ROOT]`; a file appears whole or not at all, so a build may run beside another.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { formatNotices } from "./notices.mjs";

// The file with fault points is for the crash tests and is not published.
const entries = [
  { from: "src/main.ts", to: "dist/midwatch.js", faults: false, split: true },
  { from: "src/main.ts", to: "build/midwatch-faults.js", faults: true, split: false },
  { from: "src/demo/agent.ts", to: "dist/demo-agent.js", faults: false, split: false },
];
const chunks = "dist/chunks";
const notices = "dist/THIRD-PARTY-NOTICES.txt";

const root = resolve(process.argv[2] ?? join(import.meta.dirname, ".."));
const startedAt = performance.now();

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
const present = entries.filter((entry) => sources.includes(entry.from.slice("src/".length)));
if (!present.some((entry) => entry.from === "src/main.ts")) {
  process.stderr.write(`${join(root, "src/main.ts")} is missing: there is nothing to build\n`);
  process.exit(1);
}

/** The migrations as one value, path below src -> text: Node runs the sources directly and reads the files, the bundle carries them. */
const sql = Object.fromEntries(
  sources
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => [name, readFileSync(join(root, "src", name), "utf8")]),
);

/**
 * Asks for a built-in of Node where the module that imports it runs. Left alone, every import in the bundle would stand at its top, and
 * `status` would load node:http (30 ms) for the gateway that it does not start. It also serves a CommonJS package's `require`.
 * @type {import("esbuild").Plugin}
 */
const lateBuiltins = {
  name: "late-builtins",
  setup(build) {
    build.onResolve({ filter: /^[a-z]/ }, ({ path, kind, importer }) => {
      if (!isBuiltin(path)) return undefined;
      if (kind === "dynamic-import") return { path, external: true };
      // One for each importer: a shared one would be a chunk of its own, and a file more to be read at the start.
      return { path: `${relative(root, importer)} ${path}`, namespace: "builtin", sideEffects: false, pluginData: path };
    });
    build.onLoad({ filter: /./, namespace: "builtin" }, ({ pluginData }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(pluginData)});`,
    }));
  },
};

/** @param {{ from: string, to: string, faults: boolean, split: boolean }} entry */
function bundle({ from, to, faults, split }) {
  return build({
    absWorkingDir: root,
    entryPoints: [{ in: from, out: basename(to, ".js") }],
    outdir: dirname(to),
    splitting: split,
    chunkNames: "chunks/[hash]",
    write: false,
    metafile: true,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22.13",
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: "none",
    loader: { ".sql": "text" },
    // jsonc-parser's `main` is a wrapper that no bundler can read; its `module` is plain.
    mainFields: ["module", "main"],
    define: {
      MIDWATCH_FAULTS: String(faults),
      MIDWATCH_VERSION: JSON.stringify(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version),
      MIDWATCH_SQL: JSON.stringify(sql),
    },
    plugins: [lateBuiltins],
    // With no import left at its top, only this says that the file is a module.
    footer: { js: "export {};" },
    logLevel: "warning",
  });
}

/** @param {string} path @param {string | Uint8Array} content */
function put(path, content) {
  const target = join(root, path);
  const draft = join(dirname(target), `.${basename(target)}.${process.pid}`);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(draft, content);
  renameSync(draft, target);
}

/** Chunks of an earlier build. @param {ReadonlySet<string>} kept */
function removeOthers(kept) {
  for (const name of readdirSync(join(root, chunks))) if (!kept.has(join(chunks, name))) rmSync(join(root, chunks, name));
}

const packed = new Set();
for (const entry of present) {
  const result = await bundle(entry);
  const files = result.outputFiles.map(({ path, contents }) => ({ path: relative(root, path), contents }));
  // The entry comes last: whoever starts it finds its chunks.
  for (const file of files.toReversed()) put(file.path, file.contents);
  if (entry.split) removeOthers(new Set(files.map((file) => file.path)));
  const inputs = Object.keys(result.metafile.inputs).filter((input) => !input.startsWith("builtin:"));
  if (entry.to.startsWith("dist/")) for (const input of inputs) packed.add(input);
  const sizes = files.map((file) => Math.ceil(file.contents.length / 1024));
  const first = sizes[files.findIndex((file) => file.path === entry.to)];
  const rest = sizes.filter((_, index) => files[index].path !== entry.to);
  const beside = rest.length === 0 ? "" : ` and ${rest.reduce((sum, size) => sum + size, 0)} kB in ${rest.length} chunks`;
  process.stderr.write(`${entry.to}  ${first} kB${beside}\n`);
}
put(notices, formatNotices(root, packed));
process.stderr.write(`built in ${Math.round(performance.now() - startedAt)} ms\n`);
