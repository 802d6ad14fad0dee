/**
 * The provider's own bill: one line of JSON a charge, in the order the charges were made, each with the process's write before the answer's first byte.
 * It has no key: whoever pays twice finds two lines.
 */
import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { MidwatchError } from "../core/error.ts";
import type { ScriptedFault } from "../ports/provider.ts";
import type { Dialect, Saying } from "./dialect.ts";

export type Invoice = (charge: Saying & { readonly dialect: Dialect; readonly body: Buffer }) => void;

/** @param path  null = nothing is written. Throws MidwatchError kind environment when the file cannot be written. */
export function openInvoice(path: string | null): Invoice {
  if (path === null) return () => undefined;
  append(path, "");
  return ({ step, request, name, now, body, dialect }) => {
    if (!isCharged(step.fault)) return;
    const { input, output, cacheRead, cacheWrite } = dialect.tokensOf(step);
    const line = {
      at: new Date(now).toISOString(),
      request: requestId(name),
      message: dialect.answerId(name),
      model: request.model,
      input_tokens: input,
      output_tokens: output,
      cache_read_input_tokens: cacheRead,
      cache_creation_input_tokens: cacheWrite,
      micro_usd: step.costMicroUsd ?? null,
      user: dialect.userOf(request),
      body_sha256: createHash("sha256").update(body).digest("hex"),
    };
    append(path, `${JSON.stringify(line)}\n`);
  };
}

export function requestId(name: string): string {
  return `req_${name}`;
}

/** An answer that began is paid, also when it was cut. */
function isCharged(fault: ScriptedFault | undefined): boolean {
  return fault === undefined || fault.kind === "stream-error" || fault.kind === "cut" || fault.kind === "stall";
}

function append(path: string, text: string): void {
  try {
    appendFileSync(path, text, { mode: 0o600 });
  } catch (cause) {
    throw new MidwatchError("environment", "E_INVOICE", `the invoice ${path} cannot be written`, {
      hint: "name a file in a folder that is there",
      cause,
    });
  }
}
