/** The agent's side of one request: writes to it at the pace at which it reads, and tells when it has hung up. Writing to one that is gone does nothing. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { WireAnswer } from "../../ports/wire-format.ts";
import type { RawHeaders } from "./raw-headers.ts";

export interface Caller {
  readonly isGone: boolean;
  /** Called once, also when it is gone already; not when the answer has ended before. */
  onGone(listener: () => void): void;
  /** The head leaves with the first bytes, or when it is told to. */
  begin(status: number, headers: RawHeaders, reason?: string): void;
  flush(): void;
  /** Resolves when it takes more, or is gone; undefined = it takes more now. */
  write(bytes: Uint8Array): Promise<void> | undefined;
  end(): void;
  /** The answer stays unfinished, and is seen to be: what was written before still arrives. */
  cut(): void;
  answer(answer: WireAnswer): void;
  /** The same where nothing was sent yet; else the answer is cut. */
  fail(answer: WireAnswer): void;
  /** As if it had hung up. */
  hangUp(): void;
}

export function createCaller(request: IncomingMessage, response: ServerResponse): Caller {
  const { socket } = request;
  let listeners: readonly (() => void)[] = [];
  let isGone = socket.destroyed;
  let isOver = false;
  let wake = () => {};
  const leave = () => {
    if (isGone) return;
    isGone = true;
    wake();
    if (!isOver) for (const listener of listeners) listener();
  };
  const stopWatching = watchClose(socket, leave);
  response.on("error", () => undefined); // it hung up
  response.on("drain", () => wake());
  response.sendDate = false;
  const gather = createGathering(response);
  const begin = (status: number, headers: RawHeaders, reason?: string) => {
    if (isGone || response.headersSent) return;
    response.writeHead(status, reason ?? STATUS_CODES[status] ?? "", [...headers]);
  };
  const end = (bytes?: string) => {
    isOver = true;
    response.once("close", stopWatching);
    if (!isGone) response.end(bytes);
  };
  const cut = () => {
    isOver = true;
    stopWatching();
    if (!isGone) socket.destroySoon();
  };
  const answer = ({ status, headers, body }: WireAnswer) => {
    const pairs = headers.filter(([name]) => name.toLowerCase() !== "content-length").flat();
    begin(status, [...pairs, "content-length", String(Buffer.byteLength(body))]);
    end(body);
  };
  return {
    get isGone() {
      return isGone;
    },
    onGone(listener) {
      if (isGone) listener();
      else listeners = [...listeners, listener];
    },
    begin,
    flush() {
      if (!isOver && !isGone) response.flushHeaders();
    },
    write(bytes) {
      if (isGone) return undefined;
      gather();
      if (response.write(bytes)) return undefined;
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
    end: () => end(),
    cut,
    answer,
    fail(failure) {
      if (isOver || response.headersSent) cut();
      else answer(failure);
    },
    hangUp() {
      leave();
      socket.destroy();
    },
  };
}

/**
 * What is written in one turn of the loop leaves together, at its end: the head with the first bytes, the last bytes with the end. A write to the system is
 * the dearest thing that a call costs us.
 */
function createGathering({ socket }: ServerResponse): () => void {
  let isGathering = false;
  return () => {
    if (isGathering || socket === null) return;
    isGathering = true;
    socket.cork();
    setImmediate(() => {
      isGathering = false;
      socket.uncork();
    });
  };
}

const watchers = new WeakMap<Socket, Set<() => void>>();

/** One listener for each connection, whatever number of requests are sent over it at once. */
function watchClose(socket: Socket, listener: () => void): () => void {
  let set = watchers.get(socket);
  if (set === undefined) {
    const fresh = new Set<() => void>();
    set = fresh;
    watchers.set(socket, fresh);
    socket.once("close", () => {
      for (const each of fresh) each();
    });
  }
  set.add(listener);
  return () => void set.delete(listener);
}
