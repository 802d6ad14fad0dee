/** Ids, secrets and chance from the system's random source (port: `ports/ids.ts`). */
import { randomBytes, randomInt } from "node:crypto";
import { runId, windowId } from "../../core/ids.ts";
import type { Ids } from "../../ports/ids.ts";

const secretBytes = 16;
const counterLimit = 2 ** 12;

/** `now` = milliseconds since 1970. Ids of one maker sort by the order in which they were made, even when the clock stands or goes back. */
export function createIds(now: () => number): Ids {
  const newId = createUuidMaker(now);
  return {
    newRunId: () => runId(newId()),
    newWindowId: () => windowId(newId()),
    newCallId: newId,
    newSecret: () => randomBytes(secretBytes).toString("base64url"),
    random: () => randomInt(2 ** 47) / 2 ** 47,
  };
}

/** UUID v7 of RFC 9562 (method 1): 48 bits of time, 12 bits that count within a millisecond, 62 random bits. */
function createUuidMaker(now: () => number): () => string {
  let lastMs = 0;
  let counter = 0;
  return () => {
    const nowMs = now();
    counter += 1;
    if (nowMs > lastMs || counter === counterLimit) {
      lastMs = Math.max(nowMs, lastMs + 1);
      counter = randomInt(counterLimit / 2);
    }
    return formatUuid(lastMs, counter, randomBytes(8));
  };
}

function formatUuid(ms: number, counter: number, random: Buffer): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(ms, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  random.copy(bytes, 8);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
