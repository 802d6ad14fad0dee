import * as z from "zod";
import { defineTool } from "./tool.ts";

export const taskDone = defineTool({
  name: "task_done",
  route: "claim",
  description:
    "Claims that a task is done. Commit first. The harness runs the criteria at HEAD and answers with the evidence; a refused claim can be mended and made again, one that waits is a person's to answer: go on with another task.",
  input: z.object({ task: z.string().min(1).max(200).describe("the task's key") }),
  run: (door, { task }) => door.claim(task),
});
