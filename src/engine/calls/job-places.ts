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
  /** By hash, in their order: what was asked for and has no whole answer. Where requests come one after another, an open one is among them. */
  const unanswered = new Map<string, readonly CallPlace[]>();
  const others = (hash: string, place: CallPlace) => (unanswered.get(hash) ?? []).filter((one) => one !== place);
  return {
    placeOf(request) {
      const place = unanswered.get(request.hash)?.[0] ?? next(request);
      hashes.set(place, request.hash);
      unanswered.set(request.hash, matching === "sequential" ? [place] : others(request.hash, place));
      return place;
    },
    nameOf: (place) => (place.kind === "occurrence" ? `${hashes.get(place)}#${place.occurrence}` : String(place.seq)),
    ended(place, whole) {
      const hash = hashes.get(place) ?? "";
      const rest = whole ? others(hash, place) : [...others(hash, place), place].toSorted((one, other) => orderOf(one) - orderOf(other));
      if (rest.length > 0) unanswered.set(hash, rest);
      else unanswered.delete(hash);
    },
  };
}

function orderOf(place: CallPlace): number {
  return place.kind === "occurrence" ? place.occurrence : place.seq;
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
