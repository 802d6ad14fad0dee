/** `midwatch team status` and `stop`, and `midwatch tell`: the repository's board and who works on it. */
import { MidwatchError } from "../core/error.ts";
import { requestOf } from "../engine/people.ts";
import { type MemberStatus, teamStatus } from "../engine/team/status.ts";
import type { BoardRecord } from "../ports/board.ts";
import type { Store } from "../ports/store.ts";
import type { App } from "./app.ts";
import { existingStore, type JsonOption } from "./command.ts";
import { columns, showLines } from "./layout.ts";
import { count, duration, json, type Paint, painter, plain } from "./print.ts";

const mostCharacters = 4000;

export async function teamStatusCommand(app: App, options: JsonOption): Promise<number> {
  return withBoard(app, async (store, board) => {
    const members = await teamStatus(store, await app.processes("auto"), board.id);
    if (options.json) app.terminal.out(json({ members }));
    else if (members.length === 0) app.terminal.out("nobody has worked on the board yet: midwatch team run --member alice:coder\n");
    else showLines(app.terminal, memberLines(members, app.clock.now(), painter(app.terminal)));
    return 0;
  });
}

function memberLines(members: readonly MemberStatus[], now: number, paint: Paint): readonly string[] {
  return columns(
    members.map(({ name, role, activity, since, tasks, unread, stopReason, looks, worktree }) => [
      paint("bold", plain(name)),
      plain(role),
      `${activity}${activity === "gone" && stopReason !== null ? ` (${stopReason})` : ""} for ${duration(Math.max(0, now - since))}`,
      [
        ...(tasks.length === 0 ? [] : [plain(tasks.join(", "))]),
        ...(activity === "idle" ? [`looked ${count(looks + 1, "time")}`] : []),
        ...(unread === 0 ? [] : [`${count(unread, "message")} unread`]),
      ].join(", "),
      paint("dim", plain(worktree)),
    ]),
  );
}

export async function teamStopCommand(app: App, options: JsonOption & { readonly now?: boolean }): Promise<number> {
  return withBoard(app, async (store, board) => {
    const processes = await app.processes("auto");
    const told: { member: string; answer: string }[] = [];
    for (const { name, run } of await store.teams.members(board.id)) {
      const record = await store.run(run);
      const ports = { store, processes, clock: app.clock };
      const answer = record === null ? null : await requestOf(ports, record, options.now ? "stop-now" : "stop-after-window");
      if (answer !== null) told.push({ member: name, answer });
    }
    if (options.json) app.terminal.out(json({ told }));
    else
      app.terminal.out(
        told.length === 0
          ? "nobody works on the board\n"
          : `${columns(told.map(({ member, answer }) => [plain(member), answer])).join("\n")}\n`,
      );
    return 0;
  });
}

export async function tellCommand(app: App, member: string, words: readonly string[], options: JsonOption): Promise<number> {
  const text = words.join(" ").trim();
  if (text === "")
    throw new MidwatchError("usage", "E_MESSAGE_EMPTY", "there is nothing to tell", {
      hint: 'for example: midwatch tell alice "start with T-3"',
    });
  if (text.length > mostCharacters)
    throw new MidwatchError("usage", "E_MESSAGE_LONG", `a message has at most ${mostCharacters} characters, this one has ${text.length}`, {
      hint: "write it into a file of the repository, and tell where",
    });
  return withBoard(app, async (store, board) => {
    if (!(await store.teams.tell(board.id, { member, sender: "person", text }, app.clock.now())))
      throw await unknownMember(store, board, member);
    if (options.json) app.terminal.out(json({ told: member }));
    else app.terminal.out(`${plain(member)} reads it when the next window opens\n`);
    return 0;
  });
}

async function unknownMember(store: Store, board: BoardRecord, member: string): Promise<MidwatchError> {
  const names = (await store.teams.members(board.id)).map(({ name }) => name);
  return new MidwatchError("usage", "E_MEMBER", `nobody called ${JSON.stringify(member)} has worked on this board`, {
    hint:
      names.length === 0
        ? "start a team with: midwatch team run --member alice:coder"
        : `there ${names.length === 1 ? "is" : "are"}: ${names.join(", ")}`,
  });
}

async function withBoard<T>(app: App, work: (store: Store, board: BoardRecord) => Promise<T>): Promise<T> {
  const { location } = await app.workspace();
  const store = await existingStore(app);
  try {
    const board = await store.boards.ofRepository(location.commonDir);
    if (board === null)
      throw new MidwatchError("usage", "E_BOARD_EMPTY", "this repository has no board yet", {
        hint: 'begin one with: midwatch task add "…"',
      });
    return await work(store, board);
  } finally {
    await store.close();
  }
}
