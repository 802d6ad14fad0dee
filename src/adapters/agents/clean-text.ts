/**
 * Text from an agent, made safe to show: no terminal command, no control character, no half surrogate, no text that reads other than it is.
 * Every string that a parser hands on has passed here.
 */

/** C0 but for tab and line feed, C1, bidirectional marks and overrides, byte order mark, and any surrogate (whole pairs are kept below). */
const suspicious = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]/;
/** CSI sequences, and OSC, DCS, SOS, PM and APC strings up to their end. An unfinished one goes with the rest of its text, as a terminal would take it. */
const terminalCommand =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g;
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Several lines; of a longer text the end is kept, since that is where questions stand. */
export function cleanText(text: string, maxLength: number): string {
  const kept = text.length > maxLength ? text.slice(-maxLength) : text;
  return suspicious.test(kept) ? kept.replace(terminalCommand, "").replace(control, "").toWellFormed() : kept;
}

/** One line; of a longer text the beginning is kept. */
export function cleanLine(text: string, maxLength: number): string {
  // Twice the length is looked at, so that removed characters do not shorten a long text by much.
  const line = cleanText(text.length > 2 * maxLength ? text.slice(0, 2 * maxLength) : text, 2 * maxLength)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, "")}…` : line;
}
