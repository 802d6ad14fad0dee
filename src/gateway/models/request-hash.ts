/** What tells one request from another when a job is tried again: its body, less the fields that were declared to change from try to try. */
import { hash } from "node:crypto";
import { pointerSteps } from "../../core/json.ts";

/** @param plain  the body, decompressed; @param volatileFields  JSON pointers (RFC 6901). Hex. A body that is no JSON is hashed as it is. */
export function requestHash(plain: Uint8Array, volatileFields: readonly string[]): string {
  return hash("sha256", volatileFields.length === 0 ? plain : without(plain, volatileFields), "hex");
}

function without(plain: Uint8Array, pointers: readonly string[]): Uint8Array | string {
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(plain));
    for (const pointer of pointers) remove(body, pointerSteps(pointer));
    return JSON.stringify(body);
  } catch {
    return plain;
  }
}

function remove(value: unknown, [name, ...rest]: readonly string[]): void {
  if (name === undefined || typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return;
  if (rest.length === 0) Reflect.deleteProperty(value, name);
  else remove(Reflect.get(value, name), rest);
}
