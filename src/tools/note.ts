import * as z from "zod";
import { line } from "./line.ts";
import { defineTool } from "./tool.ts";

export const note = defineTool({
  name: "note",
  route: "note",
  description: "Adds a line to the journal of the run: what was done or found, at most 200 characters are kept.",
  input: z.object({ text: line(2000) }),
  async run(door, { text }) {
    await door.note(text);
    return { kept: true };
  },
});
