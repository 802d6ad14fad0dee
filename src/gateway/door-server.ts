/**
 * The one door for agents: HTTP on 127.0.0.1, a secret for each window in the path. When this process dies the door is shut.
 * It speaks and checks shapes; the engine answers. A request that is not for a window that is open right now gets 404 and learns nothing.
 */
import { createAdaptorServer, type ServerType } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { MidwatchError } from "../core/error.ts";
import type { Doors, WindowDoor } from "../ports/door.ts";
import type { AnyTool } from "../tools/tool.ts";
import { windowTools } from "../tools/tools.ts";
import { describeProblem, isInputProblem } from "./input-problem.ts";
import { createMcpFace, type McpFace } from "./mcp-face.ts";

const maxBodyBytes = 1024 * 1024;

interface OpenWindow {
  readonly door: WindowDoor;
  mcp: Promise<McpFace> | null;
}

/** @param newSecret  URL-safe, unguessable */
export function createDoors(newSecret: () => string): Doors {
  const open = new Map<string, OpenWindow>();
  let server: Promise<Listening> | null = null;
  return {
    async open(door, _desk) {
      server ??= listen(createApp(open));
      const { port } = await server;
      const secret = newSecret();
      open.set(secret, { door, mcp: null });
      const url = `http://127.0.0.1:${port}/w/${secret}`;
      return { url, toolsUrl: `${url}/mcp`, modelUrls: {}, token: "", close: async () => shut(open, secret) };
    },
    async close() {
      if (server === null) return;
      const listening = await server;
      server = null;
      for (const secret of open.keys()) shut(open, secret);
      listening.server.closeAllConnections?.();
      await new Promise<void>((resolve) => listening.server.close(() => resolve()));
    },
  };
}

type Closable = ServerType & { closeAllConnections?: () => void };

interface Listening {
  readonly port: number;
  readonly server: Closable;
}

function shut(open: Map<string, OpenWindow>, secret: string): void {
  const window = open.get(secret);
  open.delete(secret);
  void window?.mcp?.then((face) => face.close());
}

function listen(app: Hono): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const server: Closable = createAdaptorServer({ fetch: app.fetch, hostname: "127.0.0.1" });
    server.once("error", (cause: Error) =>
      reject(new MidwatchError("environment", "E_DOOR", `no port on 127.0.0.1 can be opened: ${cause.message}`, { cause })),
    );
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve({ port: typeof address === "object" && address !== null ? address.port : 0, server });
    });
  });
}

function createApp(open: ReadonlyMap<string, OpenWindow>): Hono {
  const app = new Hono();
  const nothing = (context: Context) => context.json({ error: "no such window" }, 404);
  const forWindow = (work: (window: OpenWindow, context: Context) => Promise<Response>) => async (context: Context) => {
    const window = isLocal(context) ? open.get(context.req.param("secret") ?? "") : undefined;
    return window === undefined ? nothing(context) : work(window, context);
  };
  app.use(
    bodyLimit({ maxSize: maxBodyBytes, onError: (context) => context.json({ error: `the body is over ${maxBodyBytes} bytes` }, 413) }),
  );
  for (const tool of windowTools) {
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
      window.mcp ??= createMcpFace(window.door, windowTools);
      return (await window.mcp).fetch(context.req.raw);
    }),
  );
  app.notFound(nothing);
  // What went wrong on our side is reported by the run itself; the agent only learns that it did.
  app.onError((_error, context) => context.json({ error: "the harness could not do it" }, 500));
  return app;
}

/** A page in somebody's browser cannot speak for an agent: another Host, or any Origin, is refused. */
function isLocal(context: Context): boolean {
  return /^127\.0\.0\.1:\d+$/.test(context.req.header("host") ?? "") && context.req.header("origin") === undefined;
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
