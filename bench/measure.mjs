/** What the benches share: medians, sheets, L (the cost of making 4 KB durable), and a scratch folder. Ratios in one run are what counts; absolute figures are for a quiet machine. */
import { closeSync, fdatasyncSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function median(sample) {
  const sorted = [...sample].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** One sync of a 4 KB overwrite in a file that has its size: the least that a durable write can cost here. */
export function createSync(folder) {
  const descriptor = openSync(join(folder, "L"), "w");
  const block = Buffer.alloc(4096, 1);
  const bytes = 1 << 20;
  for (let at = 0; at < bytes; at += block.length) writeSync(descriptor, block);
  fsyncSync(descriptor);
  let at = 0;
  const run = () => {
    at = (at + block.length) % bytes;
    writeSync(descriptor, block, 0, block.length, at);
    fdatasyncSync(descriptor);
  };
  return {
    /** Milliseconds that one took. */
    ms() {
      const startedAt = performance.now();
      run();
      return performance.now() - startedAt;
    },
    close: () => closeSync(descriptor),
  };
}

/** Median of them in a tight loop, in the system's temp folder. */
export function durableWriteMs(rounds = 100) {
  const folder = mkdtempSync(join(tmpdir(), "midwatch-bench-"));
  const sync = createSync(folder);
  const sample = Array.from({ length: rounds }, sync.ms);
  sync.close();
  rmSync(folder, { recursive: true, force: true });
  return median(sample);
}

/** Results go to standard output: a line for whoever reads the sheet, or of a child for the bench that started it. */
export function say(line) {
  process.stdout.write(`${line}\n`);
}

export async function inScratch(work) {
  const folder = mkdtempSync(join(tmpdir(), "midwatch-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prints a row and remembers a missed bound; `finish()` sets the exit code. */
export function createSheet(title) {
  say(`\n${title}`);
  let missed = 0;
  return {
    row: (name, text) => say(`  ${name.padEnd(34)} ${text}`),
    /** @param limit  at most that; or { least } */
    bound(name, value, limit, unit = "") {
      const isMost = typeof limit === "number";
      const holds = isMost ? value <= limit : value >= limit.least;
      if (!holds) missed += 1;
      const words = isMost ? `at most ${limit}` : `at least ${limit.least}`;
      say(`  ${name.padEnd(34)} ${value.toFixed(2)}${unit} (${words}${unit}): ${holds ? "holds" : "MISSED"}`);
    },
    finish: () => {
      if (missed > 0) process.exitCode = 1;
    },
  };
}
