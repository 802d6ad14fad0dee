/** A model, asked once: what a job of a prompt batch needs of it. */
import type { ProviderName } from "../core/upstream.ts";

export interface ModelQuestion {
  readonly provider: ProviderName;
  readonly model: string;
  readonly prompt: string;
  /** A JSON Schema that the answer must satisfy; null = any text. */
  readonly schema: Readonly<Record<string, unknown>> | null;
  readonly maxOutputTokens: number;
}

/** `detail` is for people. */
export type ModelAnswer =
  | { readonly kind: "answer"; readonly text: string }
  /** It came, and does not satisfy the schema. */
  | { readonly kind: "refused"; readonly text: string; readonly detail: string }
  | { readonly kind: "failed"; readonly detail: string };
