/**
 * Mounts as a profile of sandbox-exec, for macOS: no folder is replaced there, so what is private or hidden elsewhere is denied. The last rule that matches counts.
 * Untested on a Mac: written from the language's documentation, and covered by a table of profiles alone.
 */
import type { Mount } from "./mounts.ts";

export const sandboxExec = "/usr/bin/sandbox-exec";

/** Without these nearly nothing runs. The person's own temporary folder is named by TMPDIR, and is a mount. */
const alwaysWritten = ["/dev", "/private/tmp", "/private/var/tmp"];

export function seatbeltProfile(mounts: readonly Mount[]): string {
  return [
    "(version 1)",
    "(allow default)",
    // `pkill -9 node` reaches what runs in the same sandbox, and nothing else.
    "(deny signal)",
    "(allow signal (target same-sandbox))",
    "(deny file-write*)",
    ...alwaysWritten.map((path) => `(allow file-write* (subpath ${quoted(path)}))`),
    ...mounts.flatMap(rules),
    "",
  ].join("\n");
}

function rules({ access, at }: Mount): readonly string[] {
  const place = `(subpath ${quoted(at)})`;
  switch (access) {
    case "private":
    case "seen":
      return [];
    case "read":
      return [`(deny file-write* ${place})`];
    case "write":
      return [`(allow file-read* file-write* ${place})`];
    case "hidden":
      return [`(deny file-read* file-write* ${place})`, `(deny network-outbound (remote unix-socket ${place}))`];
  }
}

/** A text of the profile's language: Scheme's. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, "\\$&")}"`;
}
