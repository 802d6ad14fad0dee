/** Stands before a provider and writes down each request as it came: which key it bears, which headers. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import { onTestFinished } from "vitest";

export interface WireTap {
  readonly url: string;
  readonly heard: readonly { readonly headers: IncomingHttpHeaders; readonly body: string }[];
}

/** @param upstream  where requests go on to */
export async function tapWire(upstream: string): Promise<WireTap> {
  const heard: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (incoming, response) => {
    const { method = "", headers, url = "" } = incoming;
    const chunks = await incoming.toArray();
    const body = Buffer.concat(chunks);
    heard.push({ headers, body: body.toString("utf8") });
    const onward = request(`${upstream}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    onward.end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`, heard };
}
