/**
 * Which place a request of a job's attempt has: the n-th, or the k-th with its body. A request without a whole answer that is made again is no new one: it keeps its
 * place, or the next attempt would look for what was paid at another one. Requests that come one after another are told apart from such by their answers.
 */
import type { CallRequest } from "../../core/money/call.ts";
import type { CallPlace } from "../../ports/ledger.ts";

export interface JobPlaces {
  placeOf(request: CallRequest): CallPlace;
  /** Of this job, whichever attempt it is of. */
  nameOf(place: CallPlace): string;
  /** @param whole  it has its answer, new or recorded */
  ended(place: CallPlace, whole: boolean): void;
}

export function createJobPlaces(matching: "sequential" | "parallel", onDivergence: "stop" | "pay"): JobPlaces {
  const next = matching === "sequential" ? inSequence(onDivergence) : byBody();
  const hashes = new WeakMap<CallPlace, string>();
  /** By hash: what was asked for and has no whole answer. Where requests come one after another, an open one is among them. */
  const unanswered = new Map<string, CallPlace>();
  return {
    placeOf(request) {
      const place = unanswered.get(request.hash) ?? next(request);
      hashes.set(place, request.hash);
      if (matching === "sequential") unanswered.set(request.hash, place);
      else unanswered.delete(request.hash);
      return place;
    },
    nameOf: (place) => (place.kind === "occurrence" ? `${hashes.get(place)}#${place.occurrence}` : String(place.seq)),
    ended(place, whole) {
      const hash = hashes.get(place) ?? "";
      if (!whole) unanswered.set(hash, place);
      else if (unanswered.get(hash) === place) unanswered.delete(hash);
    },
  };
}

function inSequence(onDivergence: "stop" | "pay"): () => CallPlace {
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
