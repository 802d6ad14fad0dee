/**
 * The one door for agents: HTTP on 127.0.0.1, a secret for each window in the path. When this process dies the door is shut.
 * It speaks and checks shapes; the engine answers. A request that is not for a window that is open right now gets 404 and learns nothing.
 */
import { createAdaptorServer, type ServerType } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { MidwatchError } from "../core/error.ts";
import type { Doors, WindowDoor } from "../ports/door.ts";
import { type Parsed, parseAsk, parseClaim, parseNoteText } from "./door-requests.ts";

const maxBodyBytes = 1024 * 1024;

/** @param newSecret  URL-safe, unguessable */
export function createDoors(newSecret: () => string): Doors {
  const open = new Map<string, WindowDoor>();
  let server: Promise<{ readonly port: number; readonly server: Closable }> | null = null;
  return {
    async open(door) {
      server ??= listen(createApp(open));
      const { port } = await server;
      const secret = newSecret();
      open.set(secret, door);
      return { url: `http://127.0.0.1:${port}/w/${secret}`, close: () => void open.delete(secret) };
    },
    async close() {
      if (server === null) return;
      const listening = await server;
      server = null;
      open.clear();
      listening.server.closeAllConnections?.();
      await new Promise<void>((resolve) => listening.server.close(() => resolve()));
    },
  };
}

type Closable = ServerType & { closeAllConnections?: () => void };

function listen(app: Hono): Promise<{ readonly port: number; readonly server: Closable }> {
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

function createApp(open: ReadonlyMap<string, WindowDoor>): Hono {
  const app = new Hono();
  const door = (context: Context) => (isLocal(context) ? open.get(context.req.param("secret") ?? "") : undefined);
  const answer = (work: (door: WindowDoor, context: Context) => Promise<Response>) => async (context: Context) => {
    const found = door(context);
    return found === undefined ? context.json({ error: "no such window" }, 404) : work(found, context);
  };
  app.use(
    bodyLimit({ maxSize: maxBodyBytes, onError: (context) => context.json({ error: `the body is over ${maxBodyBytes} bytes` }, 413) }),
  );
  app.get(
    "/w/:secret/tasks",
    answer(async (found, context) => context.json(await found.tasks())),
  );
  app.get(
    "/w/:secret/budget",
    answer(async (found, context) => context.json(await found.budget())),
  );
  app.post(
    "/w/:secret/claim",
    answer((found, context) => posted(context, parseClaim, (task) => found.claim(task))),
  );
  app.post(
    "/w/:secret/ask",
    answer((found, context) => posted(context, parseAsk, (question) => found.ask(question))),
  );
  app.post(
    "/w/:secret/note",
    answer((found, context) => posted(context, parseNoteText, async (text) => ({ kept: (await found.note(text)) === undefined }))),
  );
  app.notFound((context) => context.json({ error: "no such window" }, 404));
  // What went wrong on our side is reported by the run itself; the agent only learns that it did.
  app.onError((_error, context) => context.json({ error: "the harness could not do it" }, 500));
  return app;
}

/** A page in somebody's browser cannot speak for an agent: another Host, or any Origin, is refused. */
function isLocal(context: Context): boolean {
  return /^127\.0\.0\.1:\d+$/.test(context.req.header("host") ?? "") && context.req.header("origin") === undefined;
}

async function posted<T>(context: Context, parse: (body: unknown) => Parsed<T>, work: (value: T) => Promise<object>): Promise<Response> {
  const body = await context.req.json<unknown>().catch(() => undefined);
  if (body === undefined) return context.json({ error: "the body is not JSON" }, 400);
  const parsed = parse(body);
  return parsed.kind === "bad" ? context.json({ error: parsed.reason }, 400) : context.json(await work(parsed.value));
}
