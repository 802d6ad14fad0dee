import * as z from "zod";
import { defineTool } from "./tool.ts";

export const budgetLeft = defineTool({
  name: "budget_left",
  route: "budget",
  description: "What this window and the run may still spend, in millionths of a dollar, and how many tasks this window may close.",
  input: z.object({}),
  run: (door) => door.budget(),
});
