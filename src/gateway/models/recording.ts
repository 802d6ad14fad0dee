/** Collects an answer as it comes over the wire, for replay. One that is too large is not kept: its call is done all the same, and is paid again if it is asked for again. */
import type { RecordedAnswer } from "../../core/money/call.ts";
import type { HeaderPair } from "./raw-headers.ts";

const maxAnswerBytes = 64 * 1024 * 1024;

export interface Recording {
  add(piece: Uint8Array): void;
  answer(): RecordedAnswer | null;
}

export function createRecording(status: number, headers: readonly HeaderPair[]): Recording {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  return {
    add(piece) {
      bytes += piece.length;
      if (bytes <= maxAnswerBytes) pieces.push(piece);
      else pieces.length = 0;
    },
    answer: () => (bytes > maxAnswerBytes ? null : { status, headers, body: Buffer.concat(pieces) }),
  };
}

/** For calls of which nothing is kept. */
export const noRecording: Recording = { add: () => undefined, answer: () => null };
