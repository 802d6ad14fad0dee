/** `midwatch batch pause` and `stop`: a person's word to a batch, from any terminal. */
import { MidwatchError } from "../core/error.ts";
import type { App } from "./app.ts";
import { requireBatch, withBatches } from "./batch-command.ts";
import type { JsonOption } from "./command.ts";
import { json } from "./print.ts";

export interface BatchStopFlags extends JsonOption {
  readonly now?: boolean;
}

/** Nothing new is claimed; what runs may end. `batch run` goes on. */
export function batchPauseCommand(app: App, name: string, flags: JsonOption): Promise<number> {
  return say(app, name, flags, { request: "none", pauses: true, answer: `batch ${name} is paused: its jobs may end, no other is begun` });
}

export function batchStopCommand(app: App, name: string, flags: BatchStopFlags): Promise<number> {
  if (flags.now)
    return say(app, name, flags, { request: "stop-now", pauses: false, answer: `batch ${name}: its jobs are ended now and given back` });
  return say(app, name, flags, {
    request: "stop",
    pauses: false,
    answer: `batch ${name}: its supervisors leave when their jobs have ended, or after the grace`,
  });
}

interface Word {
  /** `none`: supervisors see that it is not open any more, and let what runs end. */
  readonly request: "none" | "stop" | "stop-now";
  readonly pauses: boolean;
  readonly answer: string;
}

function say(app: App, name: string, flags: JsonOption, { request, pauses, answer }: Word): Promise<number> {
  return withBatches(app, async (store) => {
    const batch = await requireBatch(store, name);
    if (batch.state === "closed" || batch.state === "archived")
      throw new MidwatchError("usage", "E_BATCH_ENDED", `batch ${name} has ended: ${batch.reason}`, {
        hint: `see it with: midwatch batch report ${name}`,
      });
    const now = app.clock.now();
    if (pauses) await store.batches.setState(name, "paused", "a person paused it", now);
    if (request !== "none") await store.batches.setRequest(name, request, now);
    app.terminal.out(flags.json ? json({ batch: name, request, answer }) : `${answer}\n`);
    return 0;
  });
}
