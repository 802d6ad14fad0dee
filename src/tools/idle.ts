import * as z from "zod";
import { defineTool } from "./tool.ts";

export const idle = defineTool({
  name: "idle",
  route: "idle",
  description:
    "Says that you have nothing more to do now. Commit and write the handoff note first; then end your turn. You are woken in a fresh window when a message or a task comes.",
  input: z.object({}),
  run: async (door) => (door.team === null ? { idle: false, next: "only a teammate has it: end your turn" } : door.team.idle()),
});
