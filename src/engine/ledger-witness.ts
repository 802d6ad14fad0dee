/** What a witness's file holds, record by record: charges, or sums of stretches of time. One file is of one format; what is none of it is named by its line. */
import { isObject } from "../core/json.ts";
import { type BucketPage, readBucketPage } from "../core/money/reconcile/bucket-pages.ts";
import { callFormatOf, readCharge } from "../core/money/reconcile/call-logs.ts";
import { type Bucket, type CallFormat, type Charge, callFormats, type LogFormat } from "../core/money/reconcile/charge.ts";
import { type Fields, listOf } from "../core/money/reconcile/fields.ts";
import type { LogRecord } from "../core/money/reconcile/records.ts";

export interface ReadLog {
  /** Null = the file is empty. */
  readonly format: LogFormat | null;
  readonly records: number;
  /** Seen by the witness, and not charged. */
  readonly free: number;
  readonly unreadable: number;
  /** The first of the lines that could not be read. */
  readonly unreadableLines: readonly number[];
  /** The export says that more of it follows. Of several pages the last one tells. */
  readonly hasMore: boolean;
}

export interface Witness {
  take(record: LogRecord): void;
  /** Null = it is no such export. */
  buckets(): readonly Bucket[] | null;
  log(): ReadLog;
}

const mostLines = 20;

/** @param add  takes each charge of a per-call log */
export function createWitness(add: (charge: Charge) => void, asked: LogFormat | null): Witness {
  let format = asked;
  const counts = { records: 0, free: 0, unreadable: 0 };
  const unreadableLines: number[] = [];
  const pages: BucketPage[] = [];

  function take(record: LogRecord): void {
    if (record.kind === "garbage") reject(record.line);
    else takeFields(record.fields, record.line);
  }

  function takeFields(fields: Fields, line: number): void {
    const page = readBucketPage(fields);
    if (page !== null) {
      takePage(page, line);
      return;
    }
    const inside = listOf(fields, "data").filter(isObject);
    if (inside.length > 0 && callFormatOf(fields) === null) for (const one of inside) takeCall(one, line);
    else takeCall(fields, line);
  }

  function takePage(page: BucketPage, line: number): void {
    format ??= page.format;
    if (format !== page.format) reject(line);
    else keepPage(page, line);
  }

  function keepPage(page: BucketPage, line: number): void {
    pages.push(page);
    counts.records += Math.max(1, page.buckets.length);
    for (let one = 0; one < page.unreadable; one += 1) reject(line);
  }

  function takeCall(fields: Fields, line: number): void {
    format ??= callFormatOf(fields);
    const read =
      isCallFormat(format) && callFormatOf(fields) === format ? readCharge(format, fields, line) : { kind: "unreadable" as const };
    if (read.kind === "unreadable") reject(line);
    else counts.records += 1;
    if (read.kind === "free") counts.free += 1;
    if (read.kind === "charge") add(read.charge);
  }

  function reject(line: number): void {
    counts.unreadable += 1;
    if (unreadableLines.length < mostLines) unreadableLines.push(line);
  }

  return {
    take,
    buckets: () => (pages.length === 0 ? null : pages.flatMap(({ buckets }) => buckets)),
    log: () => ({ format, ...counts, unreadableLines, hasMore: pages.at(-1)?.hasMore ?? false }),
  };
}

function isCallFormat(format: LogFormat | null): format is CallFormat {
  return callFormats.some((one) => one === format);
}
