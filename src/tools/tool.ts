/**
 * A tool for agents, as a value: its name, when to use it, what goes in, and what it does at the door of a window. One file a tool; the plain HTTP
 * door and the MCP face serve the same ones.
 */
import type * as z from "zod";
import type { WindowDoor } from "../ports/door.ts";

export interface Tool<Input extends object = never> {
  /** On the wire. */
  readonly name: string;
  /** Last part of the URL for programs that speak plain HTTP. */
  readonly route: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  /** @returns a value that can be written as JSON */
  run(door: WindowDoor, input: Input): Promise<object>;
}

/** Fixes the type of the input by its schema. */
export function defineTool<Input extends object>(tool: Tool<Input>): AnyTool {
  return { ...tool, run: (door, input) => tool.run(door, tool.input.parse(input)) };
}

/** A tool whose input is checked when it is called: `run` throws the schema's error on a wrong one. */
export interface AnyTool {
  readonly name: string;
  readonly route: string;
  readonly description: string;
  readonly input: z.ZodType<object>;
  run(door: WindowDoor, input: unknown): Promise<object>;
}
