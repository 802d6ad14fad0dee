import * as z from "zod";
import { defineTool } from "./tool.ts";

export const taskNext = defineTool({
  name: "task_next",
  route: "tasks",
  description: "The tasks of this window in working order, with their criteria and how they stand, and how many of them to close.",
  input: z.object({}),
  run: (door) => door.tasks(),
});
