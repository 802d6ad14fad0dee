/** What the gateway asks of the engine for one window or job. The gateway speaks HTTP and reads the wire; who may spend, and what is booked, is decided behind this. */
import type { CallRequest, CallResult, RecordedAnswer } from "../core/money/call.ts";

export interface CallDesk {
  /** Whether an answer that nobody waits for any more is read to its end, since it is paid and may be asked for again (a job). Else the upstream is cancelled. */
  readonly readsToTheEnd: boolean;
  /** JSON pointers of request fields that change from try to try and tell no requests apart. */
  readonly volatileFields: readonly string[];
  /** Resolves when the intent is on disk, before anything leaves. Rejects only when the store fails: then nothing may leave. */
  begin(request: CallRequest): Promise<Admission>;
}

export type Admission =
  | { readonly kind: "forward"; readonly call: OpenCall }
  | { readonly kind: "replay"; readonly answer: RecordedAnswer; undelivered(): void }
  /** `message` is for the agent; `cap` decides nothing for the gateway, which answers each refusal in the way that its agent does not try again. */
  | { readonly kind: "refuse"; readonly why: "cap" | "diverged" | "unpriced" | "unguarded" | "over"; readonly message: string };

export interface OpenCall {
  readonly id: string;
  /** Whether `CallResult.answer` is wanted. */
  readonly keepsAnswer: boolean;
  /** Resolves when the result is on disk. Called once. */
  finish(result: CallResult): Promise<void>;
  /** After it: the agent hung up before it had all of the answer, and will ask the same once more. */
  undelivered(): void;
}
