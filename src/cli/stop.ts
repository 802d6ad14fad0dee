/** `midwatch stop`, `pause`, `resume`: a person's word to a run. */
import { MidwatchError } from "../core/error.ts";
import { exitCodeOfRun } from "../core/exit-codes.ts";
import type { RunRequest } from "../core/run-state.ts";
import { isSupervised, requestOf } from "../engine/people.ts";
import type { App } from "./app.ts";
import { type JsonOption, withRun } from "./command.ts";
import { requirePerson } from "./person-only.ts";
import { json } from "./print.ts";

export async function stopCommand(app: App, options: JsonOption & { readonly now?: boolean }): Promise<number> {
  requirePerson(app, "midwatch stop");
  return say(app, options, options.now ? "stop-now" : "stop-after-window");
}

export async function pauseCommand(app: App, options: JsonOption): Promise<number> {
  requirePerson(app, "midwatch pause");
  return say(app, options, "pause");
}

/** Lets a paused run go on; @returns null when no process carries the run out: then it has to be taken up. */
export async function resumeInPlace(app: App, options: JsonOption): Promise<number | null> {
  requirePerson(app, "midwatch resume");
  const alive = await withRun(app, async (_store, run) => isSupervised(run, await app.processes("auto")));
  if (!alive) return null;
  const { sayWhatChanged } = await import("./take-up.ts");
  await sayWhatChanged(app, app.treeTop(), true);
  return say(app, options, "none");
}

async function say(app: App, options: JsonOption, request: RunRequest): Promise<number> {
  const answer = await withRun(app, async (store, run) => {
    if (run.phase === "ended")
      throw new MidwatchError("usage", "E_RUN_ENDED", `the run ended already: ${run.stopReason}`, { hint: "see it with: midwatch report" });
    return requestOf({ store, processes: await app.processes("auto"), clock: app.clock }, run, request);
  });
  if (answer !== null) {
    app.terminal.out(options.json ? json({ request, answer }) : `${answer}\n`);
    return 0;
  }
  if (request === "stop-now" || request === "stop-after-window") return endLeftRun(app, options);
  throw new MidwatchError("usage", "E_NOT_RUNNING", "no process carries this run out", { hint: "take it up again with: midwatch resume" });
}

/** No process carries the run out: it is ended here, after what it left open was judged. */
async function endLeftRun(app: App, options: JsonOption): Promise<number> {
  const { resumeCommand } = await import("./run.ts");
  const code = await resumeCommand(app, { ...options, foreground: true }, [], "stop-now");
  return code === exitCodeOfRun("ended", "stopped") ? 0 : code;
}
