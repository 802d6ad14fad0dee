/** Upstreams that speak TLS, the proxy before them, and a gateway that trusts them as a person would have it: by NODE_EXTRA_CA_CERTS. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { onTestFinished } from "vitest";
import type { CallResult } from "../../src/core/money/call.ts";
import type { ProxySettings } from "../../src/core/upstream.ts";

const certificates = `${import.meta.dirname}/../fixtures/tls`;
const read = (name: string) => readFileSync(`${certificates}/${name}.pem`);
const program = `${import.meta.dirname}/gateway-program.ts`;

export interface Listening {
  readonly port: number;
  /** What each connection has sent, in their order; deciphered. */
  readonly heard: string[];
}

/** @param certificate  of test/fixtures/tls: all but what is asked for by a host of it are refused */
export function startTls(certificate: "here" | "expired" | "elsewhere", serve: (socket: TLSSocket) => unknown): Promise<Listening> {
  const heard: string[] = [];
  const server = createTlsServer({ key: read("key"), cert: read(certificate) }, (socket) => {
    listenTo(socket, heard);
    socket.once("data", () => void serve(socket));
  });
  server.on("tlsClientError", () => undefined); // that the other side does not trust us is part of the test
  return listen(server, heard);
}

/** @param serve  called when a connection has said its first word, before anybody has answered */
export function startPlain(serve: (socket: Socket, said: string) => unknown): Promise<Listening> {
  const heard: string[] = [];
  const server = createServer((socket) => {
    listenTo(socket, heard);
    socket.once("data", (chunk: Buffer) => void serve(socket, chunk.toString("latin1")));
  });
  return listen(server, heard);
}

/** Joins whoever asks to the upstream, whatever host was named: nothing of a test leaves this machine. */
export function tunnelTo(upstream: Listening): (socket: Socket) => void {
  return (socket) => {
    const far = connect(upstream.port, "127.0.0.1");
    far.on("error", () => socket.destroy());
    socket.on("close", () => far.destroy());
    far.on("close", () => socket.destroy());
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    socket.pipe(far).pipe(socket);
  };
}

function listenTo(socket: Socket, heard: string[]): void {
  const index = heard.push("") - 1;
  socket.on("error", () => undefined); // a reset is part of the test
  socket.on("data", (chunk: Buffer) => {
    heard[index] += chunk.toString("latin1");
  });
}

async function listen(server: Server, heard: string[]): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket.on("close", () => sockets.delete(socket)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return { port: typeof address === "object" && address !== null ? address.port : 0, heard };
}

export interface GatewayProcess {
  readonly url: string;
  /** The next call that is closed. */
  nextCall(): Promise<Pick<CallResult, "end" | "failure" | "status">>;
  /** Resolves when the process has ended, as it does when all that was open is closed. */
  close(): Promise<void>;
}

/** @param trusts  false = only the authorities that come with Node */
export async function startGateway(baseUrl: string, proxy: ProxySettings | null = null, trusts = true): Promise<GatewayProcess> {
  const env = { PATH: process.env["PATH"], ...(trusts ? { NODE_EXTRA_CA_CERTS: `${certificates}/trusted.pem` } : {}) };
  const child = spawn(process.execPath, [program, baseUrl, JSON.stringify(proxy)], { stdio: ["pipe", "pipe", "inherit"], env });
  const ended = once(child, "close");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const line = await lines.next();
    if (line.done) throw new Error("the gateway has ended");
    return JSON.parse(line.value);
  };
  const close = async () => {
    child.stdin.end();
    await ended;
  };
  onTestFinished(close);
  return { url: (await next()).url, nextCall: next, close };
}
