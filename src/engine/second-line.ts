/**
 * The second line behind the guard: a request to a model carries the results of the calls before it. One of a call that no guard of ours has allowed was made past the guard. Seen is
 * not prevented; but it is seen at the next request, whoever made the call, and the window does not go on.
 */
import type { ToolResult } from "../core/tool-results.ts";

export interface SecondLine {
  /** The guard has allowed this call. */
  allowed(toolId: string): void;
  /** The tools of those that no guard has allowed. */
  passedBy(results: readonly ToolResult[]): readonly string[];
}

/** Calls that are remembered, the latest: far more than a turn holds. */
const mostKnown = 20_000;

export function createSecondLine(): SecondLine {
  const known = new Set<string>();
  return {
    allowed(toolId) {
      known.add(toolId);
      const [oldest] = known;
      if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
    },
    passedBy: (results) => results.filter(({ id }) => !known.has(id)).map(({ tool }) => tool),
  };
}
