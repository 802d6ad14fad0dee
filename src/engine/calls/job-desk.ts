/** The desk of one attempt of a job: what an earlier attempt paid is served again, and what is paid now is read to its end and kept. */
import type { CallOwner, CallResult } from "../../core/money/call.ts";
import type { Cap, Scope } from "../../core/money/cap.ts";
import type { CallPlace } from "../../ports/ledger.ts";
import { createDesk, type Desk, type DeskParts, type Refusal } from "./desk.ts";
import { createJobPlaces } from "./job-places.ts";

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
  /** Resolves when nobody in this process has this place any more, and the caller does. */
  take(place: string): Promise<void>;
  leave(place: string): void;
}

export function createCallsOnTheWay(): CallsOnTheWay {
  const taken = new Map<string, { readonly done: Promise<void>; readonly end: () => void }>();
  return {
    async take(place) {
      while (taken.has(place)) await taken.get(place)?.done;
      const { promise, resolve } = Promise.withResolvers<void>();
      taken.set(place, { done: promise, end: resolve });
    },
    leave(place) {
      taken.get(place)?.end();
      taken.delete(place);
    },
  };
}

export function createJobDesk(parts: DeskParts, options: JobDeskOptions): Desk {
  const { owner, onTheWay } = options;
  const places = createJobPlaces(options.matching, options.onDivergence);
  // What an earlier round still waits for is no answer for this one.
  const nameOf = (place: CallPlace) => `${owner.job} ${owner.round} ${places.nameOf(place)}`;

  function leave(place: CallPlace, whole: boolean): void {
    places.ended(place, whole);
    onTheWay.leave(nameOf(place));
  }

  return createDesk(parts, {
    keepsAnswers: true,
    volatileFields: options.volatileFields,
    owner: () => owner,
    place: (request) => places.placeOf(request),
    // Before the intent is written, so that two attempts cannot both find that nobody has paid it.
    take: (place) => onTheWay.take(nameOf(place)),
    left: (place, replayed) => leave(place, replayed),
    scopes: (at) => options.scopes(parts.clock.localDate(at)),
    caps: (at) => options.caps(parts.clock.localDate(at)),
    closed({ place }, result) {
      leave(place, result.end === "done");
      options.closed(result);
    },
    undelivered: (place) => places.ended(place, false),
    refused: options.refused,
  });
}
