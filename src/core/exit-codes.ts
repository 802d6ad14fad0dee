/** Exit codes: one table, printed by `--help` and docs, tested against both. */
import type { ErrorKind } from "./error.ts";
import type { Evidence } from "./evidence.ts";
import type { RunPhase, StopReason } from "./run-state.ts";

export const exitCodes = {
  0: "finished, or the command did what it was asked",
  1: "failed: windows in a row failed, or something broke",
  2: "wrong usage or config",
  3: "a person is needed: a question is open",
  4: "the money cap was reached",
  5: "stalled: no progress, or code without a closed task",
  6: "refused before window 1",
  7: "finished with failed tasks",
  8: "the limit of windows or the run's clock was reached",
  9: "busy: another run holds this working tree",
  10: "the books do not agree: an answer that was had was paid for again, or a witness says something else",
  11: "midwatch guard test: the guards would deny it",
  75: "a provider's limit or outage, with --no-wait",
  130: "stopped by a person",
} as const;

export type ExitCode = keyof typeof exitCodes;

const byStopReason: Readonly<Record<StopReason, ExitCode>> = {
  finished: 0,
  "finished-with-failures": 7,
  person: 3,
  money: 4,
  limit: 75,
  failing: 1,
  stalled: 5,
  "no-task": 5,
  windows: 8,
  clock: 8,
  stopped: 130,
  refused: 6,
  broken: 1,
  idle: 0,
};

const byErrorKind: Readonly<Record<ErrorKind, ExitCode>> = { usage: 2, config: 2, busy: 9, refused: 6, environment: 1, bug: 1 };

/** The code of a run, as it stands: one that waits for a person is 3, a paused one 130. */
export function exitCodeOfRun(phase: RunPhase, reason: StopReason | null): ExitCode {
  if (phase === "waiting-person") return 3;
  if (phase === "paused") return 130;
  return reason === null ? 0 : byStopReason[reason];
}

/** 0 = all hold, 3 = only a person's yes is missing, 1 = something does not hold. */
export function exitCodeOfCriteria(evidence: readonly Pick<Evidence, "kind" | "verdict">[]): ExitCode {
  const open = evidence.filter(({ verdict }) => verdict !== "holds");
  if (open.length === 0) return 0;
  return open.every(({ kind, verdict }) => kind === "approval" && verdict === "cannot-tell") ? 3 : 1;
}

interface EndedBatch {
  readonly kind: "closed" | "paused" | "stopped" | "elsewhere";
  /** Of a pause that no person asked for. */
  readonly why?: keyof typeof byPause;
  readonly counts: { readonly failed: number };
}

const byPause = { money: 4, unpriced: 3, provider: 75 } as const satisfies Record<string, ExitCode>;

/** `elsewhere`: other supervisors have what is left, and say in the end what came of it. */
export function exitCodeOfBatch({ kind, why, counts }: EndedBatch): ExitCode {
  switch (kind) {
    case "closed":
      return counts.failed === 0 ? 0 : 7;
    case "elsewhere":
      return 0;
    case "stopped":
      return 130;
    case "paused":
      return why === undefined ? 130 : byPause[why];
  }
}

export function exitCodeOfError(kind: ErrorKind): ExitCode {
  return byErrorKind[kind];
}
