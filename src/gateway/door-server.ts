/**
 * The one door for agents: HTTP on 127.0.0.1, a secret for each window in the path. When this process dies the door is shut.
 * It speaks and checks shapes; the engine answers. Models are behind `/w/<secret>/<upstream>/…`, everything else is tools.
 */
import { createServer, type RequestListener, type Server } from "node:http";
import { MidwatchError } from "../core/error.ts";
import type { ProxySettings } from "../core/upstream.ts";
import type { CallDesk } from "../ports/calls.ts";
import type { Doors, Upstream } from "../ports/door.ts";
import type { OpenRawAnswer } from "../ports/wire-format.ts";
import { createModelsFace } from "./models/models-face.ts";
import { createUpstreamClient, maxHeadBytes, type UpstreamClient } from "./models/upstream-client.ts";
import { createOpenWindows, isLocal, type OpenWindows } from "./open-windows.ts";

export interface DoorsOptions {
  /** URL-safe, unguessable. */
  readonly newSecret: () => string;
  /** Null = no door leads to a model. */
  readonly models: ModelsOptions | null;
}

export interface ModelsOptions {
  readonly upstreams: readonly Upstream[];
  readonly openAnswer: OpenRawAnswer;
  readonly proxy: ProxySettings;
}

export function createDoors({ newSecret, models }: DoorsOptions): Doors {
  const upstreams = models?.upstreams ?? [];
  const open = createOpenWindows();
  const onTheWay = new Set<() => void>();
  let server: Promise<Listening> | null = null;
  let client: UpstreamClient | null = null;
  const openModels = ({ openAnswer, proxy }: ModelsOptions, desk: CallDesk, token: string) => {
    client ??= createUpstreamClient(proxy);
    return createModelsFace({ desk, token, client, openAnswer, onTheWay });
  };
  return {
    async open(door, desk) {
      server ??= listen(open, upstreams);
      const { port } = await server;
      const [secret, token] = [newSecret(), newSecret()];
      const face = desk === null || models === null ? null : openModels(models, desk, token);
      open.add(secret, { door, models: face, mcp: null });
      const url = `http://127.0.0.1:${port}/w/${secret}`;
      const modelUrls = face === null ? {} : Object.fromEntries(upstreams.map(({ name }) => [name, `${url}/${name}`]));
      return { url, toolsUrl: `${url}/mcp`, modelUrls, token: face === null ? "" : token, close: () => open.close(secret) };
    },
    async close() {
      if (server === null) return;
      const listening = await server;
      server = null;
      const isShut = new Promise<void>((resolve) => listening.server.close(() => resolve()));
      for (const cancel of onTheWay) cancel();
      await open.closeAll();
      listening.server.closeAllConnections();
      client?.close();
      await isShut;
    },
  };
}

interface Listening {
  readonly port: number;
  readonly server: Server;
}

/** A head must come soon; a body may take its time, for as long as Node gives it: five minutes. */
const serverOptions = {
  headersTimeout: 10_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 2_000,
  // An agent thinks for a while between two calls, and should not find its connection closed just as it writes.
  keepAliveTimeout: 75_000,
  maxHeaderSize: maxHeadBytes,
};

function listen(open: OpenWindows, upstreams: readonly Upstream[]): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const server = createServer(serverOptions, createListener(open, upstreams));
    server.once("error", (cause: Error) =>
      reject(new MidwatchError("environment", "E_DOOR", `no port on 127.0.0.1 can be opened: ${cause.message}`, { cause })),
    );
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve({ port: typeof address === "object" && address !== null ? address.port : 0, server });
    });
  });
}

function createListener(open: OpenWindows, upstreams: readonly Upstream[]): RequestListener {
  let tools: Promise<RequestListener> | null = null;
  const byName = new Map(upstreams.map((upstream) => [upstream.name, { ...upstream, base: new URL(upstream.baseUrl) }]));
  return (request, response) => {
    const [, secret = "", name = "", path = ""] = modelPath.exec(request.url ?? "") ?? [];
    const upstream = byName.get(name);
    const models = upstream !== undefined && isLocal(request.headers) ? open.find(secret)?.models : null;
    if (upstream === undefined || models == null) {
      tools ??= loadTools(open);
      // They cannot be loaded any more where another version was installed meanwhile.
      tools.then(
        (serve) => serve(request, response),
        () => response.writeHead(500).end(),
      );
    } else models.serve(upstream, path, request, response);
  };
}

/** What they are made of takes 40 ms to load, and the jobs of a batch have none: loaded when they are first asked for. */
async function loadTools(open: OpenWindows): Promise<RequestListener> {
  const [{ getRequestListener }, { createToolsApp }] = await Promise.all([import("@hono/node-server"), import("./tools-app.ts")]);
  return getRequestListener(createToolsApp(open).fetch);
}

/** The rest as it stands: nothing in it is decoded or resolved. */
const modelPath = /^\/w\/([^/?]+)\/([^/?]+)(\/.*)$/s;
