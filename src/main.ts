/** The program: makes the app, runs one command line, and says what went wrong. The only file that ends the process, and with src/config the only one that sees its environment. */

import { runProgram } from "./cli/program.ts";
import { createApp } from "./composition/app.ts";
import { openRedactor } from "./composition/redaction.ts";
import { MidwatchError } from "./core/error.ts";
import { exitCodeOfError } from "./core/exit-codes.ts";

declare const MIDWATCH_VERSION: string | undefined;

const version = typeof MIDWATCH_VERSION === "undefined" ? "development" : MIDWATCH_VERSION;

const redactor = openRedactor(process.env);

/** One line that says what happened, one that says what to do. Only our own mistakes show where they come from. */
function report(error: unknown): number {
  if (error instanceof MidwatchError && error.kind !== "bug") {
    say(`midwatch: ${oneLine(error.message)}\n${error.hint === "" ? "" : `  next: ${oneLine(error.hint)}\n`}`);
    return exitCodeOfError(error.kind);
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  say(`midwatch: this is a mistake of ours, please report it\n${detail}\n`);
  return 1;
}

/** An error may hold what a program said, and a program may say anything. */
function say(text: string): void {
  process.stderr.write(redactor.text(text));
}

function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");
}

// Thrown where nobody waits for it: Node would print it as it is.
process.once("uncaughtException", (error) => {
  process.exitCode = report(error);
  process.exit();
});

try {
  process.exitCode = await runProgram(createApp(version, process.env, redactor), process.argv.slice(2));
} catch (error) {
  process.exitCode = report(error);
}
