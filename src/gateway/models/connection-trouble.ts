/** Why a connection could not be made or broke, in a few words for the agent and the person. */

const notTrusted = "its certificate is not trusted; NODE_EXTRA_CA_CERTS=FILE adds an authority that is";

const words: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: notTrusted,
  SELF_SIGNED_CERT_IN_CHAIN: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT: notTrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: notTrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: notTrusted,
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate does not hold yet: does the clock of this machine go right?",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
};

/** Begins with the system's own word for it, which people search for. */
export function describeTrouble(error: unknown): string {
  const { code, message = "unknown", statusCode } = error as { code?: string; message?: string; statusCode?: number };
  if (code === "ERR_PROXY_TUNNEL") return statusCode === undefined ? message : `${code}: the proxy answered ${describeStatus(statusCode)}`;
  if (code === undefined) return message;
  const meaning = words[code];
  return meaning === undefined ? code : `${code}: ${meaning}`;
}

function describeStatus(status: number): string {
  return status === 407 ? "407: it wants a name and a password, as in HTTPS_PROXY=http://name:password@host:port" : String(status);
}
