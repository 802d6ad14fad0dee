import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import type { ScriptStep } from "../../src/ports/provider.ts";
import { ask, createTestDesk, openGateway, requestText, speakTo, startRaw, startScripted, type TestGateway } from "./gateway-kit.ts";

const question = { model: "m", stream: true, messages: [{ role: "user", content: "x" }] };
const streamHead = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** An agent that asks and then does as the test says. */
function agent(gateway: TestGateway): Socket {
  const socket = connect(gateway.port, "127.0.0.1");
  socket.on("error", () => undefined); // a reset is part of the test
  socket.write(requestText(`${gateway.path}/v1/messages`, '{"model":"m","stream":true}'));
  return socket;
}

test.each<[string, ScriptStep, object]>([
  ["a whole answer is done", { text: "hello" }, { end: "done", failure: null, status: 200 }],
  ["an answer that is cut off is cut by the provider", { fault: { kind: "cut" } }, { end: "cut", failure: "cut-by-provider", status: 200 }],
  ["an error in a stream is told from a cut", { fault: { kind: "stream-error" } }, { end: "cut", failure: "error-in-stream", status: 200 }],
  ["a refusal of the provider has failed", { fault: { kind: "bad-request" } }, { end: "failed", failure: "refused", status: 400 }],
  ["an error of the provider has failed", { fault: { kind: "server-error" } }, { end: "failed", failure: "server-error", status: 500 }],
  [
    "a connection that is reset before an answer is unknown",
    { fault: { kind: "reset" } },
    { end: "unknown", failure: "lost", status: null },
  ],
])("%s", async (_name, step, result) => {
  const { url } = await startScripted(step);
  const desk = createTestDesk();
  const gateway = await openGateway({ url, desk });
  const answer = await ask(gateway.url, question);
  await answer.text().catch(() => "cut");
  expect(await desk.finished()).toEqual([expect.objectContaining(result)]);
});

test("where nobody listens nothing has left, and the agent may try again", async () => {
  const gone = await startRaw(() => undefined);
  await gone.close();
  const desk = createTestDesk();
  const gateway = await openGateway({ url: gone.url, desk });
  const answer = await ask(gateway.url);
  expect(answer.status).toBe(502);
  expect(await answer.json()).toEqual({ failed: `127.0.0.1:${gone.port} could not be reached (ECONNREFUSED)` });
  expect(await desk.finished()).toEqual([
    expect.objectContaining({ end: "failed", failure: "unreachable", status: null, firstByteMs: null }),
  ]);
});

test("an agent that hangs up before the answer cancels the call at the provider", async () => {
  const asked = Promise.withResolvers<Socket>();
  const upstream = await startRaw(async (socket, head) => {
    await head;
    asked.resolve(socket);
  });
  const desk = createTestDesk();
  const caller = agent(await openGateway({ url: upstream.url, desk }));
  const socket = await asked.promise;
  caller.destroy();
  await once(socket, "close");
  expect(await desk.finished()).toEqual([expect.objectContaining({ end: "cut", failure: "cut-by-client", status: null })]);
});

test("an agent that hangs up amid the answer cancels the call at the provider, and what was told is booked", async () => {
  const upstream = await startRaw(async (socket, head) => {
    await head;
    socket.write(streamHead + chunk("data: one\n\n"));
  });
  const desk = createTestDesk();
  const caller = agent(await openGateway({ url: upstream.url, desk }));
  await once(caller, "data");
  const [socket] = [...upstream.sockets];
  caller.destroy();
  await once(socket!, "close");
  expect(await desk.finished()).toEqual([expect.objectContaining({ end: "cut", failure: "cut-by-client", status: 200 })]);
});

test("an agent that hung up while its call was written down spends nothing", async () => {
  const upstream = await startRaw(() => undefined);
  const [asked, written] = [Promise.withResolvers<void>(), Promise.withResolvers<null>()];
  const desk = createTestDesk({
    decide() {
      asked.resolve();
      return written.promise;
    },
  });
  const gateway = await openGateway({ url: upstream.url, desk });
  agent(gateway);
  await asked.promise;
  const closed = gateway.door.close();
  written.resolve(null);
  await closed;
  expect(await desk.finished()).toEqual([expect.objectContaining({ end: "failed", failure: "unreachable" })]);
  expect(upstream.heard).toEqual([]);
});

test("an answer that is kept is read to its end, whoever hung up", async () => {
  const more = Promise.withResolvers<void>();
  const upstream = await startRaw(async (socket, head) => {
    await head;
    socket.write(streamHead + chunk("data: one\n\n"));
    await more.promise;
    socket.write(`${chunk("data: LAST\n\n")}${chunk("\n")}0\r\n\r\n`);
  });
  const desk = createTestDesk({ keepsAnswers: true });
  const caller = agent(await openGateway({ url: upstream.url, desk }));
  await once(caller, "data");
  caller.destroy();
  await once(caller, "close");
  more.resolve();
  const [result] = await desk.finished();
  expect(result).toMatchObject({ end: "done", failure: null });
  expect(Buffer.from(result?.answer?.body ?? []).toString()).toBe("data: one\n\ndata: LAST\n\n\n");
  expect(result?.answer?.headers).toEqual([["content-type", "text/event-stream"]]);
});

