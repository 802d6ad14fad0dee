/**
 * Carries one request to its provider and the answer back, byte for byte, at the pace of the slower side. A call is finished exactly once, on every way out:
 *   sent -> no answer (unreachable, lost, agent gone) -> booked -> the agent is told
 *   sent -> answer begun -> pieces passed on -> the one with the last word kept back -> booked -> passed on -> ended
 *   sent -> answer begun -> broken off, by either side -> booked -> broken off here too
 */
import type { IncomingMessage } from "node:http";
import type { OpenCall } from "../../ports/calls.ts";
import type { OpenRawAnswer, WireFormat } from "../../ports/wire-format.ts";
import { type AnswerWatch, elapsed, noWatch, watchAnswer } from "./answer-watch.ts";
import { endWithoutAnswer } from "./call-end.ts";
import type { Caller } from "./caller.ts";
import { withoutHopByHop } from "./raw-headers.ts";
import type { Sending, Sent, UpstreamClient, UpstreamRequest } from "./upstream-client.ts";

/** How long an answer that nobody waits for is read on: longer than any that comes, and not for ever. */
const unheardMs = 15 * 60_000;
/** How long the rest of an answer that is kept is waited for after its last word. */
const restMs = 1000;

export interface Relay {
  readonly client: UpstreamClient;
  readonly caller: Caller;
  readonly request: UpstreamRequest;
  readonly format: WireFormat;
  readonly openAnswer: OpenRawAnswer;
  /** Null = a request that costs nothing. */
  readonly call: OpenCall | null;
  /** Whether the answer is read on when the agent is gone. */
  readonly readsToTheEnd: boolean;
  /** Aborted when the process is about to end: what is on its way is ended whatever was said. */
  readonly shutdown: AbortSignal;
}

/** Rejects only when the store fails: the agent must see that then. */
export async function relay(work: Relay): Promise<void> {
  const { caller, call } = work;
  const sentAt = performance.now();
  const sending = work.client.send(work.request);
  let isCancelled = false;
  const cancel = () => {
    isCancelled = true;
    sending.cancel();
  };
  let unheard: NodeJS.Timeout | null = null;
  caller.onGone(() => {
    if (work.readsToTheEnd) unheard = setTimeout(cancel, unheardMs);
    else cancel();
  });
  work.shutdown.addEventListener("abort", cancel);
  try {
    const sent = await sending.sent;
    if (sent.kind === "answer") return await passAnswer(work, { answer: sent.answer, sending, sentAt, isCancelled: () => isCancelled });
    const failure = sent.kind === "lost" && isCancelled ? "cut-by-client" : sent.kind;
    await call?.finish(endWithoutAnswer(failure, elapsed(sentAt)));
    caller.answer(work.format.failure(502, describeFailure(work.request, sent)));
  } catch (error) {
    // What was paid is not on record: it is not delivered as if it were.
    cancel();
    throw error;
  } finally {
    work.shutdown.removeEventListener("abort", cancel);
    if (unheard !== null) clearTimeout(unheard);
  }
}

function describeFailure({ base }: UpstreamRequest, { kind, detail }: Exclude<Sent, { kind: "answer" }>): string {
  return kind === "unreachable"
    ? `${base.host} could not be reached (${detail})`
    : `the connection to ${base.host} was lost before an answer began (${detail})`;
}

interface Begun {
  readonly answer: IncomingMessage;
  readonly sending: Sending;
  readonly sentAt: number;
  readonly isCancelled: () => boolean;
}

async function passAnswer(work: Relay, begun: Begun): Promise<void> {
  const { caller, call, format, openAnswer } = work;
  const { answer, sentAt } = begun;
  const status = answer.statusCode ?? 0;
  const headers = withoutHopByHop(answer.rawHeaders);
  const watch = call === null ? noWatch : watchAnswer({ call, format, openAnswer, status, headers, sentAt });
  caller.begin(status, headers.flat(), answer.statusMessage);
  const endedWell = await passBody(watch, caller, begun);
  await watch.book({ endedWell, isCancelled: begun.isCancelled() });
  if (caller.isGone) call?.undelivered();
  if (endedWell) caller.end();
  else caller.cut();
}

/** @returns whether the body came to its end */
async function passBody(watch: AnswerWatch, caller: Caller, { answer, sending, isCancelled }: Begun): Promise<boolean> {
  const book = (endedWell: boolean) => watch.book({ endedWell, isCancelled: isCancelled() });
  const kept = createKept(caller, () => book(true), sending);
  try {
    for await (const piece of answer as AsyncIterable<Buffer>) {
      const reading = watch.see(piece);
      if (reading !== undefined) await reading;
      if (watch.last === "now") await book(true);
      const room = watch.last === "soon" ? kept.add(piece) : caller.write(piece);
      if (room !== undefined) await room;
    }
  } catch {
    // The provider broke off, or the store failed: then booking says so again.
  }
  await book(answer.complete);
  await kept.deliver();
  return answer.complete;
}

interface Kept {
  add(piece: Uint8Array): Promise<void> | undefined;
  deliver(): Promise<void>;
}

/** Pieces that wait until the row is closed: for the end of the body, but not for ever. */
function createKept(caller: Caller, book: () => Promise<void>, sending: Sending): Kept {
  const pieces: Uint8Array[] = [];
  let timer: NodeJS.Timeout | null = null;
  let delivering: Promise<void> | null = null;
  async function run(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    await book();
    for (const piece of pieces.splice(0)) await caller.write(piece);
  }
  const deliver = () => {
    delivering ??= run();
    return delivering;
  };
  return {
    add(piece) {
      if (delivering !== null) return delivering.then(() => caller.write(piece));
      pieces.push(piece);
      timer ??= setTimeout(() => deliver().catch(() => sending.cancel()), restMs);
      return undefined;
    },
    deliver,
  };
}
