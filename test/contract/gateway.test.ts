import { expect, test } from "vitest";
import { ask, createTestDesk, openGateway, requestText, speakTo, startRaw, startScripted } from "./gateway-kit.ts";

const question = { model: "m", stream: true, messages: [{ role: "user", content: "x" }] };

test("a streamed call passes and is one row, begun before and finished after", async () => {
  const { url } = await startScripted({ text: "hello" });
  const desk = createTestDesk();
  const door = await openGateway({ url, desk });
  const text = await (await ask(door.url, question)).text();
  expect(text).toContain("message_stop");
  expect(desk.calls).toHaveLength(1);
  expect(desk.calls[0]?.results).toEqual([expect.objectContaining({ end: "done", failure: null, status: 200 })]);
  expect(desk.calls[0]?.results[0]?.providerRequestId).toMatch(/^req_/);
});

test("what is refused does not leave", async () => {
  const upstream = await startScripted({ text: "hello" });
  const desk = createTestDesk({ decide: () => ({ kind: "refuse", why: "cap", message: "the cap is reached" }) });
  const door = await openGateway({ url: upstream.url, desk });
  const answer = await ask(door.url, question);
  expect(answer.status).toBe(400);
  expect(answer.headers.get("x-should-retry")).toBe("false");
  expect(await answer.json()).toEqual({ refused: "the cap is reached" });
  expect(upstream.calls).toHaveLength(0);
});

test("request and answer are the same bytes as without the gateway, headers in order and case included", async () => {
  const answer = "HTTP/1.1 200 Fine\r\nX-One: a\r\nDATE: Mon\r\nx-one:  b\r\nSet-Cookie: \xe9=1\r\nContent-Length: 6\r\n\r\n{LAST}";
  const upstream = await startRaw(async (socket, head) => {
    await head;
    socket.end(answer, "latin1");
  });
  const door = await openGateway({ url: upstream.url });
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
