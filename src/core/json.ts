/** Reading JSON of which nothing is known yet. Nothing here throws. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What lies at the end of the steps, through objects and lists; undefined = nothing does. */
export function fieldAt(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(
    (at, step) => (typeof at === "object" && at !== null && Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined),
    value,
  );
}

/** @param pointer  a JSON pointer (RFC 6901); what stands before its first slash is passed over */
export function pointerSteps(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
