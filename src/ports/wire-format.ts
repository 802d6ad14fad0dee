/** One provider's wire format: what can be read of a request and of its answer without changing a byte of either. Total: no input makes any of it throw. */
import type { CallFailure } from "../core/money/call.ts";
import type { Usage } from "../core/money/usage.ts";

export interface WireFormat {
  /** `anthropic-messages`, `openai-chat`. */
  readonly name: string;
  /** Whether a POST to this path (below the upstream's base URL, without the query) is a call that is paid. */
  isCall(path: string): boolean;
  /** Other requests that cost nothing and may pass (`GET /v1/models`, `POST /v1/messages/count_tokens`). */
  isFree(method: string, path: string): boolean;
  /** Null = no JSON object with a model: it may pass, for the provider to refuse. */
  readRequest(body: Uint8Array): WireRequest | null;
  /** @param contentType  of the answer, as it came */
  openAnswer(status: number, contentType: string): AnswerReader;
  /** In the shape and with the status at which the agents of this format give up and do not try again. */
  refusal(message: string): WireAnswer;
  /** An upstream that cannot be reached, or an error of ours: agents may try again. */
  failure(status: number, message: string): WireAnswer;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

export interface WireRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly maxOutputTokens: number | null;
  readonly answers: number;
  readonly writesCache: boolean;
  /** The text of system prompt and first message of the user, as far as they tell conversations apart. */
  readonly conversation: string;
}

/** Fed with the decompressed bytes of an answer, in pieces of any size. Memory is bounded whatever comes. */
export interface AnswerReader {
  feed(bytes: Uint8Array): void;
  /** After the piece that holds it: the answer has said its last word, whether or not the connection has ended. */
  readonly isComplete: boolean;
  /** The body is over, whole or not. */
  end(): ReadAnswer;
}

export interface ReadAnswer {
  /** The last word was seen. */
  readonly whole: boolean;
  readonly usage: Usage | null;
  readonly model: string | null;
  readonly messageId: string | null;
  /** For a status other than 2xx, and for an error inside a stream. */
  readonly failure: CallFailure | null;
}
