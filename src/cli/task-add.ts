/** `midwatch task add` and `midwatch task edit`: the words of a task on the board without a file. */
import { MidwatchError } from "../core/error.ts";
import { describeUnfit, isHeldBack, isUnchecked, unfitness } from "../core/fit.ts";
import { addToBoard, type Changed, editOnBoard } from "../engine/board.ts";
import type { App } from "./app.ts";
import { withMadeStore } from "./command.ts";
import { showLines, tell } from "./layout.ts";
import { requirePerson } from "./person-only.ts";
import { json, plain } from "./print.ts";
import { requireOwnBoard } from "./task-command.ts";
import { keyOf, readWords, titleOf, type WordFlags } from "./task-flags.ts";

export interface TaskAddFlags extends WordFlags {
  readonly key?: string;
  readonly yes?: boolean;
}

export async function taskAddCommand(app: App, text: string, flags: TaskAddFlags): Promise<number> {
  requirePerson(app, "midwatch task add");
  const { title, key } = flags.key === undefined ? titleOf(text) : { title: titleOf(text).title, key: flags.key };
  const words = { ...(await readWords(app, flags)), title };
  const given = { key: key === null ? null : keyOf(key), words, yes: flags.yes === true };
  const { repository } = await requireOwnBoard(app, "add", flags);
  const added = await withMadeStore(app, (store) => addToBoard(store, repository, given, app.clock.now()));
  show(app, { task: added.task }, flags, `${plain(added.task.key)}  ${plain(added.task.title)}`);
  tellFit(app, added.task);
  return 0;
}

export async function taskEditCommand(app: App, key: string, flags: WordFlags): Promise<number> {
  requirePerson(app, "midwatch task edit");
  const words = await readWords(app, flags);
  if (Object.keys(words).length === 0)
    throw new MidwatchError("usage", "E_FLAG", "nothing is to be changed", { hint: "say what: midwatch task edit --help" });
  const { repository } = await requireOwnBoard(app, "edit", flags);
  const edited = await withMadeStore(app, (store) => editOnBoard(store, repository, key, words, app.clock.now()));
  const { task, changed } = edited;
  show(app, edited, flags, `${plain(task.key)}  ${changed.length === 0 ? "nothing is new" : `changed: ${changed.join(", ")}`}`);
  if (task.owner !== null && changed.length > 0)
    tell(app.terminal, `${plain(task.key)} is ${task.state}: the window that has it was told the old words`);
  tellFit(app, task);
  return 0;
}

function show(app: App, { task, changed }: Pick<Changed, "task"> & Partial<Changed>, { json: asJson }: WordFlags, line: string): void {
  if (asJson)
    app.terminal.out(json({ task: task.key, title: task.title, state: task.state, reason: task.reason, changed, unfit: unfitness(task) }));
  else
    showLines(app.terminal, [
      line,
      ...task.criteria.map(({ kind, text }) => `    ${kind === "prose" ? "told   " : "checked"}  ${plain(text)}`),
    ]);
}

/** What speaks against an unattended run, and where it holds the task back the two ways on. */
function tellFit({ terminal }: App, task: Changed["task"]): void {
  const key = plain(task.key);
  if (task.state === "blocked" && isHeldBack(task.reason) && isUnchecked(task))
    tell(
      terminal,
      `${key} is blocked: ${plain(task.reason)}. Give it a check: midwatch task edit ${key} --check 'run: …'. Or say yes: midwatch task retry ${key}`,
    );
  else if (task.state === "blocked")
    tell(terminal, `${key} is blocked: ${plain(task.reason)}. Set it going with: midwatch task retry ${key}`);
  else if (unfitness(task).length > 0) tell(terminal, `${key} suits no unattended run: ${plain(describeUnfit(unfitness(task)))}`);
}
