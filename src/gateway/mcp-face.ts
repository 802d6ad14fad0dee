/** MCP over HTTP for one window: the same tools as the plain door. No state in the connection; the library is loaded when an agent first asks. */
import type { WindowDoor } from "../ports/door.ts";
import type { AnyTool } from "../tools/tool.ts";
import { describeProblem } from "./input-problem.ts";

export interface McpFace {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

export async function createMcpFace(door: WindowDoor, tools: readonly AnyTool[]): Promise<McpFace> {
  const { createMcpHandler, McpServer } = await import("@modelcontextprotocol/server");
  return createMcpHandler(() => {
    const server = new McpServer({ name: "midwatch", version: "1" });
    for (const tool of tools) {
      server.registerTool(tool.name, { description: tool.description, inputSchema: tool.input }, async (input) => {
        try {
          const value = await tool.run(door, input);
          return { content: [{ type: "text", text: JSON.stringify(value) }] };
        } catch (error) {
          return { content: [{ type: "text", text: describeProblem(error) }], isError: true };
        }
      });
    }
    return server;
  });
}
