/** Sends what was planned. It ends when the answer has ended, or when the connection has: whoever hung up, and whatever was still to come. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { openPacking } from "./packing.ts";
import type { Plan } from "./plan.ts";

/** Never throws. */
export async function playPlan(plan: Plan, response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  const hungUp = new AbortController();
  response.once("close", () => hungUp.abort());
  try {
    if (plan.kind === "send") await send(plan, response, hungUp.signal);
    else if (plan.kind === "reset") response.socket?.resetAndDestroy();
    else await forever(hungUp.signal);
  } catch {
    response.destroy(); // the caller hung up
  }
}

async function send(plan: Plan & { kind: "send" }, response: ServerResponse, signal: AbortSignal): Promise<void> {
  if (plan.firstByteMs > 0) await wait(plan.firstByteMs, undefined, { signal });
  response.writeHead(plan.status, plan.headers);
  const isOver = forever(signal);
  const packing = openPacking(plan.encoding);
  for (const [index, chunk] of plan.chunks.entries()) {
    if (index > 0 && plan.betweenMs > 0) await wait(plan.betweenMs, undefined, { signal });
    // Each piece is with the system before the next: a slow reader holds us back, and what is cut off has at least begun.
    await Promise.race([written(response, await packing.add(chunk)), isOver]);
  }
  if (plan.ending === "stall") await isOver;
  else if (plan.ending === "cut") response.socket?.destroy();
  else response.end(await packing.end());
}

function written(response: ServerResponse, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve) => response.write(chunk, () => resolve()));
}

async function forever(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}
