/** The tools behind a door, as plain HTTP and as MCP. A request that is not for a window that is open right now gets 404 and learns nothing. */
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { WindowDoor } from "../ports/door.ts";
import type { AnyTool } from "../tools/tool.ts";
import { teamTools, windowTools } from "../tools/tools.ts";
import { describeProblem, isInputProblem } from "./input-problem.ts";
import { createMcpFace } from "./mcp-face.ts";
import { isLocal, type OpenWindow, type OpenWindows } from "./open-windows.ts";

const maxBodyBytes = 1024 * 1024;

type WindowWithTools = OpenWindow & { readonly door: WindowDoor };

const hasTools = (window: OpenWindow | null): window is WindowWithTools => window?.door != null;

export function createToolsApp(open: OpenWindows): Hono {
  const app = new Hono();
  const nothing = (context: Context) => context.json({ error: "no such window" }, 404);
  const forWindow = (work: (window: WindowWithTools, context: Context) => Promise<Response>) => async (context: Context) => {
    const headers = { host: context.req.header("host"), origin: context.req.header("origin") };
    const window = isLocal(headers) ? open.find(context.req.param("secret") ?? "") : null;
    return hasTools(window) ? work(window, context) : nothing(context);
  };
  app.use(
    bodyLimit({ maxSize: maxBodyBytes, onError: (context) => context.json({ error: `the body is over ${maxBodyBytes} bytes` }, 413) }),
  );
  app.use("/w/:secret/*", async (context, next) => {
    if (open.find(context.req.param("secret")) === null) open.tellOfStranger();
    await next();
  });
  for (const tool of [...windowTools, ...teamTools]) {
    app.get(
      `/w/:secret/${tool.route}`,
      forWindow(({ door }, context) => answer(context, tool, door, {})),
    );
    app.post(
      `/w/:secret/${tool.route}`,
      forWindow(({ door }, context) => posted(context, tool, door)),
    );
  }
  app.all(
    "/w/:secret/mcp",
    forWindow(async (window, context) => {
      window.mcp ??= createMcpFace(window.door, window.door.team === null ? windowTools : [...windowTools, ...teamTools]);
      return (await window.mcp).fetch(context.req.raw);
    }),
  );
  app.notFound(nothing);
  // What went wrong on our side is reported by the run itself; the agent only learns that it did.
  app.onError((_error, context) => context.json({ error: "the harness could not do it" }, 500));
  return app;
}

async function posted(context: Context, tool: AnyTool, door: WindowDoor): Promise<Response> {
  const body = await context.req.json<unknown>().catch(() => undefined);
  return body === undefined ? context.json({ error: "the body is not JSON" }, 400) : answer(context, tool, door, body);
}

async function answer(context: Context, tool: AnyTool, door: WindowDoor, input: unknown): Promise<Response> {
  try {
    return context.json(await tool.run(door, input));
  } catch (error) {
    return context.json({ error: describeProblem(error) }, isInputProblem(error) ? 400 : 500);
  }
}
