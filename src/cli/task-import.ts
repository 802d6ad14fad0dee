/** `midwatch task import FILE`: a list that people have, merged into the board by key. States are the board's, words the file's; what the file has no more stays. */
import { firstMoves, type ListMerge } from "../core/board-words.ts";
import { describeUnfit, unfitness } from "../core/fit.ts";
import type { PlannedTask } from "../core/task.ts";
import { importList } from "../engine/board.ts";
import type { App } from "./app.ts";
import { withMadeStore } from "./command.ts";
import { labelled, showLines, tell } from "./layout.ts";
import { requirePerson } from "./person-only.ts";
import { count, json, plain, someOf } from "./print.ts";
import { withStore } from "./take-up.ts";
import { type BoardFlags, requireOwnBoard } from "./task-command.ts";
import { readListFile } from "./task-file.ts";

export interface TaskImportFlags extends Pick<BoardFlags, "board" | "json"> {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export async function taskImportCommand(app: App, path: string, flags: TaskImportFlags): Promise<number> {
  const { dryRun = false, yes = false } = flags;
  if (!dryRun) requirePerson(app, "midwatch task import");
  const { repository } = await requireOwnBoard(app, `import ${path}`, flags);
  const { tasks, notes } = await readListFile(app, path);
  const list = { name: path.replace(/^\.\//, ""), tasks, yes, dryRun };
  const now = app.clock.now();
  const merge = dryRun
    ? await withStore<ListMerge | null>(app, null, (store) => importList(store, repository, list, now))
    : await withMadeStore(app, (store) => importList(store, repository, list, now));
  const value = describe(merge ?? (await importList(null, repository, list, now)), { dryRun, yes, notes });
  if (flags.json) app.terminal.out(json(value));
  else show(app, path, value);
  return 0;
}

function describe(merge: ListMerge, rest: { readonly dryRun: boolean; readonly yes: boolean; readonly notes: readonly string[] }) {
  const moves = firstMoves(merge.added, rest);
  return {
    dryRun: rest.dryRun,
    added: merge.added.map(({ key, title }) => ({ key, title })),
    edited: merge.edited.map(({ task: { key, title }, changed }) => ({ key, title, changed })),
    unchanged: merge.unchanged,
    stay: merge.gone,
    done: moves.filter(({ move }) => move === "close").map(({ key }) => key),
    blocked: moves.filter(({ move }) => move === "block").map(({ key, reason }) => ({ key, reason })),
    unfit: merge.added.filter(({ ticked }) => !ticked).flatMap(signsOf),
    ticked: merge.ticked,
    notes: rest.notes,
  };
}

function signsOf(task: PlannedTask) {
  const reasons = unfitness(task);
  return reasons.length === 0 ? [] : [{ key: task.key, reasons }];
}

function show(app: App, path: string, value: ReturnType<typeof describe>): void {
  const { added, edited, unchanged, stay, done, blocked, unfit, ticked } = value;
  const keys = (list: readonly { readonly key: string }[]) =>
    list.length === 0 ? "" : `${list.length}  ${plain(someOf(list.map(({ key }) => key)))}`;
  const named = (list: readonly string[]) => keys(list.map((key) => ({ key })));
  const total = added.length + edited.length + unchanged.length;
  showLines(app.terminal, [`${plain(path)}: ${count(total, "task")}${value.dryRun ? "; a dry run, nothing was changed" : ""}`]);
  const rows = labelled([
    ["added", keys(added)],
    ["  done", named(done)],
    ["  blocked", keys(blocked)],
    [
      "edited",
      edited.length === 0 ? "" : `${edited.length}  ${plain(someOf(edited.map(({ key, changed }) => `${key} (${changed.join(", ")})`)))}`,
    ],
    ["unchanged", unchanged.length === 0 ? "" : `${unchanged.length}`],
    ["stay", stay.length === 0 ? "" : `${named(stay)}: no longer in the file`],
  ]);
  showLines(
    app.terminal,
    rows.map((line) => `  ${line}`),
    13,
  );
  for (const note of value.notes) tell(app.terminal, plain(note));
  const signs = unfit.filter(({ key }) => !blocked.some((one) => one.key === key));
  for (const { key, reasons } of signs.slice(0, mostNamed))
    tell(app.terminal, `${plain(key)} suits no unattended run: ${plain(describeUnfit(reasons))}`);
  if (signs.length > mostNamed) tell(app.terminal, `and ${signs.length - mostNamed} more: midwatch task import --json`);
  tellBlocked(app, blocked);
  if (ticked.length > 0)
    tell(app.terminal, `ticked in the file and not done on the board: ${plain(someOf(ticked))}. Close them with: midwatch task done KEY…`);
}

/** So many remarks are read. */
const mostNamed = 10;

function tellBlocked(app: App, blocked: readonly { readonly key: string; readonly reason: string }[]): void {
  const [first] = blocked;
  if (first === undefined) return;
  const names = plain(someOf(blocked.map(({ key }) => key)));
  tell(
    app.terminal,
    `blocked, for it ${plain(first.reason)}: ${names}. Give them a check in the file, or say yes: midwatch task retry ${plain(first.key)} …`,
  );
}
