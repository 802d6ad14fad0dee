/** One provider's wire format: what can be read of a request and of its answer without changing a byte of either. Total: no input makes any of it throw. */
import type { CallFailure } from "../core/money/call.ts";
import type { Usage } from "../core/money/usage.ts";
import type { ToolResult } from "../core/tool-results.ts";

export interface WireFormat {
  /** `anthropic-messages`, `openai-chat`. */
  readonly name: string;
  /** A header in which an agent of this format says which of its subagents asks; the main conversation sends none. Lower case; null = there is none. */
  readonly agentHeader: string | null;
  /** Whether a POST to this path (below the upstream's base URL, without the query) is a call that is paid. */
  isCall(path: string): boolean;
  /** Other requests that cost nothing and may pass (`GET /v1/models`, `POST /v1/messages/count_tokens`). */
  isFree(method: string, path: string): boolean;
  /**
   * Null = no JSON object with a model. It must not pass: a provider may be more lenient than we are (another encoding, `NaN`, a compressed body), and bill it.
   */
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
  /** Results of tool calls that it carries for the first time and that are no errors; absent = the format does not tell. */
  readonly toolResults?: readonly ToolResult[];
}

/** Fed with the decompressed bytes of an answer, in pieces of any size. Memory is bounded whatever comes. */
export interface AnswerReader {
  feed(bytes: Uint8Array): void;
  /** After the piece that holds it: the answer has said its last word, be it an error, whether or not the connection has ended. Never goes back. */
  readonly isComplete: boolean;
  /**
   * The body is over, whole or not. May be asked again.
   * @param endedWell  its length was reached, or its last chunk came: decides only where nothing in the bytes can tell
   */
  end(endedWell: boolean): ReadAnswer;
}

/** The same for the bytes as they come over the wire, compression included. `end` must be called in any case: it lets go of the decompression. */
export interface RawAnswerReader {
  /**
   * Undefined = the bytes have been read (nearly always). A promise, which never rejects: they are compressed, and `isComplete` is right when it has
   * resolved; await it before the next piece.
   */
  feed(bytes: Uint8Array): Promise<void> | undefined;
  readonly isComplete: boolean;
  end(endedWell: boolean): Promise<ReadAnswer>;
}

/** `openDecodedAnswer` of the adapters. @param headers  names in any case; of them content-type and content-encoding are read */
export type OpenRawAnswer = (format: WireFormat, status: number, headers: readonly (readonly [string, string])[]) => RawAnswerReader;

export interface ReadAnswer {
  /** The last word was seen; where the answer cannot be read at all, its body ended well. An error in a stream is no last word here. */
  readonly whole: boolean;
  readonly usage: Usage | null;
  readonly model: string | null;
  readonly messageId: string | null;
  /** For a status other than 2xx, and for an error inside a stream. */
  readonly failure: CallFailure | null;
}
