import * as z from "zod";
import { line } from "./line.ts";
import { defineTool } from "./tool.ts";

export const tell = defineTool({
  name: "tell",
  route: "tell",
  description:
    "Puts one line into a teammate's inbox: it is read when their next window opens. Tell what they need and cannot see on the board.",
  input: z.object({ member: z.string().min(1).max(60).describe("the teammate's name"), text: line(1000) }),
  run: async (door, { member, text }) =>
    door.team === null ? { told: false, reason: "this window is no teammate's" } : door.team.tell(member, text),
});
