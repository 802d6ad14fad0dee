/** Between two windows of a run of a board: is there something to do, may something come, or is it over? */
import type { RunId } from "../../core/ids.ts";
import { claimable } from "../../core/plan-order.ts";
import type { RunSettings } from "../../core/run-settings.ts";
import { planStanding } from "../../core/standing.ts";
import { type IdleFacts, type IdleStep, idleStep } from "../../core/team/idle.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Store } from "../../ports/store.ts";
import type { Activity } from "../../ports/team.ts";
import type { RunControl } from "../control.ts";

export type Sought =
  | Exclude<IdleStep, { kind: "look-again" }>
  /** A person said something to the run. */
  | { readonly kind: "interrupted" };

interface SeekContext {
  readonly ports: { readonly store: Store; readonly clock: Clock };
  readonly run: RunId;
  readonly settings: Pick<RunSettings, "member">;
  readonly control: Pick<RunControl, "current" | "nextChange">;
}

/** Looks until there is something to do, or until it has looked often enough. */
export async function seekWork(context: SeekContext): Promise<Sought> {
  for (let looks = 0; ; looks += 1) {
    const step = idleStep(await lookAround(context, looks));
    if (step.kind !== "look-again") return step;
    await tellActivity(context, "idle", looks);
    await context.control.nextChange(step.afterMs);
    if (context.control.current() !== "none") return { kind: "interrupted" };
  }
}

/** For whoever looks at the team; a run without a name is nobody of it. */
export async function tellActivity(
  { ports, run, settings }: Omit<SeekContext, "control">,
  activity: Activity,
  looks: number,
): Promise<void> {
  if (settings.member !== undefined) await ports.store.teams.setActivity(run, activity, looks, ports.clock.now());
}

async function lookAround({ ports: { store }, run, settings }: SeekContext, looks: number): Promise<IdleFacts> {
  const [unread, tasks, questions] = await Promise.all([
    store.teams.unread(run),
    store.tasks(run),
    store.questions({ run, state: "open" }),
  ]);
  return {
    looks,
    isMember: settings.member !== undefined,
    unread,
    hasTask: claimable(tasks).length > 0,
    withOthers: tasks.filter(({ owner }) => owner !== null && owner !== run).length,
    ownQuestions: questions.filter(({ task }) => task !== null).length,
    standing: planStanding(tasks),
  };
}
