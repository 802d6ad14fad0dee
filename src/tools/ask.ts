import * as z from "zod";
import { line } from "./line.ts";
import { defineTool } from "./tool.ts";

/** A week. */
const mostMinutes = 7 * 24 * 60;

const input = z
  .object({
    question: line(500).describe("one line: what the person must decide or do"),
    task: z
      .string()
      .min(1)
      .max(200)
      .nullish()
      .describe("the task it is about: only that one waits; without it the question stands beside the run"),
    options: z.array(line(100)).max(9).default([]),
    default: line(100).nullish().describe("taken when nobody answers in time; one of the options, where there are any"),
    minutes: z.number().positive().max(mostMinutes).nullish().describe("how long to wait for an answer before the default is taken"),
  })
  .refine(
    (asked) => asked.default == null || asked.options.length === 0 || asked.options.includes(asked.default),
    "the default is none of the options",
  )
  .refine((asked) => asked.minutes == null || asked.default != null, "minutes need a default: what is taken when nobody answers in time");

export const ask = defineTool({
  name: "ask",
  route: "ask",
  description:
    "Asks the person something that only a person can decide. Go on with another task, or write the handoff note and end: nobody answers in this window.",
  input,
  run: (door, asked) =>
    door.ask({
      question: asked.question,
      task: asked.task ?? null,
      options: asked.options,
      defaultAnswer: asked.default ?? null,
      minutes: asked.minutes ?? null,
    }),
});
