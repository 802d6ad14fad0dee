/** Whether a provider's host answers, asked the way a call would go: same proxy, same certificates. Costs nothing, and no key is sent. */
import type { ProxySettings } from "../../core/upstream.ts";
import { createUpstreamClient } from "./upstream-client.ts";

/** `status` of any kind: whoever answers is there. */
export type Tried = { readonly kind: "answers"; readonly status: number } | { readonly kind: "silent"; readonly detail: string };

/** A night waits longer; a person who looks does not. */
const patienceMs = 5_000;

/** Throws MidwatchError kind environment for a proxy that cannot be used. */
export async function tryUpstream(baseUrl: string, proxy: ProxySettings): Promise<Tried> {
  const base = new URL(baseUrl);
  const client = createUpstreamClient(proxy);
  const sending = client.send({ base, method: "HEAD", path: "/", headers: ["Host", base.host, "User-Agent", "midwatch"], body: null });
  let isTooLate = false;
  const timer = setTimeout(() => {
    isTooLate = true;
    sending.cancel();
  }, patienceMs);
  try {
    const sent = await sending.sent;
    if (sent.kind === "answer") {
      sent.answer.destroy();
      return { kind: "answers", status: sent.answer.statusCode ?? 0 };
    }
    return { kind: "silent", detail: isTooLate ? `no answer within ${patienceMs / 1000} s` : sent.detail };
  } finally {
    clearTimeout(timer);
    client.close();
  }
}
