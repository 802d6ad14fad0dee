/**
 * The one exception class. An exception means that a promise was broken; ways a thing can end are values.
 * `kind` says what happens next and decides the exit code; `hint` is the next step for the person.
 */
export type ErrorKind = "usage" | "config" | "busy" | "refused" | "environment" | "bug";

export class MidwatchError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly hint: string;

  /**
   * @param code  stable, upper case, such as `E_PLAN_MISSING`
   * @param options.hint  one line: the next command or the place to mend
   * @param options.cause  the foreign error, kept whole
   */
  constructor(kind: ErrorKind, code: string, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "MidwatchError";
    this.kind = kind;
    this.code = code;
    this.hint = options.hint ?? "";
  }
}

/** Ends a `switch` over a union: a new member becomes a type error at every place that must learn about it. */
export function assertNever(value: never): never {
  throw new MidwatchError("bug", "E_UNREACHABLE", `unexpected value ${JSON.stringify(value)}`);
}
