/** What Node's client is told of the proxy between us and the providers. */
import { Agent as HttpAgent, request } from "node:http";
import { Agent, type RequestOptions } from "node:https";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { MidwatchError } from "../../core/error.ts";
import type { ProxySettings } from "../../core/upstream.ts";

/** What runs on this machine is never asked for through a proxy. */
const here = ".localhost,127.0.0.0-127.255.255.255,[::1],::1";

/** Throws MidwatchError kind environment where this Node could not use the proxy: a request would go past it without a word. */
export function proxyOptions({ http, https, none }: ProxySettings): object {
  if (http === null && https === null) return {};
  if (!knowsProxies(process.versions.node)) {
    throw new MidwatchError("environment", "E_PROXY", `a proxy is set, and Node ${process.versions.node} cannot use one`, {
      hint: "use Node 22.21, 24.5 or a later one, or unset HTTP_PROXY and HTTPS_PROXY",
    });
  }
  return {
    proxyEnv: {
      ...(http === null ? {} : { HTTP_PROXY: addressOf("HTTP_PROXY", http) }),
      ...(https === null ? {} : { HTTPS_PROXY: addressOf("HTTPS_PROXY", https) }),
      NO_PROXY: none === null || none === "" ? here : `${none},${here}`,
    },
  };
}

/** As other programs read it: `host:port` alone is a proxy of HTTP. The value may hold a password, and is not shown. */
function addressOf(name: string, value: string): string {
  const address = value.includes("://") ? value : `http://${value}`;
  if (/^https?:/i.test(address) && URL.canParse(address)) return address;
  throw new MidwatchError("environment", "E_PROXY", `${name} is no address of an HTTP proxy`, {
    hint: "give it as http://host:port or http://name:password@host:port, or unset it",
  });
}

/**
 * Of a request without TLS: Node names the proxy's password only in headers that it writes itself, and ours are raw. Node is asked, by a request that goes nowhere,
 * so that nobody but the proxy is told: which host is reached without it is Node's to say.
 */
export function proxyCredentials(options: object, where: { readonly host: string; readonly port: number }): readonly string[] {
  const asking = request({ ...where, agent: new NowhereAgent({ ...options, keepAlive: false }) });
  const header = asking.on("error", () => undefined).getHeader("proxy-authorization");
  asking.destroy();
  return header === undefined ? [] : ["Proxy-Authorization", String(header)];
}

class NowhereAgent extends HttpAgent {
  override createConnection() {
    return new Socket(); // one that is never connected
  }
}

/**
 * Node gives a request its connection through a proxy only when that stands. This one also tells of it before, so that a proxy which never answers can be given
 * up, and nothing of it stays open.
 */
export class TellingAgent extends Agent {
  override createConnection(options: RequestOptions & Telling, done?: (error: Error | null, stream: Duplex) => void) {
    const connection = super.createConnection(options, done);
    if (connection != null) options.onOpening?.(connection);
    return connection;
  }
}

/** What a request says to a TellingAgent beside its options. */
export interface Telling {
  readonly onOpening?: (connection: Duplex) => void;
}

function knowsProxies(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
}
