/** How the scripted provider fails when it is told to, and that nothing else makes it fail. */
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { ScriptedFault, ScriptStep } from "../../src/ports/provider.ts";
import { startProvider } from "../../src/provider/server.ts";
import { ask, conversation, readEvents, speak, withProvider } from "./provider-kit.ts";

const error = (type: string) => ({ type: "error", error: { type, message: expect.any(String) as string } });

describe("errors with a status", () => {
  test.each<[ScriptedFault, number, unknown]>([
    [{ kind: "rate-limited" }, 429, error("rate_limit_error")],
    [{ kind: "usage-limit" }, 429, error("rate_limit_error")],
    [{ kind: "overloaded" }, 529, error("overloaded_error")],
    [{ kind: "server-error" }, 500, error("api_error")],
    [{ kind: "bad-key" }, 401, error("authentication_error")],
    [{ kind: "forbidden" }, 403, error("permission_error")],
    [{ kind: "no-credit" }, 400, error("invalid_request_error")],
    [{ kind: "no-model" }, 404, error("not_found_error")],
    [{ kind: "bad-request" }, 400, error("invalid_request_error")],
    [{ kind: "prompt-too-long" }, 400, error("invalid_request_error")],
    [{ kind: "http", status: 418, body: { short: "stout" } }, 418, { short: "stout" }],
    [{ kind: "http", status: 503 }, 503, error("api_error")],
  ])("%j is answered as a provider would", async (fault, status, body) => {
    const answer = await withProvider([{ fault }], async (provider) => {
      const response = await ask(provider, conversation(0, { stream: true }));
      return [response.status, await response.json()];
    });
    expect(answer).toEqual([status, body]);
  });

  test("a bad gateway speaks HTML", async () => {
    const [type, text] = await withProvider([{ fault: { kind: "bad-gateway" } }], async (provider) => {
      const response = await ask(provider, conversation(0));
      return [response.headers.get("content-type"), await response.text()];
    });
    expect([type, text]).toEqual(["text/html", expect.stringContaining("502 Bad Gateway")]);
  });

  test("a rate limit says in whole seconds when to come back", async () => {
    const step: ScriptStep = { fault: { kind: "rate-limited", retryAfterMs: 1200 }, headers: { "x-should-retry": "false" } };
    const { headers } = await withProvider([step], (provider) => ask(provider, conversation(0)));
    expect([headers.get("retry-after"), headers.get("x-should-retry")]).toEqual(["2", "false"]);
  });

  test("a subscription's limit says until when", async () => {
    const { headers } = await withProvider([{ fault: { kind: "usage-limit", resetsInMs: 60_000 } }], (provider) =>
      ask(provider, conversation(0)),
    );
    expect(headers.get("anthropic-ratelimit-unified-status")).toBe("rejected");
    expect(Number(headers.get("anthropic-ratelimit-unified-reset")) * 1000 - Date.now()).toBeGreaterThan(50_000);
  });

  test("a fault can pass after so many requests", async () => {
    const statuses = await withProvider([{ text: "at last", fault: { kind: "overloaded" }, times: 2 }], async (provider) => {
      const answers = [await ask(provider, conversation(0)), await ask(provider, conversation(0)), await ask(provider, conversation(0))];
      return answers.map(({ status }) => status);
    });
    expect(statuses).toEqual([529, 529, 200]);
  });
});

