/** One request's way onto a connection: whether it is there, and whether anything of the request may have left. */
import type { ClientRequest } from "node:http";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";

export interface Wire {
  /** Something of the request may have left. */
  hasBytes(): boolean;
  /** It was to go over a kept connection. */
  isStale(): boolean;
  /** A connection was given to it; one through a proxy is given when it stands. */
  hasSocket(): boolean;
}

export interface WireEvents {
  /** The connection that was given is not there yet. */
  readonly connecting: () => void;
  /** Called at most once: the request can be put on it. */
  readonly connected: () => void;
}

export function watchWire(outgoing: ClientRequest, events: WireEvents): Wire {
  let socket: Socket | null = null;
  let isConnected = false;
  let bytesBefore = 0;
  const connected = () => {
    isConnected = true;
    events.connected();
  };
  outgoing.once("socket", (given: Socket) => {
    socket = given;
    // Before the request is put on it: what is asked for and sent are two turns of the loop.
    bytesBefore = given.bytesWritten;
    if (outgoing.reusedSocket || !isConnecting(given)) return connected();
    events.connecting();
    // Through TLS a request leaves after the handshake.
    given.once(given instanceof TLSSocket ? "secureConnect" : "connect", connected);
  });
  return {
    hasBytes: () => isConnected && !(outgoing.reusedSocket && socket?.bytesWritten === bytesBefore),
    isStale: () => outgoing.reusedSocket,
    hasSocket: () => socket !== null,
  };
}

function isConnecting(socket: Socket): boolean {
  return socket.connecting || (socket instanceof TLSSocket && "secureConnecting" in socket && socket.secureConnecting === true);
}
