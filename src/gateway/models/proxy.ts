/** What Node's client is told of the proxy between us and the providers. */
import { MidwatchError } from "../../core/error.ts";
import type { ProxySettings } from "../../core/upstream.ts";

/** What runs on this machine is never asked for through a proxy. */
const here = "localhost,127.0.0.1,[::1],::1";

/** Throws MidwatchError kind environment where this Node knows no proxies: a request would go past it without a word. */
export function proxyOptions({ http, https, none }: ProxySettings): object {
  if (http === null && https === null) return {};
  if (!knowsProxies(process.versions.node)) {
    throw new MidwatchError("environment", "E_PROXY", `a proxy is set, and Node ${process.versions.node} cannot use one`, {
      hint: "use Node 22.21, 24.5 or a later one, or unset HTTP_PROXY and HTTPS_PROXY",
    });
  }
  return {
    proxyEnv: {
      ...(http === null ? {} : { HTTP_PROXY: http }),
      ...(https === null ? {} : { HTTPS_PROXY: https }),
      NO_PROXY: none === null || none === "" ? here : `${none},${here}`,
    },
  };
}

function knowsProxies(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
}
