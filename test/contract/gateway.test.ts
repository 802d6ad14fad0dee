import { afterEach, expect, test } from "vitest";
import type { ScriptStep } from "../../src/ports/provider.ts";
import { startProvider } from "../../src/provider/server.ts";
import { ask, createTestDesk, type GatewayOptions, openGateway, requestText, speakTo, startRaw } from "./gateway-kit.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function gateway(options: GatewayOptions) {
  const opened = await openGateway(options);
  closers.push(opened.close);
  return opened;
}

async function provider(step: ScriptStep) {
  const started = await startProvider({ script: { conversations: [{ steps: [step] }] } });
  closers.push(started.close);
  return started;
}

async function raw(serve: Parameters<typeof startRaw>[0]) {
  const started = await startRaw(serve);
  closers.push(started.close);
  return started;
}

const question = { model: "m", stream: true, messages: [{ role: "user", content: "x" }] };

test("a streamed call passes and is one row, begun before and finished after", async () => {
  const { url } = await provider({ text: "hello" });
  const desk = createTestDesk();
  const door = await gateway({ url, desk });
  const text = await (await ask(door.url, question)).text();
  expect(text).toContain("message_stop");
  expect(desk.calls).toHaveLength(1);
  expect(desk.calls[0]?.results).toEqual([expect.objectContaining({ end: "done", failure: null, status: 200 })]);
  expect(desk.calls[0]?.results[0]?.providerRequestId).toMatch(/^req_/);
});

test("what is refused does not leave", async () => {
  const upstream = await provider({ text: "hello" });
  const desk = createTestDesk({ decide: () => ({ kind: "refuse", why: "cap", message: "the cap is reached" }) });
  const door = await gateway({ url: upstream.url, desk });
  const answer = await ask(door.url, question);
  expect(answer.status).toBe(400);
  expect(answer.headers.get("x-should-retry")).toBe("false");
  expect(await answer.json()).toEqual({ refused: "the cap is reached" });
  expect(upstream.calls).toHaveLength(0);
});

test("request and answer are the same bytes as without the gateway, headers in order and case included", async () => {
  const answer = "HTTP/1.1 200 Fine\r\nX-One: a\r\nDATE: Mon\r\nx-one:  b\r\nSet-Cookie: \xe9=1\r\nContent-Length: 6\r\n\r\n{LAST}";
  const upstream = await raw(async (socket, head) => {
    await head;
    socket.end(answer, "latin1");
  });
  const door = await gateway({ url: upstream.url });
  const body = '{ "model":"m","x":"\xe9" }';
  const sent = (port: number, path: string) =>
    speakTo(
      port,
      Buffer.from(
        requestText(`${path}/v1/messages?beta=true`, body, [
          "X-Api-Key: k",
          "Accept-Encoding: br",
          "anthropic-beta: a",
          "Anthropic-Beta: b",
        ]),
      ),
      (text) => text.endsWith("{LAST}"),
    );
  const direct = await sent(upstream.port, "");
  const through = await sent(door.port, door.path);
  const [one = "", other = ""] = upstream.heard.map((bytes) => bytes.toString("latin1"));
  expect(other.replace(/\r\nConnection: keep-alive/, "")).toBe(one.replace("127.0.0.1:1", `127.0.0.1:${upstream.port}`));
  expect(through.replace(/Connection: keep-alive\r\nKeep-Alive: timeout=75\r\n/, "")).toBe(direct.replace("x-one:  b", "x-one: b"));
});
