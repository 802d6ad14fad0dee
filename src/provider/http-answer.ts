/** An answer in one piece. */

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function httpAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  if (typeof body === "string") return { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers }, body };
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

/** What stands before a provider speaks, when the provider does not. */
export function badGateway(): HttpAnswer {
  return httpAnswer(502, "<html><head><title>502 Bad Gateway</title></head><body>502 Bad Gateway</body></html>", {
    "content-type": "text/html",
  });
}
