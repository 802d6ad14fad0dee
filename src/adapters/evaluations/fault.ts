/** What SQLite or the system says of the file with the sets, as ours. */
import { MidwatchError } from "../../core/error.ts";

export function translate(error: unknown, path: string): unknown {
  if (error instanceof MidwatchError || !(error instanceof Error)) return error;
  const code = "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : null;
  if (code === 5)
    return new MidwatchError("busy", "E_EVAL_BUSY", "another process writes to the evaluation sets", { hint: "try again", cause: error });
  if (code === 11 || code === 26)
    return new MidwatchError("environment", "E_EVAL_CORRUPT", `the file with the evaluation sets is damaged: ${path}`, {
      hint: "move it aside and add the sets again: answers are in the store beside it, and none is paid again",
      cause: error,
    });
  if (code === null && !("syscall" in error)) return error;
  return new MidwatchError("environment", "E_EVAL_FILE", `the evaluation sets cannot be used: ${path}: ${error.message}`, {
    hint: `see what is there and whose it is: ls -la '${path}'`,
    cause: error,
  });
}
