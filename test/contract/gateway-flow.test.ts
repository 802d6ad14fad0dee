import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { ask, createTestDesk, openGateway, requestText, speakTo, startRaw, startScripted } from "./gateway-kit.ts";

const question = '{"model":"m","stream":true}';
const streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

/** Numbers between 0 and 1, the same ones for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Writes until the system takes no more, and tells how much it took. */
async function writeUntilFull(socket: Socket): Promise<number> {
  const piece = Buffer.from(chunk("y".repeat(1_000_000)));
  let taken = 0;
  for (;;) {
    const isOver = await new Promise<boolean>((resolve) => {
      const tooLong = setTimeout(() => resolve(true), 1000);
      socket.write(piece, () => {
        clearTimeout(tooLong);
        resolve(false);
      });
    });
    if (isOver) return taken;
    taken += piece.length;
    if (taken > 300_000_000) return taken;
  }
}

test("a slow agent slows the provider, and memory stays flat", async () => {
  const full = Promise.withResolvers<number>();
  const upstream = await startRaw(async (socket, head) => {
    await head;
    socket.write(streamHead);
    full.resolve(await writeUntilFull(socket));
  });
  const gateway = await openGateway({ url: upstream.url });
  const caller = connect(gateway.port, "127.0.0.1");
  caller.write(requestText(`${gateway.path}/v1/messages`, question));
  const before = process.memoryUsage.rss();
  const taken = await full.promise;
  // What the system itself keeps for two connections is some megabytes.
  expect(taken).toBeLessThan(64_000_000);
  expect(process.memoryUsage.rss() - before).toBeLessThan(150_000_000);
  caller.destroy();
});

test("64 streams at once are all whole, and each is one row", async () => {
  const upstream = await startScripted({ text: "hello", firstByteMs: 20, betweenMs: 2 });
  const desk = createTestDesk();
  const gateway = await openGateway({ url: upstream.url, desk });
  const body = { model: "m", stream: true, messages: [{ role: "user", content: "x" }] };
  const texts = await Promise.all(Array.from({ length: 64 }, async () => (await ask(gateway.url, body)).text()));
  expect(texts.every((text) => text.includes("message_stop"))).toBe(true);
  expect(desk.calls.map(({ results }) => results.map(({ end }) => end))).toEqual(Array.from({ length: 64 }, () => ["done"]));
});

test("the head and each piece arrive while the provider still speaks", async () => {
  const next = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const upstream = await startRaw(async (socket, head) => {
    await head;
    socket.write(streamHead);
    await next[0]?.promise;
    socket.write(chunk("one"));
    await next[1]?.promise;
    socket.end(`${chunk("LAST")}0\r\n\r\n`);
  });
  const gateway = await openGateway({ url: upstream.url });
  const answer = await ask(gateway.url);
  next[0]?.resolve();
  const reader = answer.body!.getReader();
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("one");
  next[1]?.resolve();
  expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("LAST");
});

/** What happens to one call, drawn by lot: where the provider stops, how, and where the agent hangs up. */
interface Fate {
  readonly pieces: number;
  readonly ending: "whole" | "end" | "reset" | "stall";
  readonly hangsUpAfter: number | null;
}

function drawFate(next: () => number): Fate {
  const endings = ["whole", "whole", "end", "reset", "stall"] as const;
  const ending = endings[Math.floor(next() * endings.length)] ?? "whole";
  const hangsUpAfter = ending === "stall" || next() < 0.3 ? Math.floor(next() * 200) : null;
  return { pieces: Math.floor(next() * 6), ending, hangsUpAfter };
}

async function play(socket: Socket, { pieces, ending }: Fate): Promise<void> {
  if (pieces > 0) socket.write(streamHead);
  for (let piece = 1; piece < pieces; piece += 1) {
    socket.write(chunk(`data: ${piece}\n\n`));
    await wait(0);
  }
  if (ending === "whole") socket.end(pieces === 0 ? "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nLAST" : `${chunk("LAST")}0\r\n\r\n`);
  else if (ending === "end") socket.end();
  else if (ending === "reset") socket.resetAndDestroy();
}

