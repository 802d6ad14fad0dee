/**
 * Says of each request whether it may leave, writes it down before it does, and closes it after. What differs between a window and a job comes in as
 * `DeskOwner`; the gateway sees neither.
 */
import type { CallOwner, CallRequest, CallResult } from "../../core/money/call.ts";
import type { Cap, Scope, Spend } from "../../core/money/cap.ts";
import { type LastInput, upperEstimate } from "../../core/money/estimate.ts";
import { costMicroUsd, type ModelPrice } from "../../core/money/price.ts";
import { inputTokens } from "../../core/money/usage.ts";
import { faultPoint } from "../../faults.ts";
import type { Admission, CallDesk, OpenCall } from "../../ports/calls.ts";
import type { Clock } from "../../ports/clock.ts";
import type { CallPlace, ClosedCall, OpenedCall } from "../../ports/ledger.ts";
import type { Prices } from "../../ports/prices.ts";
import type { Booker } from "./booker.ts";
import { capMessage, capText, divergedMessage, overMessage, unguardedMessage, unpricedMessage, unpricedText } from "./refusal-text.ts";

export interface DeskParts {
  readonly booker: Booker;
  readonly prices: Prices;
  readonly clock: Clock;
  readonly newCallId: () => string;
  /** Whether a model without a price may be called; its calls then count for no cap. */
  readonly unpriced: "refuse" | "allow";
}

export type Refusal =
  | { readonly kind: "cap"; readonly cap: Cap; readonly spend: Spend; readonly upperMicroUsd: number }
  | { readonly kind: "unpriced"; readonly model: string }
  | { readonly kind: "diverged"; readonly seq: number }
  /** It carries the result of a call that no guard has allowed. */
  | { readonly kind: "unguarded"; readonly tools: readonly string[] }
  | { readonly kind: "over" };

export interface DeskOwner {
  readonly keepsAnswers: boolean;
  readonly volatileFields: readonly string[];
  owner(): CallOwner;
  place(request: CallRequest): CallPlace;
  scopes(at: number): readonly Scope[];
  caps(at: number): readonly Cap[];
  /** Looked at before anything else; null = nothing speaks against it. */
  objects?(request: CallRequest): Refusal | null;
  /** Before the intent is written: another request may have this place, and still be on its way. Ends with `closed` or `left`. */
  take?(place: CallPlace): Promise<void>;
  /** Nothing leaves for it: it was refused, could not be written, or was `replayed`. */
  left?(place: CallPlace, replayed: boolean): void;
  /** It has its answer, and whoever asked did not get it. */
  undelivered?(place: CallPlace): void;
  opened?(call: BookedCall): void;
  closed?(call: BookedCall, result: CallResult, closed: ClosedCall): void;
  refused?(refusal: Refusal): void;
}

export interface BookedCall {
  readonly id: string;
  readonly request: CallRequest;
  readonly place: CallPlace;
  readonly upperMicroUsd: number | null;
}

export interface Desk extends CallDesk {
  /** From now on nothing may leave. What is on its way is still booked. */
  shut(): void;
}

/** Conversations whose last size is remembered for the estimate of their next request. */
const maxConversations = 100;

