/** The windows that are open right now, found by their secret. Also: who may speak to us at all. */
import type { IncomingHttpHeaders } from "node:http";
import type { WindowDoor } from "../ports/door.ts";
import type { McpFace } from "./mcp-face.ts";
import type { ModelsFace } from "./models/models-face.ts";
import { digestOf } from "./secret.ts";

export interface OpenWindow {
  /** Null = no tools behind this door. */
  readonly door: WindowDoor | null;
  /** Null = no models behind this door. */
  readonly models: ModelsFace | null;
  mcp: Promise<McpFace> | null;
}

export interface OpenWindows {
  add(secret: string, window: OpenWindow): void;
  find(secret: string): OpenWindow | null;
  /** Somebody came with a secret that opens nothing: those behind the open doors are told. */
  tellOfStranger(): void;
  /** No further request finds it; resolves when what is on its way is booked. */
  close(secret: string): Promise<void>;
  closeAll(): Promise<void>;
}

export function createOpenWindows(): OpenWindows {
  const open = new Map<string, OpenWindow>();
  const close = async (digest: string) => {
    const window = open.get(digest);
    open.delete(digest);
    void window?.mcp?.then((face) => face.close());
    await window?.models?.close();
  };
  return {
    add: (secret, window) => void open.set(digestOf(secret), window),
    find: (secret) => open.get(digestOf(secret)) ?? null,
    tellOfStranger() {
      for (const { door } of open.values()) door?.stranger?.();
    },
    close: (secret) => close(digestOf(secret)),
    async closeAll() {
      await Promise.all([...open.keys()].map(close));
    },
  };
}

/** A page in somebody's browser cannot speak for an agent: another Host, or any Origin, is refused. */
export function isLocal({ host, origin }: IncomingHttpHeaders): boolean {
  return /^127\.0\.0\.1:\d+$/.test(host ?? "") && origin === undefined;
}
