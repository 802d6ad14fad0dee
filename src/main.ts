/** The program: makes the app, runs one command line, and says what went wrong. The only file that ends the process, and with src/config the only one that sees its environment. */

import { runProgram } from "./cli/program.ts";
import { createApp } from "./composition/app.ts";
import { MidwatchError } from "./core/error.ts";
import { exitCodeOfError } from "./core/exit-codes.ts";

declare const MIDWATCH_VERSION: string | undefined;

const version = typeof MIDWATCH_VERSION === "undefined" ? "development" : MIDWATCH_VERSION;

/** One line that says what happened, one that says what to do. Only our own mistakes show where they come from. */
function report(error: unknown): number {
  if (error instanceof MidwatchError && error.kind !== "bug") {
    process.stderr.write(`midwatch: ${oneLine(error.message)}\n${error.hint === "" ? "" : `  next: ${oneLine(error.hint)}\n`}`);
    return exitCodeOfError(error.kind);
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`midwatch: this is a mistake of ours, please report it\n${detail}\n`);
  return 1;
}

function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
}

try {
  process.exitCode = await runProgram(createApp(version, process.env), process.argv.slice(2));
} catch (error) {
  process.exitCode = report(error);
}
