/**
 * How fast a child's output is read, and in how much memory: `node bench/stream.mjs [CASE …]`. Exit code 1 when a bound is missed.
 * Each case has a supervisor process of its own that does what a window does (log, lines, both clocks), and reports its peak memory.
 * The source is this file as well, and costs a fraction of the reading; on a machine with one free core it still counts against us.
 * What is measured is bundled first, as it is when published: the loader of TypeScript alone would add 40 MB to each peak.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const parts = `
  export { createProcesses } from "./src/adapters/processes/processes.ts";
  export { createRedactor } from "./src/core/redaction/redactor.ts";
  export { parseStreamLine } from "./src/adapters/agents/stream-json/parse.ts";`;
const self = fileURLToPath(import.meta.url);
const mega = 1_000_000;
const giga = 1000 * mega;
const parseJson = (line) => void JSON.parse(Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString("utf8"));

const parseEvents = (line, bundle) => void bundle.parseStreamLine(line);

const cases = {
  "64k": {
    what: "1 GB of JSON lines of 64 KiB, each parsed",
    bytes: giga,
    text: () => jsonLine(65_536),
    read: parseJson,
    minMBs: 100,
    maxRssMB: 150,
  },
  events: {
    what: "1 GB of Claude's events, by the real parser",
    bytes: giga,
    text: eventLines,
    read: parseEvents,
    minMBs: 100,
    maxRssMB: 150,
  },
  short: {
    what: "1 GB of JSON lines of 200 bytes, each parsed",
    bytes: giga,
    text: () => jsonLine(200),
    read: parseJson,
    minMBs: 100,
    maxRssMB: 150,
  },
  line: { what: "one line of 100 MB, then one more", bytes: 100 * mega, text: () => "x".repeat(mega), read: () => {}, maxRssMB: 200 },
  endless: { what: "1 GB without a line end", bytes: giga, text: () => "x".repeat(mega), read: () => {}, maxRssMB: 200 },
};

/** As many as an environment of somebody's may have. */
const secrets = Array.from({ length: 8 }, (_, index) => createHash("sha256").update(`secret ${index}`).digest("base64"));

function jsonLine(bytes) {
  const frame = `${JSON.stringify({ type: "assistant", text: "" })}\n`;
  return frame.replace('""', `"${"x".repeat(bytes - frame.length)}"`);
}

function eventLines() {
  return readFileSync(new URL("../test/fixtures/traces/claude/basic.jsonl", import.meta.url), "utf8");
}

/** Prints whole texts until so many bytes are out, and at last one line by which the reader sees the end. */
function print({ bytes, text }) {
  const unit = Buffer.from(text());
  const block = Buffer.concat(Array(Math.max(1, Math.floor(mega / unit.length))).fill(unit));
  for (let out = 0; out < bytes; out += block.length) {
    for (let at = 0; at < block.length; ) at += writeSync(1, block, at);
  }
  writeSync(1, `${block.at(-1) === 0x0a ? "" : "\n"}{"type":"last"}\n`);
}

async function supervise(name, bundlePath) {
  const { read } = cases[name];
  const bundle = await import(bundlePath);
  const folder = mkdtempSync(join(tmpdir(), "midwatch-bench-"));
  const count = { lines: 0, last: "" };
  const redactor = bundle.createRedactor(secrets.map((value, index) => ({ name: `SECRET_${index}`, value })));
  const child = bundle.createProcesses().start({
    command: [process.execPath, self, "--print", name],
    cwd: folder,
    env: { PATH: "/usr/bin:/bin" },
    input: null,
    mark: `bench-${process.pid}`,
    limits: { wallMs: 300_000, idleMs: 60_000, graceMs: 1_000 },
    containment: "agent",
    log: { path: join(folder, "raw.log"), maxBytes: 64 * mega, redacting: redactor.stream() },
    onLine: (line) => {
      read(line, bundle);
      count.lines += 1;
      if (line.length < 100) count.last = Buffer.from(line).toString();
      return "work";
    },
  });
  const end = await child.end;
  rmSync(folder, { recursive: true });
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const cpuMs = Math.round((userCPUTime + systemCPUTime) / 1000);
  process.stdout.write(JSON.stringify({ ...end, ...count, rssMB: Math.round((maxRSS * 1024) / mega), cpuMs }));
}

async function bundleParts(outfile) {
  const { build } = await import("esbuild"); // only here: the measured processes do not carry it
  const stdin = { contents: parts, resolveDir: fileURLToPath(new URL("..", import.meta.url)) };
  const define = { MIDWATCH_FAULTS: "false" };
  await build({ stdin, outfile, bundle: true, platform: "node", format: "esm", minifySyntax: true, define });
  return outfile;
}

function measure(name, bundlePath) {
  const { what, minMBs = 0, maxRssMB } = cases[name];
  const run = spawnSync(process.execPath, [self, "--supervise", name, bundlePath], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const seen = JSON.parse(run.stdout);
  const mbs = Math.round(seen.stdoutBytes / 1000 / seen.durationMs);
  const missed = [
    ...(seen.kind === "exited" && seen.code === 0 && seen.last === '{"type":"last"}' ? [] : [`not read to its end: ${run.stdout}`]),
    ...(mbs < minMBs ? [`under ${minMBs} MB/s`] : []),
    ...(seen.rssMB > maxRssMB ? [`over ${maxRssMB} MB`] : []),
  ];
  const figures = `${String(mbs).padStart(5)} MB/s  ${String(seen.rssMB).padStart(4)} MB peak  ${String(seen.cpuMs).padStart(6)} ms of our CPU  ${seen.lines} lines`;
  process.stdout.write(`${what.padEnd(48)} ${figures}${missed.length === 0 ? "" : `  MISSED: ${missed.join(", ")}`}\n`);
  return missed.length === 0;
}

const [mode, name, bundlePath] = process.argv.slice(2);
if (mode === "--print") print(cases[name]);
else if (mode === "--supervise") await supervise(name, bundlePath);
else {
  const asked = mode === undefined ? Object.keys(cases) : process.argv.slice(2);
  const folder = mkdtempSync(join(tmpdir(), "midwatch-bench-"));
  const bundled = await bundleParts(join(folder, "parts.mjs"));
  process.exitCode = asked.map((each) => measure(each, bundled)).every(Boolean) ? 0 : 1;
  rmSync(folder, { recursive: true });
}
