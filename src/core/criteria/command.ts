/** `run: npm test`: a command holds when it ends with 0. */
import type { Check } from "../evidence.ts";
import type { ProcessEnd } from "../process-end.ts";
import type { CriterionParse } from "./criterion.ts";
import { codeSpan } from "./words.ts";

export function parseCommand(text: string, value: string): CriterionParse {
  const command = (codeSpan(value) ?? value).replace(/^\$\s+/, "");
  if (/^[$`]*$/.test(command)) return { kind: "malformed", text, reason: "there is no command to run" };
  if (command.includes("\0")) return { kind: "malformed", text, reason: "the command has a NUL character" };
  return { kind: "command", text, command };
}

const shownCharacters = 2000;

/** What it said last, bounded. */
export function saidOf(end: ProcessEnd, output: string): string {
  return [output, end.stderrTail]
    .map((text) => text.slice(-shownCharacters).trim())
    .filter((text) => text !== "")
    .join("\n");
}

/** @param output  the end of its standard output */
export function judgeCommand(end: ProcessEnd, output: string): Check {
  const trouble = commandTrouble(end, output);
  if (trouble !== null) return trouble;
  return end.code === 0
    ? { verdict: "holds", detail: "exit code 0" }
    : { verdict: "fails", detail: withSaid(`exit code ${end.code}`, end, output) };
}

/** A line and what the program said. */
export function withSaid(what: string, end: ProcessEnd, output: string): string {
  const said = saidOf(end, output);
  return said === "" ? what : `${what}\n${said}`;
}

/** Why a command has no result of its own: it was not there, or did not come to its end. Null = it has one. */
export function commandTrouble(end: ProcessEnd, output: string): Check | null {
  const detail = (what: string) => withSaid(what, end, output);
  if (end.kind === "exited" && (end.code === 127 || end.code === 126))
    return { verdict: "cannot-tell", detail: detail(`exit code ${end.code}`) };
  if (end.kind === "exited") return null;
  if (end.kind === "not-started") return { verdict: "cannot-tell", detail: `it could not be started (${end.error})` };
  if (end.cause === "wall-clock") return { verdict: "fails", detail: detail(`it was ended after ${Math.round(end.durationMs / 1000)} s`) };
  return { verdict: "cannot-tell", detail: detail(end.cause === "stopped" ? "it was stopped" : `it was killed by ${end.signal}`) };
}
