/** What a failed attempt left behind: the answer that was refused, and what it said on standard error. Bounded here, and without keys: it is stored to be shown. */
import type { LeftAnswer } from "../../core/batch/attempt-end.ts";
import { hideKeys } from "../../core/guard/key-shapes.ts";
import type { ProcessEnd } from "../../core/process-end.ts";
import type { FailedOutput } from "../../ports/batch-store.ts";

/** Enough to see what is wrong with an answer; a hundred thousand failed jobs keep a gigabyte at most. */
const mostAnswerBytes = 8 * 1024;
const mostErrorCharacters = 4 * 1024;

export function failedOutput({ stderrTail, stdoutBytes }: ProcessEnd, answer: LeftAnswer): FailedOutput {
  const stderr = hideKeys(stderrTail.trimEnd()).slice(-mostErrorCharacters);
  switch (answer.kind) {
    case "answer":
      return { answer: beginningOf(answer.bytes), answerBytes: answer.bytes.byteLength, stderr };
    case "too-large":
      return {
        answer: answer.head === undefined ? null : beginningOf(answer.head),
        answerBytes: Math.max(stdoutBytes, answer.mostBytes),
        stderr,
      };
    case "none":
    case "unreadable":
      return { answer: null, answerBytes: 0, stderr };
  }
}

/** Longer than any key whose shape is known: one that lies across the end is still seen whole. */
const keyBytes = 256;

/** What is no text shows as such. */
function beginningOf(bytes: Uint8Array): string {
  const some = bytes.subarray(0, mostAnswerBytes + keyBytes);
  return hideKeys(new TextDecoder().decode(some, { stream: some.byteLength < bytes.byteLength })).slice(0, mostAnswerBytes);
}
