/**
 * The provider's own bill: one line of JSON a charge, in the order the charges were made, each with the process's write before the answer's first byte.
 * It has no key: whoever pays twice finds two lines.
 */
import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { MidwatchError } from "../core/error.ts";
import type { ProviderRequest, ScriptedFault, ScriptStep } from "../ports/provider.ts";
import { makeMessage, usageFields } from "./message.ts";

export type Invoice = (charge: {
  readonly step: ScriptStep;
  readonly request: ProviderRequest;
  readonly name: string;
  readonly now: number;
  readonly body: Buffer;
}) => void;

/** @param path  null = nothing is written. Throws MidwatchError kind environment when the file cannot be written. */
export function openInvoice(path: string | null): Invoice {
  if (path === null) return () => undefined;
  append(path, "");
  return ({ step, request, name, now, body }) => {
    if (!isCharged(step.fault)) return;
    const { id, usage } = makeMessage(step, request.model, name);
    const line = {
      at: new Date(now).toISOString(),
      request: requestId(name),
      message: id,
      model: request.model,
      ...usageFields(usage),
      micro_usd: step.costMicroUsd ?? null,
      user: userOf(request),
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

function userOf({ body }: ProviderRequest): unknown {
  const metadata = body["metadata"];
  return typeof metadata === "object" && metadata !== null && "user_id" in metadata ? metadata.user_id : null;
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
