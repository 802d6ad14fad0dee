/** The tools that a window has. */
import { ask } from "./ask.ts";
import { budgetLeft } from "./budget-left.ts";
import { handoff } from "./handoff.ts";
import { idle } from "./idle.ts";
import { note } from "./note.ts";
import { taskDone } from "./task-done.ts";
import { taskNext } from "./task-next.ts";
import { tell } from "./tell.ts";
import type { AnyTool } from "./tool.ts";

export const windowTools: readonly AnyTool[] = [taskNext, taskDone, ask, note, budgetLeft, handoff];

/** What a teammate has besides. */
export const teamTools: readonly AnyTool[] = [tell, idle];
