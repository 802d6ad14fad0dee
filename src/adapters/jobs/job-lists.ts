/** Lists of jobs, by what lies at the path: a folder, a file `*.csv`, or any other file, which is taken for one JSON object a line. */
import { statSync } from "node:fs";
import type { JobLists, JobSource } from "../../ports/job-list.ts";
import type { Draft } from "./draft.ts";
import { readFolder } from "./folder.ts";
import { readJsonLines } from "./json-lines.ts";
import { keepList } from "./kept-list.ts";
import { refuse } from "./refusal.ts";

export function createJobLists(): JobLists {
  return {
    async read(source) {
      const list = await keepList(await translated(source, () => drafts(source)));
      if (list.jobs > 0) return list;
      list.close();
      throw refuse({ path: source.path, line: null }, "there is no job in it");
    },
  };
}

async function drafts(source: JobSource): Promise<Iterable<Draft> | AsyncIterable<Draft>> {
  const found = statSync(source.path, { throwIfNoEntry: false });
  const whole = { path: source.path, line: null };
  if (found === undefined) throw refuse(whole, "there is no such file or folder", "name the list of jobs with --jobs");
  if (found.isDirectory()) return guarded(source, readFolder(source));
  if (!found.isFile()) throw refuse(whole, "it is no regular file", "write the list into a file, or put its jobs into a folder");
  if (!/\.csv$/i.test(source.path)) return guarded(source, readJsonLines(source));
  return guarded(source, (await import("./csv.ts")).readCsv(source));
}

/** What the system says of a file is told as ours. */
async function* guarded(source: JobSource, from: Iterable<Draft> | AsyncIterable<Draft>): AsyncGenerator<Draft> {
  try {
    yield* from;
  } catch (error) {
    throw translate(source, error);
  }
}

async function translated<T>(source: JobSource, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translate(source, error);
  }
}

function translate({ path }: JobSource, error: unknown): unknown {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return error;
  return refuse({ path, line: null }, `it cannot be read (${String(error.code)})`, "see whose it is and what it is: ls -la", error);
}
