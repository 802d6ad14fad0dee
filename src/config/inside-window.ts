/** Whether this process was started inside a window: what only a person may say is not said from there. */
import type { Environment } from "./folders.ts";

export function isInsideWindow(env: Environment): boolean {
  return (env["MIDWATCH_WINDOW"] ?? "") !== "";
}