test.each([
  [1, false],
  [2, false],
  [3, true],
  [4, true],
])("whatever breaks off where, each call is finished exactly once (lot %i, answers kept: %s)", async (seed, keepsAnswers) => {
  const next = numbers(seed);
  const fates = Array.from({ length: 60 }, () => drawFate(next));
  const upstream = await startRaw(async (socket, head) => {
    const number = Number(/"n":(\d+)/.exec(await head)?.[1]);
    await play(socket, fates[number]!);
  });
  const desk = createTestDesk({ keepsAnswers });
  const gateway = await openGateway({ url: upstream.url, desk });
  const one = async (fate: Fate, number: number) => {
    const text = requestText(`${gateway.path}/v1/messages`, `{"model":"m","n":${number}}`);
    return speakTo(
      gateway.port,
      text,
      (heard) =>
        (fate.hangsUpAfter !== null && heard.length >= fate.hangsUpAfter) ||
        heard.endsWith("0\r\n\r\n") ||
        heard.endsWith("}") ||
        heard.endsWith("LAST"),
      fate.ending === "stall" ? 50 : undefined,
    );
  };
  await Promise.all(fates.map(one));
  await gateway.close();
  expect(desk.calls.map(({ results }) => results.length)).toEqual(fates.map(() => 1));
  const ends = desk.calls.flatMap(({ results }) => results);
  expect(ends.filter(({ end }) => end === "done").every(({ failure }) => failure === null)).toBe(true);
  expect(new Set(ends.map(({ end }) => end)).size).toBeGreaterThan(2);
});

const recorded = (body: string, headers: readonly (readonly [string, string])[]) => ({ status: 200, headers, body: Buffer.from(body) });

test.each([
  [
    "a stream",
    recorded("data: one\n\ndata: LAST\n\n:end", [
      ["Content-Type", "text/event-stream"],
      ["x-one", "1"],
      ["X-One", "2"],
    ]),
  ],
  [
    "an answer with a length",
    recorded("{}LAST", [
      ["content-length", "6"],
      ["request-id", "req_1"],
    ]),
  ],
])("%s that was recorded is served byte for byte, and nothing leaves", async (_name, answer) => {
  const upstream = await startRaw(() => undefined);
  const desk = createTestDesk({ decide: () => ({ kind: "replay", answer, undelivered: () => undefined }) });
  const gateway = await openGateway({ url: upstream.url, desk });
  const text = await speakTo(gateway.port, requestText(`${gateway.path}/v1/messages`, question), (heard) => /0\r\n\r\n$|LAST$/.test(heard));
  const head = answer.headers.map((pair) => pair.join(": ")).join("\r\n");
  expect(text.startsWith(`HTTP/1.1 200 OK\r\n${head}\r\nConnection: keep-alive\r\n`)).toBe(true);
  const reply = await ask(gateway.url);
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(answer.body);
  expect(upstream.heard).toEqual([]);
});

test("what is recorded and then served is what the first agent got", async () => {
  const body = `${chunk("data: one\n\n")}${chunk("data: LAST\n\n")}${chunk(": end")}0\r\n\r\n`;
  const upstream = await startRaw((socket) => {
    socket.on("data", () => socket.write(streamHead + body));
  });
  const desk = createTestDesk({ keepsAnswers: true });
  const first = await openGateway({ url: upstream.url, desk });
  const ends = (heard: string) => heard.endsWith("0\r\n\r\n");
  const unframed = (text: string) => text.replace(/(?<=\r\n\r\n|\r\n)[0-9a-f]+\r\n|\r\n(?=[0-9a-f]+\r\n)/g, "");
  const got = await speakTo(first.port, requestText(`${first.path}/v1/messages`, question), ends);
  const [result] = await desk.finished();
  const again = await openGateway({
    url: upstream.url,
    desk: createTestDesk({ decide: () => ({ kind: "replay", answer: result!.answer!, undelivered: () => undefined }) }),
  });
  const replayed = await speakTo(again.port, requestText(`${again.path}/v1/messages`, question), ends);
  expect(unframed(replayed)).toBe(unframed(got));
  expect(upstream.heard).toHaveLength(1);
});
