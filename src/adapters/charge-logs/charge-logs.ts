/** Reads a file in pieces. A pipe is as good as a file: `reconcile <(zcat night.gz)`. */
import { createReadStream } from "node:fs";
import { MidwatchError } from "../../core/error.ts";
import type { ChargeLogs } from "../../ports/charge-logs.ts";

export function createChargeLogs(): ChargeLogs {
  return { read };
}

async function* read(path: string): AsyncGenerator<string> {
  try {
    for await (const piece of createReadStream(path, { encoding: "utf8", highWaterMark: 256 * 1024 })) yield String(piece);
  } catch (cause) {
    throw new MidwatchError("usage", "E_WITNESS_FILE", `${path}: ${reasonOf(cause)}`, {
      hint: "name the log or export that your provider or gateway wrote; docs/ledger.md says how to get one",
      cause,
    });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder, not a file",
  EACCES: "you may not read it",
};

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return reasons[code] ?? (cause instanceof Error ? cause.message : String(cause));
}
