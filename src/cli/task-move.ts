/** `midwatch task done`, `block` and `retry`: a person's word on tasks, of a plan file too. All of those that are named, or none. */
import { MidwatchError } from "../core/error.ts";
import type { Wish } from "../core/person-move.ts";
import { moveOnBoard } from "../engine/board.ts";
import type { App } from "./app.ts";
import { showLines, tell } from "./layout.ts";
import { requirePerson } from "./person-only.ts";
import { json, plain, someOf } from "./print.ts";
import { type BoardFlags, withBoard } from "./task-command.ts";

export interface TaskMoveFlags extends BoardFlags {
  readonly why?: string;
}

export async function taskMoveCommand(app: App, wish: Wish, keys: readonly string[], flags: TaskMoveFlags): Promise<number> {
  requirePerson(app, `midwatch task ${wish}`);
  const why = (flags.why ?? "").trim();
  if (wish === "block" && why === "")
    throw new MidwatchError("usage", "E_FLAG", "a task is blocked for a reason", {
      hint: `midwatch task block ${keys.join(" ")} --why "…"`,
    });
  return withBoard(app, flags, async ({ store, board, path }) => {
    const { moved, claimable } = await moveOnBoard(store, board, { wish, keys, why }, app.clock.now());
    if (flags.json) app.terminal.out(json({ moved, claimable }));
    else
      showLines(
        app.terminal,
        moved.map(({ key, from, to }) => `${plain(key)}  ${from} -> ${to}`),
      );
    for (const { key } of moved.filter(({ owner }) => owner !== null))
      tell(app.terminal, `a window works on ${plain(key)}: when it claims it, it is told how it stands now`);
    if (claimable.length > 0) tell(app.terminal, `can be worked now: ${plain(someOf(claimable))}`);
    if (path !== null && wish !== "block") tell(app.terminal, `the marks in ${plain(path)} follow at the next start of the run`);
    return 0;
  });
}
