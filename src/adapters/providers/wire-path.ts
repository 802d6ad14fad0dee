/** Paths of requests, compared exactly: what a server could take for another path than we do is nobody's. */

const plainPath = /^(?:\/[A-Za-z0-9_.:@~-]+)+$/;
const dots = /\/\.\.?(?:\/|$)/;

/** The path without `/v1` at its front: some base URLs end in it, some do not. Null = no plain path. */
export function plainPathOf(path: string): string | null {
  const [bare = ""] = path.split("?", 1);
  if (!plainPath.test(bare) || dots.test(bare)) return null;
  return bare.startsWith("/v1/") ? bare.slice("/v1".length) : bare;
}

/** Lists of models, and questions whether somebody is there: asked by agents of any format, and never billed. */
export function isFreeForAll(method: string, path: string): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  const plain = path.split("?", 1)[0] === "/" ? "/" : plainPathOf(path);
  if (plain === null) return false;
  return method === "HEAD" || /^\/models(?:\/[^/]+)?$/.test(plain) || plain === "/api/hello";
}
