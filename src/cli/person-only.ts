/** C8: an agent proposes and claims; the list and what becomes of it are a person's. */
import { MidwatchError } from "../core/error.ts";
import type { App } from "./app.ts";

/** @param command  as it is typed, such as `midwatch stop` */
export function requirePerson({ isInsideWindow }: App, command: string): void {
  if (!isInsideWindow) return;
  throw new MidwatchError("refused", "E_INSIDE_WINDOW", `${command} is a person's word, and this process was started inside a window`, {
    hint: "claim a task the way your prompt says, and put what only a person can decide into the note's QUESTION line",
  });
}
