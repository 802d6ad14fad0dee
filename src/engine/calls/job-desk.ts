/** The desk of one attempt of a job: what an earlier attempt paid is served again, and what is paid now is read to its end and kept. */
import type { CallOwner, CallRequest, CallResult } from "../../core/money/call.ts";
import type { Cap, Scope } from "../../core/money/cap.ts";
import type { CallPlace } from "../../ports/ledger.ts";
import { createDesk, type Desk, type DeskParts, type Refusal } from "./desk.ts";

export interface JobDeskOptions {
  readonly owner: CallOwner & { readonly kind: "job" };
  /** `sequential`: the n-th request is the n-th recorded one. `parallel`: requests are told apart by their bodies. */
  readonly matching: "sequential" | "parallel";
  readonly onDivergence: "stop" | "pay";
  readonly scopes: (date: string) => readonly Scope[];
  readonly caps: (date: string) => readonly Cap[];
  /** JSON pointers, see `CallDesk`. */
  readonly volatileFields: readonly string[];
  /** Shared by all attempts in this process: an answer that the last attempt did not wait for is still being read. */
  readonly onTheWay: CallsOnTheWay;
  readonly refused: (refusal: Refusal) => void;
  readonly closed: (result: CallResult) => void;
}

export interface CallsOnTheWay {
  /** Resolves when no call of this place is open in this process. */
  settled(place: string): Promise<void>;
  started(place: string): void;
  ended(place: string): void;
}

export function createCallsOnTheWay(): CallsOnTheWay {
  const open = new Map<string, { readonly done: Promise<void>; readonly end: () => void }>();
  return {
    settled: async (place) => open.get(place)?.done,
    started(place) {
      const { promise, resolve } = Promise.withResolvers<void>();
      open.set(place, { done: promise, end: resolve });
    },
    ended(place) {
      open.get(place)?.end();
      open.delete(place);
    },
  };
}

export function createJobDesk(parts: DeskParts, options: JobDeskOptions): Desk {
  const { owner, onTheWay, clock } = { ...options, clock: parts.clock };
  const nextPlace = options.matching === "sequential" ? inSequence(options.onDivergence) : byBody();
  const hashes = new WeakMap<CallPlace, string>();
  const nameOf = (place: CallPlace) =>
    `${owner.job} ${place.kind === "occurrence" ? `${hashes.get(place)}#${place.occurrence}` : place.seq}`;
  return createDesk(parts, {
    keepsAnswers: true,
    volatileFields: options.volatileFields,
    owner: () => owner,
    place(request) {
      const place = nextPlace(request);
      hashes.set(place, request.hash);
      return place;
    },
    ready: (place) => onTheWay.settled(nameOf(place)),
    scopes: (at) => options.scopes(clock.localDate(at)),
    caps: (at) => options.caps(clock.localDate(at)),
    opened: ({ place }) => onTheWay.started(nameOf(place)),
    closed({ place }, result) {
      onTheWay.ended(nameOf(place));
      options.closed(result);
    },
    refused: options.refused,
  });
}

function inSequence(onDivergence: "stop" | "pay"): (request: CallRequest) => CallPlace {
  let seq = 0;
  return () => {
    seq += 1;
    return { kind: "sequence", seq, onDivergence };
  };
}

function byBody(): (request: CallRequest) => CallPlace {
  const seen = new Map<string, number>();
  return ({ hash }) => {
    const occurrence = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, occurrence);
    return { kind: "occurrence", occurrence };
  };
}
