/** `midwatch batch export`: the answers as files, one a job, or as lines of JSON. What is there already is never overwritten. */
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { MidwatchError } from "../core/error.ts";
import { type JobLine, jobLines } from "../engine/batch/report.ts";
import type { App } from "./app.ts";
import { answerText, answerValue, requireStored, withBatches } from "./batch-command.ts";
import type { JsonOption } from "./command.ts";
import { tell } from "./layout.ts";
import { count, json } from "./print.ts";

interface Exported {
  readonly to: string;
  written: number;
  /** Were there already, the same. */
  known: number;
  /** Paths at which something else stands. */
  readonly different: string[];
}

export async function batchExportCommand(app: App, name: string, to: string, flags: JsonOption): Promise<number> {
  const path = resolve(to);
  return withBatches(app, async (store) => {
    const batch = await requireStored(store, name);
    const lines = jobLines(store, batch);
    const exported = await translated(path, () => (/\.jsonl$/i.test(path) ? exportLines(lines, path) : exportFiles(lines, path)));
    const { written, known, different } = exported;
    if (flags.json) app.terminal.out(json({ batch: name, ...exported }));
    else app.terminal.out(`${count(written, "answer")} written to ${path}${known === 0 ? "" : `, ${known} were there already`}\n`);
    for (const one of different.slice(0, 20)) tell(app.terminal, `left as it is, with another content: ${one}`);
    return different.length === 0 ? 0 : 1;
  });
}

async function exportFiles(lines: AsyncIterable<JobLine>, to: string): Promise<Exported> {
  const exported: Exported = { to, written: 0, known: 0, different: [] };
  mkdirSync(to, { recursive: true });
  for await (const { job, answer } of lines) if (answer !== null) exportFile(join(to, `${job}${endingOf(answer)}`), answer, exported);
  return exported;
}

function exportFile(path: string, answer: Uint8Array, exported: Exported): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) {
    writeWhole(path, (part) => writeFileSync(part, answer, { flag: "wx" }));
    exported.written += 1;
  } else if (Buffer.from(answer).equals(readFileSync(path))) exported.known += 1;
  else exported.different.push(path);
}

async function exportLines(lines: AsyncIterable<JobLine>, to: string): Promise<Exported> {
  if (statSync(to, { throwIfNoEntry: false }) !== undefined)
    throw new MidwatchError("usage", "E_EXPORT", `${to} is there already`, { hint: "nothing was written: name another file" });
  mkdirSync(dirname(to), { recursive: true });
  const part = `${to}.part`;
  rmSync(part, { force: true });
  const descriptor = openSync(part, "wx");
  let written = 0;
  try {
    for await (const { job, answer } of lines) {
      if (answer === null) continue;
      writeSync(descriptor, `${JSON.stringify({ job, ...answerValue(answer) })}\n`);
      written += 1;
    }
  } finally {
    closeSync(descriptor);
  }
  renameSync(part, to);
  return { to, written, known: 0, different: [] };
}

/** Never half a file under its name. */
function writeWhole(path: string, write: (part: string) => void): void {
  const part = `${path}.part`;
  rmSync(part, { force: true });
  write(part);
  renameSync(part, path);
}

function endingOf(answer: Uint8Array): string {
  const text = answerText(answer);
  if (text === null) return ".bin";
  try {
    JSON.parse(text);
    return ".json";
  } catch {
    return ".txt"; // not JSON: as good as any answer
  }
}

async function translated<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) throw error;
    throw new MidwatchError("environment", "E_EXPORT", `${path} cannot be written (${String(error.code)})`, {
      hint: "name a folder that you may write, or a file *.jsonl in one",
      cause: error,
    });
  }
}
