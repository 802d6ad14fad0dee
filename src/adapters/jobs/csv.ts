/** Jobs from a CSV file (RFC 4180): the first line names the fields, each further record is a job whose fields are texts. */
import { pipeline, Readable } from "node:stream";
import { CsvError, type Info, parse } from "csv-parse";
import type { JobSource } from "../../ports/job-list.ts";
import { readChecked } from "./checked-bytes.ts";
import { createNaming, type Draft } from "./draft.ts";
import { tooLarge, tooLargeHint } from "./lines.ts";
import { quoted, refuse } from "./refusal.ts";

interface CsvRecord {
  /** Of its first line. */
  readonly line: number;
  readonly fields: readonly string[];
}

export async function* readCsv({ path, ids, maxBytes }: JobSource): AsyncGenerator<Draft> {
  const nameOf = createNaming(ids);
  let header: readonly string[] | null = null;
  let empty: number | null = null;
  for await (const { line, fields } of readRecords(path, maxBytes)) {
    if (fields.length === 1 && fields[0]?.trim() === "") {
      empty ??= line;
      continue;
    }
    if (empty !== null) throw refuse({ path, line: empty }, "the line is empty");
    const place = { path, line };
    if (header === null) {
      header = checkHeader(place, fields);
      continue;
    }
    if (fields.length !== header.length) throw refuse(place, `${fields.length} fields, where the first line names ${header.length}`);
    const job = Object.fromEntries(header.map((name, index) => [name, fields[index] ?? ""]));
    const payload = JSON.stringify(job);
    if (Buffer.byteLength(payload) > maxBytes) throw refuse(place, tooLarge(maxBytes), tooLargeHint);
    yield { place, id: nameOf(place, job), payload };
  }
}

function checkHeader(place: { path: string; line: number }, names: readonly string[]): readonly string[] {
  if (names.some((name) => name.trim() === "")) throw refuse(place, "the first line names the fields, and one of them has no name");
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  if (twin !== undefined) throw refuse(place, `two fields are called ${quoted(twin)}`);
  return names;
}

async function* readRecords(path: string, maxBytes: number): AsyncGenerator<CsvRecord> {
  const place = { path, line: 1 };
  const parser = parse({
    ...{ info: true, relax_column_count: true, max_record_size: maxBytes, record_delimiter: ["\r\n", "\n", "\r"] },
    // Records that were read before a mistake, and not yet taken from the parser, are lost with it: only this knows how far it came.
    on_record(record, { lines }) {
      place.line = lines + 1;
      return record;
    },
  });
  // Whatever goes wrong comes out of the loop below.
  pipeline(Readable.from(readChecked(path)), parser, () => undefined);
  let line = 1;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      yield { line, fields: record };
      line = info.lines + 1;
    }
  } catch (error) {
    throw error instanceof CsvError ? broken(place, error, maxBytes) : error;
  }
}

const words: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "a quote is opened and not closed",
  INVALID_OPENING_QUOTE: "a quote in the middle of a field that does not begin with one",
  CSV_INVALID_CLOSING_QUOTE: "after a quoted field comes something else than a comma",
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: "after a quoted field comes something else than a comma",
};

function broken(place: { path: string; line: number }, error: CsvError, maxBytes: number) {
  if (error.code === "CSV_MAX_RECORD_SIZE") return refuse(place, tooLarge(maxBytes), tooLargeHint, error);
  return refuse(place, words[error.code] ?? `this is no CSV (${error.code})`, undefined, error);
}
