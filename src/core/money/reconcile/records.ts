/**
 * A witness's file as records, whatever its form: a JSON object a line, a JSON list, one JSON document, or CSV with a head. The form is told by how it begins.
 * Total and streaming: any text in pieces of any size gives records and named garbage, and memory is bounded by one record.
 */
import { isObject } from "../../json.ts";
import { createCsvReader } from "./csv.ts";
import type { Fields } from "./fields.ts";
import { createObjectReader } from "./json-objects.ts";
import { createLineReader } from "./lines.ts";

export type LogRecord =
  | { readonly kind: "record"; readonly line: number; readonly fields: Fields }
  | { readonly kind: "garbage"; readonly line: number };

export interface RecordReader {
  push(text: string): readonly LogRecord[];
  end(): readonly LogRecord[];
}

/** How much of the beginning tells the form, when no line end comes. */
const maxHead = 1024 * 1024;

export function createRecordReader(): RecordReader {
  let head = "";
  let reader: RecordReader | null = null;
  return {
    push(text) {
      if (reader !== null) return reader.push(text);
      head += text;
      if (!/\S[^\n]*\n/.test(head) && head.length < maxHead) return [];
      reader = readerFor(head);
      return reader.push(withoutMark(head));
    },
    end() {
      if (reader !== null) return reader.end();
      const last = readerFor(head);
      return [...last.push(withoutMark(head)), ...last.end()];
    },
  };
}

const withoutMark = (text: string): string => text.replace(/^\ufeff/, "");

function readerFor(head: string): RecordReader {
  const text = withoutMark(head).trimStart();
  const first = text.split("\n", 1)[0]?.trim() ?? "";
  // An object that does not end on its first line goes on over several; pages that were saved one after the other may have no line end between them.
  const isOpen = first.startsWith("{") && toFields(first) === null && /^\{$|[{[,:]$|\}\s*\{/.test(first);
  if (first.startsWith("[") || isOpen) return objects();
  return first.startsWith("{") ? lines() : table(first);
}

function lines(): RecordReader {
  const reader = createLineReader();
  const read = ({ line, text }: { readonly line: number; readonly text: string | null }): readonly LogRecord[] =>
    text !== null && text.trim() === "" ? [] : [toRecord(line, text)];
  return { push: (text) => reader.push(text).flatMap(read), end: () => reader.end().flatMap(read) };
}

function objects(): RecordReader {
  const reader = createObjectReader();
  const read = ({ line, text }: { readonly line: number; readonly text: string | null }) => toRecord(line, text);
  return { push: (text) => reader.push(text).map(read), end: () => reader.end().map(read) };
}

function table(head: string): RecordReader {
  const separator = [",", ";", "\t"].find((one) => head.includes(one)) ?? ",";
  const reader = createCsvReader(separator);
  let names: readonly string[] | null = null;
  const read = ({ line, cells }: { readonly line: number; readonly cells: readonly string[] | null }): readonly LogRecord[] => {
    if (cells === null) return [{ kind: "garbage", line }];
    if (cells.length === 1 && cells[0]?.trim() === "") return [];
    if (names === null) {
      names = cells.map((name) => name.trim());
      return names.length > 1 ? [] : [{ kind: "garbage", line }];
    }
    if (cells.length !== names.length || names.length < 2) return [{ kind: "garbage", line }];
    return [{ kind: "record", line, fields: Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ""])) }];
  };
  return { push: (text) => reader.push(text).flatMap(read), end: () => reader.end().flatMap(read) };
}

function toRecord(line: number, text: string | null): LogRecord {
  const fields = text === null ? null : toFields(text);
  return fields === null ? { kind: "garbage", line } : { kind: "record", line, fields };
}

function toFields(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null; // named as garbage
  }
}
