/** Records of a CSV file, as spreadsheets and databases write them: quotes double inside quotes, and a quoted field may hold line ends. */
import { maxRecord } from "./lines.ts";

export interface CsvRow {
  readonly line: number;
  /** Null = it was too long, or its quotes do not end. */
  readonly cells: readonly string[] | null;
}

export interface CsvReader {
  push(text: string): readonly CsvRow[];
  end(): readonly CsvRow[];
}

export function createCsvReader(separator: string): CsvReader {
  let line = 1;
  let startLine = 1;
  let cells: string[] = [];
  let cell = "";
  let size = 0;
  let isQuoted = false;
  let wasQuote = false;

  function push(text: string): readonly CsvRow[] {
    const rows: CsvRow[] = [];
    for (const char of text) {
      if (char === "\n") line += 1;
      size += 1;
      if (isQuoted && !wasQuote) {
        if (char === '"') wasQuote = true;
        else cell += char;
        if (size > maxRecord) rows.push(drop());
      } else readOutside(char, rows);
    }
    return rows;
  }

  /** Outside of quotes, or right behind one that may have ended them. */
  function readOutside(char: string, rows: CsvRow[]): void {
    if (char === '"' && wasQuote) cell += char;
    else if (char === '"' && cell === "") isQuoted = true;
    else if (char === separator) endCell();
    else if (char === "\n") rows.push(...endRow());
    else if (char !== "\r") cell += char;
    if (char !== '"' && wasQuote) isQuoted = false;
    wasQuote = false;
  }

  function endCell(): void {
    cells.push(cell);
    cell = "";
    isQuoted = false;
  }

  function endRow(): readonly CsvRow[] {
    endCell();
    const row: CsvRow = { line: startLine, cells };
    const isEmpty = cells.length === 1 && cells[0] === "";
    reset();
    return isEmpty ? [] : [row];
  }

  function drop(): CsvRow {
    const row: CsvRow = { line: startLine, cells: null };
    reset();
    return row;
  }

  function reset(): void {
    [cells, cell, size, isQuoted, wasQuote, startLine] = [[], "", 0, false, false, line];
  }

  return {
    push,
    end() {
      if (isQuoted && !wasQuote) return [drop()];
      return cell === "" && cells.length === 0 ? [] : endRow();
    },
  };
}
