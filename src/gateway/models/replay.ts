/** Serves a recorded answer: status, headers and bytes as they came, a stream event by event. */
import type { RecordedAnswer } from "../../core/money/call.ts";
import type { Caller } from "./caller.ts";
import { headerOf } from "./raw-headers.ts";

/** @returns whether the caller was there for all of it */
export async function replayAnswer(caller: Caller, { status, headers, body }: RecordedAnswer): Promise<boolean> {
  const raw = headers.flat();
  caller.begin(status, raw);
  const isStream = (headerOf(raw, "content-type") ?? "").startsWith("text/event-stream") && headerOf(raw, "content-encoding") === null;
  for (const piece of isStream ? eventsOf(body) : [body]) {
    if (caller.isGone) return false;
    await caller.write(piece);
  }
  if (caller.isGone) return false;
  caller.end();
  return true;
}

/** Pieces that end after an empty line, and what is left; together they are the whole. */
function* eventsOf(body: Uint8Array): Generator<Uint8Array> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  let from = 0;
  for (let at = bytes.indexOf("\n\n"); at >= 0; at = bytes.indexOf("\n\n", from)) {
    yield bytes.subarray(from, at + 2);
    from = at + 2;
  }
  if (from < bytes.length) yield bytes.subarray(from);
}
