/** What the commands on tasks share: which board is meant, and that a person means it. */
import { MidwatchError } from "../core/error.ts";
import { type BoardChoice, type BoardPlace, type BoardWish, chooseBoard } from "../engine/board.ts";
import type { BoardRecord } from "../ports/board.ts";
import type { Store } from "../ports/store.ts";
import type { App } from "./app.ts";
import type { JsonOption } from "./command.ts";
import { plain } from "./print.ts";
import { withStore } from "./take-up.ts";

export interface BoardFlags extends JsonOption {
  /** The board without a file, whatever else there is. */
  readonly board?: boolean;
  /** The tasks of this plan file. */
  readonly plan?: string;
}

export interface FoundBoard {
  readonly store: Store;
  readonly board: BoardRecord;
  /** Of the plan file that says the tasks' words; null = the board has none. */
  readonly path: string | null;
}

/** Runs `work` on the tasks that are meant, and closes the store whatever happens. */
export async function withBoard<T>(app: App, flags: BoardFlags, work: (found: FoundBoard) => Promise<T>): Promise<T> {
  const wish = wishOf(flags);
  const place = await placeOf(app);
  const found = await withStore<{ readonly value: T } | null>(app, null, async (store) => {
    const choice = await chooseBoard(store, place, wish);
    if (choice.kind === "no-run")
      throw new MidwatchError("usage", "E_NO_TASKS", `no run of ${choice.path} was started in this working tree`, {
        hint: `see what is in it with: midwatch run ${choice.path} --dry-run`,
      });
    if (choice.board === null) return null;
    return { value: await work({ store, board: choice.board, path: choice.kind === "plan" ? choice.path : null }) };
  });
  return found === null ? noTasks() : found.value;
}

function wishOf({ board, plan }: BoardFlags): BoardWish {
  if (board && plan !== undefined) throw new MidwatchError("usage", "E_FLAG", "give --board or --plan FILE, not both");
  if (plan !== undefined) return { kind: "plan", path: plan.replace(/^\.\//, "") };
  return { kind: board ? "board" : "any" };
}

async function placeOf(app: App): Promise<BoardPlace> {
  const { commonDir, top } = (await app.workspace()).location;
  return { repository: commonDir, worktree: top };
}

function noTasks(): never {
  throw new MidwatchError("usage", "E_NO_TASKS", "there is no task here yet", {
    hint: "add one with: midwatch task add \"…\" --check 'run: …'; those of a plan file are here from its first run on",
  });
}

export interface OwnBoard {
  readonly repository: string;
  readonly worktree: string;
}

/** The board whose words are changed by commands. Throws MidwatchError kind usage where the tasks of this tree stand in a plan file, unless `--board` says otherwise. */
export async function requireOwnBoard(app: App, command: string, flags: Pick<BoardFlags, "board">): Promise<OwnBoard> {
  const place = await placeOf(app);
  const file = flags.board ? null : await planInstead(app, place);
  if (file === null) return place;
  throw new MidwatchError("usage", "E_TASKS_IN_FILE", `the tasks of this tree stand in ${plain(file)}: change them there`, {
    hint: `for a board of the repository instead: midwatch task ${command} --board …`,
  });
}

/** The plan file that stands for the board here; null = there is none, or the board has tasks. */
async function planInstead(app: App, place: BoardPlace): Promise<string | null> {
  const choice = await withStore<BoardChoice>(app, { kind: "board", board: null }, (store) => chooseBoard(store, place, { kind: "any" }));
  if (choice.kind !== "board") return choice.path;
  if (choice.board !== null) return null;
  const { rows } = await app.loadConfig(place.worktree, []);
  const named = String(rows.find(({ path }) => path === "plan")?.value ?? "");
  return named !== "" && (await app.files.exists(`${place.worktree}/${named}`)) ? named : null;
}
