/** Measuring outside of a run: with the settings of now, at HEAD, and ended with the terminal. */
import type { Criterion } from "../core/criteria/criterion.ts";
import { MidwatchError } from "../core/error.ts";
import { describeFigures, type Evidence } from "../core/evidence.ts";
import type { Spend } from "../core/money/cap.ts";
import type { HandSettings } from "../core/run-settings.ts";
import { checkCriteria } from "../engine/criteria/check.ts";
import type { Measuring } from "../engine/criteria/measuring.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { App } from "./app.ts";
import type { JsonOption } from "./command.ts";
import { showLines } from "./layout.ts";
import { duration, painter, plain } from "./print.ts";

export interface CriteriaFlags extends JsonOption {
  readonly base?: string;
}

export interface Place {
  readonly workspace: Workspace;
  readonly settings: HandSettings;
}

/** @param plan  path of the task list; null = the one that the settings name */
export async function placeOf(app: App, plan: string | null): Promise<Place> {
  const workspace = await app.workspace();
  const config = await app.loadConfig(workspace.location.top, []);
  return { workspace, settings: config.byHand(plan === null ? null : { kind: "list", path: plan }) };
}

export interface ByHand extends Place {
  readonly criteria: readonly Criterion[];
  readonly flags: CriteriaFlags;
  readonly spend: () => Promise<Spend | null>;
}

/** A signal ends what is being measured with all that it started; the rest is then not measured. */
export async function measureByHand(app: App, { workspace, settings, criteria, flags, spend }: ByHand): Promise<readonly Evidence[]> {
  const base = flags.base === undefined ? null : await baseOf(workspace, flags.base);
  const { head } = await workspace.inspect(settings.bookkeeping);
  const listeners = new Set<() => void>();
  let isStopped = false;
  const stopListening = app.onSignal(() => {
    isStopped = true;
    for (const listener of listeners) listener();
  });
  const measuring: Measuring = {
    ports: await app.measuringPorts({ workspace, settings }),
    mark: `criteria.${app.clock.bootId}.${Math.round(app.clock.monotonicMs())}`,
    limits: settings.limits,
    bookkeeping: settings.bookkeeping,
    base: async () => base,
    stop: {
      isSaid: () => isStopped,
      onSaid(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    onRan: () => undefined,
    spend,
    approval: async () => ({ kind: "not-asked", changedSince: false }),
  };
  try {
    return await checkCriteria(measuring, criteria, { commit: head, window: null });
  } finally {
    stopListening();
  }
}

async function baseOf(workspace: Workspace, name: string): Promise<string> {
  const commit = await workspace.findCommit(name);
  if (commit !== null) return commit;
  throw new MidwatchError("usage", "E_BASE_UNKNOWN", `there is no commit ${name}`, { hint: "name it as git does: main, HEAD~3, 1a2b3c4" });
}

export function showEvidence(app: App, evidence: readonly Evidence[]): void {
  const paint = painter(app.terminal);
  const colours = { holds: "green", fails: "red", "cannot-tell": "yellow" } as const;
  const lines = evidence.flatMap(({ criterion, verdict, detail, figures, durationMs }) => [
    `${paint(colours[verdict], verdict)}  ${plain(criterion)}`,
    ...detail.split("\n").map((line) => `    ${plain(line)}`),
    ...(figures === undefined ? [] : [`    ${paint("dim", `${describeFigures(figures)}; ${duration(durationMs)}`)}`]),
  ]);
  showLines(app.terminal, lines, 6);
}
