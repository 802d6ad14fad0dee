/** The plain words for values that people meet again and again. */
import { startedAgain } from "../core/question.ts";

/** How a task came to be done. */
export function doneWords(doneBy: string): string {
  return { verified: "verified", claimed: "claimed, unchecked", person: "by a person" }[doneBy] ?? doneBy;
}

/** Who gave an answer. */
export function answererWords(by: string): string {
  return { person: "a person", default: "its default", [startedAgain]: "by starting the run again" }[by] ?? by;
}
