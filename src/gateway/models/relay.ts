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
  /** Called when the process is about to end: then what is on its way is ended whatever was said. No AbortSignal: listening to one is felt in each call. */
  readonly onTheWay: Set<() => void>;
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
  work.onTheWay.add(cancel);
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
    work.onTheWay.delete(cancel);
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
  async function takeSlowly(piece: Buffer, reading: Promise<void> | undefined): Promise<void> {
    await reading;
    if (watch.last === "now") await book(true);
    await (watch.last === "soon" ? kept.add(piece) : caller.write(piece));
  }
  await takePieces(answer, {
    take(piece) {
      const reading = watch.see(piece);
      return reading === undefined && watch.last === null ? caller.write(piece) : takeSlowly(piece, reading);
    },
    // A head without a body is passed on at once; else it leaves with the first piece, which may wait for its booking.
    waits: () => caller.flush(),
  });
  await book(answer.complete);
  await kept.deliver();
  return answer.complete;
}

interface Taking {
  /** One after the other: the next one comes when the promise, where there is one, has resolved. None comes after a rejection. */
  take(piece: Buffer): Promise<void> | undefined;
  /** The first one is not here yet. */
  waits(): void;
}

/**
 * Resolves when no further piece comes, whether or not the body is whole. By listening: iterating over a stream costs a call about as much as all else that is
 * done with its answer.
 */
function takePieces(answer: IncomingMessage, { take, waits }: Taking): Promise<void> {
  return new Promise((resolve) => {
    let isTaking = false;
    let isOver = false;
    const waiting = setImmediate(waits);
    const end = () => {
      isOver = true;
      clearImmediate(waiting);
      if (!isTaking) resolve();
    };
    const taken = () => {
      isTaking = false;
      if (isOver) resolve();
      else answer.resume();
    };
    answer.on("data", (piece: Buffer) => {
      clearImmediate(waiting);
      const taking = take(piece);
      if (taking === undefined) return;
      isTaking = true;
      answer.pause();
      // A rejection is the store's: booking says it again.
      taking.then(taken, () => {
        isOver = true;
        taken();
      });
    });
    answer.once("end", end);
    answer.once("close", end);
    answer.on("error", end); // the provider broke off
  });
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