export function createDesk(parts: DeskParts, mine: DeskOwner): Desk {
  const { booker, prices, clock, newCallId } = parts;
  const lastInput = new Map<string, LastInput>();
  let isShut = false;

  async function begin(request: CallRequest): Promise<Admission> {
    if (isShut) return refuse({ kind: "over" });
    const objection = mine.objects?.(request) ?? null;
    if (objection !== null) return refuse(objection);
    const isPriced = prices.of(request.provider, request.model, clock.now()) !== null;
    if (!isPriced && parts.unpriced === "refuse" && mine.caps(clock.now()).length > 0)
      return refuse({ kind: "unpriced", model: request.model });
    const place = mine.place(request);
    await mine.take?.(place);
    let kind: Admission["kind"] = "refuse";
    try {
      const admission = await open(request, place);
      kind = admission.kind;
      return admission;
    } finally {
      if (kind !== "forward") mine.left?.(place, kind === "replay");
    }
  }

  async function open(request: CallRequest, place: CallPlace): Promise<Admission> {
    if (isShut) return refuse({ kind: "over" }); // while it waited for its place
    const at = clock.now();
    const price = prices.of(request.provider, request.model, at);
    const upperMicroUsd = price === null ? null : upperEstimate(request, price, lastInput.get(request.conversation) ?? null);
    const call: BookedCall = { id: newCallId(), request, place, upperMicroUsd };
    const opened = await booker.open({
      id: call.id,
      owner: mine.owner(),
      request,
      place,
      upperMicroUsd,
      price,
      scopes: mine.scopes(at),
      caps: mine.caps(at),
      sentAt: at,
    });
    faultPoint("call.opened");
    return admit(call, price, opened);
  }

  function admit(call: BookedCall, price: ModelPrice | null, opened: OpenedCall): Admission {
    switch (opened.kind) {
      case "opened":
        mine.opened?.(call);
        return { kind: "forward", call: openCall(call, price) };
      case "replay":
        return { kind: "replay", answer: opened.answer, undelivered: () => mine.undelivered?.(call.place) };
      case "diverged":
        return refuse({ kind: "diverged", seq: opened.seq });
      case "capped":
        return refuse({ kind: "cap", cap: opened.cap, spend: opened.spend, upperMicroUsd: call.upperMicroUsd ?? 0 });
      case "gone":
        return refuse({ kind: "over" });
    }
  }

  function openCall(call: BookedCall, price: ModelPrice | null): OpenCall {
    return {
      id: call.id,
      keepsAnswer: mine.keepsAnswers,
      undelivered: () => mine.undelivered?.(call.place),
      async finish(result) {
        const { usage } = result;
        if (usage !== null) remember(call.request, inputTokens(usage));
        const cost = usage === null || price === null ? null : costMicroUsd(price, usage);
        faultPoint("call.answered");
        const closing = { id: call.id, result, costMicroUsd: cost, at: clock.now() };
        try {
          mine.closed?.(call, result, await booker.close(closing));
        } catch (error) {
          mine.closed?.(call, result, { kind: "was-closed", spends: [] }); // not booked: nobody waits for it for ever
          throw error;
        }
        faultPoint("call.closed");
      },
    };
  }

  function remember({ conversation, bodyBytes }: CallRequest, tokens: number): void {
    lastInput.delete(conversation);
    lastInput.set(conversation, { tokens, bodyBytes });
    const [oldest] = lastInput.keys();
    if (lastInput.size > maxConversations && oldest !== undefined) lastInput.delete(oldest);
  }

  function refuse(refusal: Refusal): Admission {
    mine.refused?.(refusal);
    return { kind: "refuse", why: refusal.kind, message: refusalMessage(refusal) };
  }

  return {
    readsToTheEnd: mine.keepsAnswers,
    volatileFields: mine.volatileFields,
    begin,
    shut() {
      isShut = true;
    },
  };
}

/** For whoever made the call. */
function refusalMessage(refusal: Refusal): string {
  switch (refusal.kind) {
    case "cap":
      return capMessage(refusal.cap, refusal.spend, refusal.upperMicroUsd);
    case "unpriced":
      return unpricedMessage(refusal.model);
    case "diverged":
      return divergedMessage(refusal.seq);
    case "unguarded":
      return unguardedMessage(refusal.tools);
    case "over":
      return overMessage;
  }
}

/** For people: what was in the way, and what mends it. */
export function describeRefusal(refusal: Refusal): string {
  if (refusal.kind === "cap") return capText(refusal.cap, refusal.spend, refusal.upperMicroUsd);
  return refusal.kind === "unpriced" ? unpricedText(refusal.model) : refusalMessage(refusal);
}
