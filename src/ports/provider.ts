/**
 * The scripted provider: a stand-in for a model provider on loopback that says what a script tells it to say. The real agent programs run against
 * it at no cost: in the preflight, in the demo and in tests.
 */
import type { Tokens } from "../core/agent-event.ts";

export interface ProviderScript {
  /** The first one that fits a request is played. */
  readonly conversations: readonly ScriptedConversation[];
}

export interface ScriptedConversation {
  /** Absent = every request fits. */
  readonly when?: ConversationMatch;
  /**
   * Step n answers a request that holds n messages of the assistant, so a retry meets the same step. After the last step it is repeated, unless it
   * calls tools: then a closing sentence follows, so that no script goes on for ever.
   */
  readonly steps: readonly ScriptStep[] | ((request: ProviderRequest) => ScriptStep);
}

/** Every text given must occur; upper and lower case differ. */
export interface ConversationMatch {
  /** In the first message of the user. A subagent's is its task. */
  readonly prompt?: string;
  readonly system?: string;
  /** In the last message of the user, results of tools included. */
  readonly last?: string;
}

/** What the provider saw of a request. */
export interface ProviderRequest {
  readonly model: string;
  readonly stream: boolean;
  /** Messages of the assistant so far. */
  readonly step: number;
  readonly prompt: string;
  readonly system: string;
  readonly last: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** One answer. Without text and tools it is empty. */
export interface ScriptStep {
  readonly text?: string;
  readonly tools?: readonly ScriptedCall[];
  /** Where nothing is said: 100 in, 20 out, no cache. */
  readonly usage?: Partial<Tokens>;
  /** In Anthropic's words, also for OpenAI. Where nothing is said: `tool_use` with tools, else `end_turn`. */
  readonly stopReason?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Compressed as it is sent, each event so that it can be read as soon as it has come. */
  readonly encoding?: "gzip" | "deflate" | "br";
  readonly firstByteMs?: number;
  /** Between two events of a stream. */
  readonly betweenMs?: number;
  /** What the invoice says that it cost; absent = the invoice says only the tokens. */
  readonly costMicroUsd?: number;
  /** Instead of the answer, or in the midst of it. */
  readonly fault?: ScriptedFault;
  /** Only the first so many requests of this step meet the fault, counted since the provider started. */
  readonly times?: number;
}

export interface ScriptedCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export type ScriptedFault =
  | {
      readonly kind: "http";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** A text is sent as it is, anything else as JSON. */
      readonly body?: unknown;
    }
  | { readonly kind: "rate-limited"; readonly retryAfterMs?: number }
  /** A subscription's limit is reached. */
  | { readonly kind: "usage-limit"; readonly resetsInMs?: number }
  | { readonly kind: PlainFault }
  /** The answer begins, then comes an error of this type. */
  | { readonly kind: "stream-error"; readonly afterEvents?: number; readonly error?: string }
  /** The answer begins, then the connection ends, or nothing more comes. */
  | { readonly kind: "cut" | "stall"; readonly afterEvents?: number }
  | { readonly kind: ConnectionFault };

/** An answer with an error status. */
export type PlainFault =
  | "overloaded"
  | "server-error"
  | "bad-gateway"
  | "bad-key"
  | "forbidden"
  | "no-credit"
  | "no-model"
  | "bad-request"
  | "prompt-too-long";

/** There is no answer: the connection is reset, or nothing ever comes. */
export type ConnectionFault = "reset" | "hang";

/** One request that was answered, or met its fault. */
export interface ProviderCall {
  /** Counted from 1 over all requests. */
  readonly number: number;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** Index in the script and step that was played; null when the request was not one for the model. */
  readonly conversation: number | null;
  readonly step: number | null;
  readonly fault: ScriptedFault["kind"] | null;
  /** Null = there was no answer. */
  readonly status: number | null;
  readonly request: ProviderRequest | null;
  readonly bytes: number;
}

export interface ProviderOptions {
  readonly script: ProviderScript;
  /** 0 or absent = any free port. */
  readonly port?: number;
  /** Each charge is appended as one line of JSON before the first byte of its answer leaves. */
  readonly invoicePath?: string;
  readonly onCall?: (call: ProviderCall) => void;
}

export interface ScriptedProvider {
  /** What the agent takes as its base URL; with `/v1` where it speaks to OpenAI. */
  readonly url: string;
  readonly port: number;
  /** The latest; their number and their size together are bounded. */
  readonly calls: readonly ProviderCall[];
  /** Ends every connection, also those that hang. */
  close(): Promise<void>;
}
