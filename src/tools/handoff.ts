import * as z from "zod";
import { line } from "./line.ts";
import { defineTool } from "./tool.ts";

export const handoff = defineTool({
  name: "handoff",
  route: "handoff",
  description:
    "Writes the handoff note, which ends the work of this window: call it last, then end your turn. DONE only when every task is done and committed.",
  input: z
    .object({
      status: z.enum(["CHECKPOINT", "AWAITING-HUMAN", "DONE", "BLOCKED"]),
      next: z.string().max(1000).default("").describe("the next task's key and what comes after it"),
      question: line(500).nullish().describe("only with AWAITING-HUMAN or BLOCKED: the one thing the person must do or decide"),
      body: z
        .string()
        .max(20_000)
        .default("")
        .describe("what the next window must know: what was tried, what failed, where things are; at most 25 lines"),
    })
    .refine(
      (note) => (note.status === "AWAITING-HUMAN" || note.status === "BLOCKED") === (note.question != null),
      "a question goes with AWAITING-HUMAN and BLOCKED, and only with them",
    ),
  run: (door, { status, next, question, body }) => door.handoff({ status, next, question: question ?? "", body }),
});