test("an answer that is kept is delivered although its connection stays open after the last word", async () => {
  const upstream = await startRaw(async (socket, head) => {
    await head;
    socket.write(streamHead + chunk("data: LAST\n\n"));
  });
  const desk = createTestDesk({ keepsAnswers: true });
  const caller = agent(await openGateway({ url: upstream.url, desk }));
  for await (const piece of caller as AsyncIterable<Buffer>) if (piece.includes("LAST")) break;
  expect(await desk.finished()).toMatchObject([{ end: "done", answer: { status: 200 } }]);
});

test("the piece with the last word is not delivered before the row is closed", async () => {
  const [more, closing, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const upstream = await startRaw(async (socket, head) => {
    await head;
    socket.write(streamHead + chunk("data: one\n\n"));
    await more.promise;
    socket.end(`${chunk("data: LAST\n\n")}0\r\n\r\n`);
  });
  const desk = createTestDesk({
    beforeFinish() {
      closing.resolve();
      return written.promise;
    },
  });
  const caller = agent(await openGateway({ url: upstream.url, desk }));
  let heard = "";
  caller.on("data", (piece: Buffer) => {
    heard += piece.toString();
  });
  while (!heard.includes("one")) await once(caller, "data");
  more.resolve();
  await closing.promise;
  expect(heard).not.toContain("LAST");
  written.resolve();
  while (!heard.includes("0\r\n\r\n")) await once(caller, "data");
  expect(heard).toContain("LAST");
});

test.each(["an answer with a length", "a stream"])("when the row cannot be closed, %s breaks off", async (kind) => {
  const upstream = await startRaw(async (socket, head) => {
    await head;
    socket.end(kind === "a stream" ? `${streamHead}${chunk("LAST")}0\r\n\r\n` : "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nLAST");
  });
  const desk = createTestDesk({ beforeFinish: () => Promise.reject(new Error("disk full")) });
  const answer = ask((await openGateway({ url: upstream.url, desk })).url).then((response) => response.text());
  await expect(answer).rejects.toThrow();
});

test("when the row cannot be opened, nothing leaves", async () => {
  const upstream = await startRaw(() => undefined);
  const desk = createTestDesk({ decide: () => Promise.reject(new Error("disk full")) });
  const answer = await ask((await openGateway({ url: upstream.url, desk })).url);
  expect(answer.status).toBe(503);
  expect(upstream.heard).toEqual([]);
});

test("closing a door ends what is on its way, and resolves when it is booked", async () => {
  const upstream = await startScripted({ fault: { kind: "stall" } });
  const desk = createTestDesk();
  const gateway = await openGateway({ url: upstream.url, desk });
  const answer = await ask(gateway.url, question);
  await gateway.door.close();
  expect(desk.calls.map((call) => call.results)).toEqual([[expect.objectContaining({ end: "cut", failure: "cut-by-client" })]]);
  await expect(answer.text()).rejects.toThrow();
  expect((await ask(gateway.url, question)).status).toBe(404);
});

test("closing all doors ends also what would be read to its end", async () => {
  const upstream = await startScripted({ fault: { kind: "stall" } });
  const desk = createTestDesk({ keepsAnswers: true });
  const gateway = await openGateway({ url: upstream.url, desk });
  const answer = await ask(gateway.url, question);
  const text = answer.text().catch(() => "cut");
  await gateway.close();
  expect(await desk.finished()).toEqual([expect.objectContaining({ end: "cut", failure: "cut-by-client" })]);
  expect(await text).toBe("cut");
});

test("a kept connection that is lost after the request was sent is not tried again", async () => {
  let requests = 0;
  const upstream = await startRaw((socket) => {
    socket.on("data", () => {
      requests += 1;
      if (requests === 1) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nLAST");
      else socket.resetAndDestroy();
    });
  });
  const desk = createTestDesk();
  const gateway = await openGateway({ url: upstream.url, desk });
  await (await ask(gateway.url)).text();
  expect((await ask(gateway.url)).status).toBe(502);
  expect(requests).toBe(2);
  expect(upstream.heard).toHaveLength(1);
  expect(await desk.finished(2)).toMatchObject([{ end: "done" }, { end: "unknown", failure: "lost" }]);
});

test("a connection is kept for the next call, and a new one made when the provider has closed it", async () => {
  const upstream = await startRaw((socket) => {
    socket.on("data", () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nLAST"));
  });
  const gateway = await openGateway({ url: upstream.url });
  for (const _call of [1, 2]) await (await ask(gateway.url)).text();
  expect(upstream.heard).toHaveLength(1);
  const [kept] = [...upstream.sockets];
  kept?.end();
  await once(kept!, "close");
  expect(await (await ask(gateway.url)).text()).toBe("LAST");
  expect(upstream.heard).toHaveLength(2);
});

test("requests in one stroke over one connection are served in their order", async () => {
  const upstream = await startRaw(async (socket, head) => {
    await head;
    socket.end("HTTP/1.1 200 OK\r\ncontent-length: 4\r\nconnection: close\r\n\r\nLAST");
  });
  const desk = createTestDesk();
  const gateway = await openGateway({ url: upstream.url, desk });
  const one = requestText(`${gateway.path}/v1/messages`, '{"model":"m"}');
  const text = await speakTo(gateway.port, one.repeat(20), (heard) => heard.split("LAST").length === 21);
  expect(text.split("LAST")).toHaveLength(21);
  expect((await desk.finished(20)).every(({ end }) => end === "done")).toBe(true);
});
