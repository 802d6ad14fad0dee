/** Whether a call ended by the provider's trouble rather than the job's (E10). */
import type { CallResult } from "../../core/money/call.ts";

/** Sign-in, payment, permission: a key that is not accepted. */
const keyStatuses: readonly number[] = [401, 402, 403];

/** For people; null = it was not the provider. */
export function describeTrouble({ failure, status }: CallResult): string | null {
  if (status !== null && keyStatuses.includes(status)) return `the provider does not accept the key, or the account cannot pay (${status})`;
  switch (failure) {
    case "limited":
      return "the provider's limit is reached (429)";
    case "overloaded":
    case "server-error":
      return `the provider fails${status === null ? "" : ` (${status})`}`;
    case "unreachable":
    case "lost":
      return "the provider cannot be reached";
    default:
      return null;
  }
}
