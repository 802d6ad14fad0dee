/** Callers of the scripted provider: whole requests, and bytes as they come. */
import { once } from "node:events";
import { connect } from "node:net";
import type { ProviderOptions, ScriptedProvider, ScriptStep } from "../../src/ports/provider.ts";
import { startProvider } from "../../src/provider/server.ts";

/** Runs `work` against a provider that plays these steps, and ends it. */
export async function withProvider<T>(
  steps: readonly ScriptStep[] | Omit<ProviderOptions, "port">,
  work: (provider: ScriptedProvider) => Promise<T>,
): Promise<T> {
  const provider = await startProvider("script" in steps ? steps : { script: { conversations: [{ steps }] } });
  try {
    return await work(provider);
  } finally {
    await provider.close();
  }
}

/** A conversation in which the assistant has spoken so many times. */
export function conversation(spoken: number, change: object = {}): object {
  const turns = Array.from({ length: spoken }, (_, index) => [
    { role: "assistant", content: [{ type: "text", text: `answer ${index}` }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: `result ${index}` }] }] },
  ]).flat();
  return { model: "claude-opus-5-5", messages: [{ role: "user", content: "do it" }, ...turns], ...change };
}

export function ask({ url }: ScriptedProvider, body: object, path = "/v1/messages?beta=true"): Promise<Response> {
  return fetch(`${url}${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}

export interface Event {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The events of a stream, up to where it ends or breaks. */
export async function readEvents(response: Response): Promise<{ readonly events: readonly Event[]; readonly broken: boolean }> {
  let text = "";
  let broken = false;
  try {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString("utf8");
  } catch {
    broken = true; // the connection ended in the midst of it
  }
  const data = text.split("\n").filter((line) => line.startsWith("data: "));
  return { events: data.map((line) => JSON.parse(line.slice("data: ".length)) as Event), broken };
}

/** What a stream says, put together as a caller does. */
export function assemble(events: readonly Event[]): unknown {
  const start = events[0] as unknown as { message: object } | undefined;
  const blocks: Record<string, unknown>[] = [];
  const pieces: string[] = [];
  for (const event of events) {
    const index = event["index"] as number;
    if (event.type === "content_block_start") blocks[index] = { ...(event["content_block"] as object) };
    if (event.type === "content_block_delta") {
      const delta = event["delta"] as { text?: string; partial_json?: string };
      pieces[index] = (pieces[index] ?? "") + (delta.text ?? delta.partial_json ?? "");
    }
  }
  const content = blocks.map((block, index) =>
    block["type"] === "text" ? { ...block, text: pieces[index] } : { ...block, input: JSON.parse(pieces[index] ?? "") },
  );
  const end = events.find(({ type }) => type === "message_delta") as unknown as { delta: object; usage: object };
  return { ...start?.message, content, ...end.delta, usage: end.usage };
}

/** Sends bytes and gives what came back until the other side hung up, or until we do. */
export async function speak({ port }: ScriptedProvider, bytes: string | Buffer, hangUp = false): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined); // a reset is an answer too
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(socket, "connect");
  await new Promise((resolve) => socket.write(bytes, resolve));
  if (hangUp) socket.destroy();
  if (!socket.closed) await once(socket, "close");
  return Buffer.concat(chunks).toString("utf8");
}
