/** `midwatch stop`, `pause`, `resume`: a person's word to a run. */
import { MidwatchError } from "../core/error.ts";
import type { RunRequest } from "../core/run-state.ts";
import { isSupervised, requestOf } from "../engine/people.ts";
import type { App } from "./app.ts";
import { type JsonOption, withRun } from "./command.ts";
import { json } from "./print.ts";

export function stopCommand(app: App, options: JsonOption & { readonly now?: boolean }): Promise<number> {
  return say(app, options, options.now ? "stop-now" : "stop-after-window");
}

export function pauseCommand(app: App, options: JsonOption): Promise<number> {
  return say(app, options, "pause");
}

/** Lets a paused run go on; @returns null when no process carries the run out: then it has to be taken up. */
export async function resumeInPlace(app: App, options: JsonOption): Promise<number | null> {
  const alive = await withRun(app, async (_store, run) => isSupervised(run, await app.processes("auto")));
  return alive ? say(app, options, "none") : null;
}

async function say(app: App, { json: asJson }: JsonOption, request: RunRequest): Promise<number> {
  return withRun(app, async (store, run) => {
    if (run.phase === "ended")
      throw new MidwatchError("usage", "E_RUN_ENDED", `the run ended already: ${run.stopReason}`, { hint: "see it with: midwatch report" });
    const answer = await requestOf({ store, processes: await app.processes("auto"), clock: app.clock }, run, request);
    app.terminal.out(asJson ? json({ run: run.id, request, answer }) : `${answer}\n`);
    return 0;
  });
}