describe("answers that break off", () => {
  const half = ["message_start", "content_block_start", "content_block_delta"];
  test.each<[string, ScriptStep, readonly string[], boolean]>([
    ["an error in mid-stream is an event", { fault: { kind: "stream-error" } }, [...half, "error"], false],
    ["a stream can be cut", { text: "half and half", fault: { kind: "cut" } }, half, true],
    ["a stream can be cut at once", { fault: { kind: "cut", afterEvents: 1 } }, ["message_start"], true],
    ["a stream can be cut within a call", { tools: [{ name: "Bash", input: { command: "ls" } }], fault: { kind: "cut" } }, half, true],
  ])("%s", async (_title, step, types, isBroken) => {
    const { events, broken } = await withProvider([step], async (provider) =>
      readEvents(await ask(provider, conversation(0, { stream: true }))),
    );
    expect([events.map(({ type }) => type), broken]).toEqual([types, isBroken]);
  });

  test("an answer in one piece can be cut", async () => {
    const read = withProvider([{ fault: { kind: "cut" } }], async (provider) => (await ask(provider, conversation(0))).text());
    await expect(read).rejects.toThrow();
  });

  test("a connection can be reset", async () => {
    const answer = withProvider([{ fault: { kind: "reset" } }], (provider) => ask(provider, conversation(0)));
    await expect(answer).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
  });

  test.each<[string, ScriptStep, string]>([
    ["before its headers", { fault: { kind: "hang" } }, ""],
    ["in the midst of a stream", { fault: { kind: "stall" } }, "content_block_delta"],
    ["before a late first byte", { text: "late", firstByteMs: 3_600_000 }, ""],
    ["between two late events", { text: "late", betweenMs: 3_600_000 }, "message_start"],
  ])("an answer that hangs %s ends with the provider", async (_title, step, last) => {
    const provider = await startProvider({ script: { conversations: [{ steps: [step] }] } });
    const socket = connect(provider.port, "127.0.0.1");
    let heard = "";
    socket.on("error", () => undefined); // it may be reset
    const body = JSON.stringify(conversation(0, { stream: true }));
    socket.write(`POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    socket.on("data", (chunk: Buffer) => {
      heard += chunk.toString("utf8");
    });
    await expect.poll(() => provider.calls.length).toBe(1);
    await expect.poll(() => heard).toContain(last);
    expect(socket.closed).toBe(false);
    const closed = once(socket, "close");
    await provider.close();
    await closed;
    expect(heard).not.toContain("message_stop");
  });
});

describe("no request ends the provider", () => {
  const head = "POST /v1/messages HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n";
  const withLength = (body: string) => `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  test.each<[string, string | Buffer, string]>([
    ["no JSON", withLength("{nope"), " 400 "],
    ["JSON that is no request", withLength("[1,2]"), " 400 "],
    ["JSON without messages", withLength('{"model":"m"}'), " 400 "],
    ["messages that are none", withLength('{"messages":[null,7,"x",{"role":3},{"role":"user","content":[null,{"text":4}]}]}'), " 200 "],
    [
      "bytes that are no UTF-8",
      Buffer.concat([Buffer.from(`${head}content-length: 4\r\n\r\n`), Buffer.from([0xff, 0xfe, 0, 0x7b])]),
      " 400 ",
    ],
    ["an empty body", `${head}content-length: 0\r\n\r\n`, " 400 "],
    ["a deep nest", withLength(`${"[".repeat(200_000)}${"]".repeat(200_000)}`), " 400 "],
    ["no HTTP", "\u0016\u0003\u0001 hello\r\n\r\n", " 400 "],
    ["a header too large", `${head}x: ${"y".repeat(100_000)}\r\n\r\n`, " 400 "],
    ["a strange path", "POST //../%zz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", " 404 "],
  ])("%s is refused, and the next is served", async (_title, bytes, status) => {
    await withProvider([{ text: "still here" }], async (provider) => {
      expect((await speak(provider, bytes)).split("\r\n", 1)[0]).toContain(status);
      expect((await ask(provider, conversation(0))).status).toBe(200);
    });
  });

  test("a body over the limit is refused", async () => {
    await withProvider([{ text: "still here" }], async (provider) => {
      const large = await ask(provider, conversation(0, { system: "x".repeat(32 * 1024 * 1024) }));
      expect([large.status, await large.json()]).toEqual([413, error("request_too_large")]);
      expect((await ask(provider, conversation(0, { system: "x".repeat(31 * 1024 * 1024) }))).status).toBe(200);
    });
  });

  test("a caller that hangs up, before or after its request, is forgotten", async () => {
    await withProvider([{ text: "x".repeat(1_000_000), betweenMs: 1 }], async (provider) => {
      await speak(provider, `${head}content-length: 1000\r\n\r\n{"model"`, true);
      const body = JSON.stringify(conversation(0, { stream: true }));
      for (let times = 0; times < 20; times += 1) await speak(provider, withLength(body), true);
      expect((await ask(provider, conversation(0))).status).toBe(200);
    });
  });

  test("the record of calls is bounded", async () => {
    await withProvider([], async (provider) => {
      for (let times = 0; times < 1010; times += 1) await (await fetch(provider.url)).arrayBuffer();
      expect([provider.calls.length, provider.calls.at(-1)?.number]).toEqual([1000, 1010]);
    });
  });
});
