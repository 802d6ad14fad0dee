/** Watches an answer pass: reads a copy, tells which piece holds its last word, and closes the call's row, once. */
import type { OpenCall } from "../../ports/calls.ts";
import type { OpenRawAnswer, WireFormat } from "../../ports/wire-format.ts";
import { endOfAnswer } from "./call-end.ts";
import { type HeaderPair, headerOf } from "./raw-headers.ts";
import { createRecording, noRecording } from "./recording.ts";

export interface AnswerWatch {
  /** A promise where the bytes are compressed; await it before anything else is asked. Never rejects. */
  see(piece: Uint8Array): Promise<void> | undefined;
  /** `now`: the piece just seen is not delivered before the row is closed. `soon`: nor is it, but what is kept of the answer may lack a few bytes, which are waited for. */
  readonly last: "now" | "soon" | null;
  /** Resolves when the row is closed; rejects when the store fails. Called twice it does nothing. */
  book(how: { readonly endedWell: boolean; readonly isCancelled: boolean }): Promise<void>;
}

export interface WatchOptions {
  readonly call: OpenCall;
  readonly format: WireFormat;
  readonly openAnswer: OpenRawAnswer;
  readonly status: number;
  readonly headers: readonly HeaderPair[];
  /** Monotonic. */
  readonly sentAt: number;
}

export function watchAnswer({ call, format, openAnswer, status, headers, sentAt }: WatchOptions): AnswerWatch {
  const firstByteMs = elapsed(sentAt);
  const reader = openAnswer(format, status, headers);
  const recording = call.keepsAnswer ? createRecording(status, headers) : noRecording;
  const raw = headers.flat();
  const length = Number(headerOf(raw, "content-length") ?? Number.NaN);
  let seen = 0;
  let booked: Promise<void> | null = null;
  const finish = async ({ endedWell, isCancelled }: { readonly endedWell: boolean; readonly isCancelled: boolean }) => {
    const read = await reader.end(endedWell);
    const providerRequestId = headerOf(raw, "request-id") ?? headerOf(raw, "x-request-id");
    const result = endOfAnswer(
      { status, read, isCancelled, providerRequestId, answer: recording.answer() },
      { firstByteMs, durationMs: elapsed(sentAt) },
    );
    await call.finish(result);
  };
  return {
    see(piece) {
      seen += piece.length;
      recording.add(piece);
      return booked === null ? reader.feed(piece) : undefined;
    },
    get last() {
      if (seen === length) return "now";
      if (!reader.isComplete) return null;
      return call.keepsAnswer ? "soon" : "now";
    },
    book(how) {
      booked ??= finish(how);
      return booked;
    },
  };
}

/** For a request that costs nothing. */
export const noWatch: AnswerWatch = { see: () => undefined, last: null, book: async () => undefined };

export function elapsed(since: number): number {
  return Math.round(performance.now() - since);
}
