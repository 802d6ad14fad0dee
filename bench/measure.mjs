/** What the benches share: medians, sheets, L (the cost of making 4 KB durable), and a scratch folder. Ratios in one run are what counts; absolute figures are for a quiet machine. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function median(sample) {
  const sorted = [...sample].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Median milliseconds of an fdatasync after a 4 KB overwrite, in the system's temp folder. */
export function durableWriteMs(rounds = 100) {
  const folder = mkdtempSync(join(tmpdir(), "midwatch-bench-"));
  const file = openSync(join(folder, "L"), "w+");
  const block = Buffer.alloc(4096, 1);
  writeSync(file, block, 0, 4096, 0);
  fdatasyncSync(file);
  const sample = Array.from({ length: rounds }, () => {
    const startedAt = performance.now();
    writeSync(file, block, 0, 4096, 0);
    fdatasyncSync(file);
    return performance.now() - startedAt;
  });
  closeSync(file);
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
    bound(name, value, most, unit = "") {
      const holds = value <= most;
      if (!holds) missed += 1;
      say(`  ${name.padEnd(34)} ${value.toFixed(2)}${unit} (bound ${most}${unit})${holds ? "" : "  MISSED"}`);
    },
    finish: () => {
      if (missed > 0) process.exitCode = 1;
    },
  };
}
