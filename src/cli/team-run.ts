/** `midwatch team run`: a supervisor for each member, each in its working tree and a process of its own; shown here together. Leaving the view ends none of them. */
import { basename } from "node:path";
import { MidwatchError } from "../core/error.ts";
import type { RunId } from "../core/ids.ts";
import { followRun } from "../engine/follow.ts";
import type { Store } from "../ports/store.ts";
import type { App, Runner } from "./app.ts";
import { type JsonOption, withMadeStore } from "./command.ts";
import { eventLine } from "./event-line.ts";
import { columns, tell, tellApart, wrap } from "./layout.ts";
import { painter, plain, timeOfDay } from "./print.ts";
import { type Placed, placeMembers } from "./team-members.ts";

export interface TeamRunOptions extends JsonOption {
  readonly member: readonly string[];
  readonly team?: string;
}

/** @param rest  flags and agent that each member's run is started with */
export async function teamRunCommand(app: App, options: TeamRunOptions, rest: readonly string[]): Promise<number> {
  const { location } = await app.workspace();
  if (options.member.length === 0)
    throw new MidwatchError("usage", "E_MEMBER", "a team has members", {
      hint: "for example: midwatch team run --member alice:coder --member bob:tester",
    });
  const placed = placeMembers(options.member, await app.worktrees(location.commonDir), location.top);
  const team = options.team ?? basename(location.top);
  return withMadeStore(app, async (store) => {
    const started = await Promise.all(placed.map((member) => startMember(app, store, member, { team, rest })));
    return showTeam(app, store, started, options.json === true);
  });
}

interface Started extends Placed {
  readonly runner: Runner;
  /** Null = it ended without one: its own words say why. */
  readonly run: RunId | null;
}

const lookMs = 50;

async function startMember(
  app: App,
  store: Store,
  member: Placed,
  { team, rest }: { readonly team: string; readonly rest: readonly string[] },
): Promise<Started> {
  const stay = app.terminal.isInteractive ? ["--stay"] : [];
  const argv = ["run", "--board", "--member", `${member.name}:${member.role}`, "--team", team, "--foreground", ...stay, ...rest];
  const runner = await app.startRunner(argv, `${app.folders.state}/runner-${app.clock.now()}-${member.name}.log`, member.top);
  let hasEnded = false;
  void runner.exited.then(() => {
    hasEnded = true;
  });
  for (;;) {
    const isLast = hasEnded;
    const [run] = await store.runs({ worktree: member.top, limit: 1 });
    if (run?.supervisor?.pid === runner.pid) return { ...member, runner, run: run.id };
    if (isLast) return { ...member, runner, run: null };
    await app.clock.sleep(lookMs);
  }
}

async function showTeam(app: App, store: Store, team: readonly Started[], asJson: boolean): Promise<number> {
  const left = new AbortController();
  const stopListening = app.onSignal((signal) => {
    if (app.terminal.isInteractive) left.abort();
    else if (signal !== "SIGHUP") void stopAll(app, store, team);
  });
  if (app.terminal.isInteractive)
    tell(app.terminal, "the team goes on without this terminal; Ctrl-C leaves the view, midwatch team stop ends it");
  try {
    await Promise.all(team.map((member) => showMember(app, store, member, { asJson, signal: left.signal })));
    if (left.signal.aborted) {
      tellApart(app.terminal, "left the view; the team goes on. Look: midwatch team status. End it: midwatch team stop");
      return 0;
    }
    return await conclude(app, team, asJson);
  } finally {
    stopListening();
  }
}

async function stopAll(app: App, store: Store, team: readonly Started[]): Promise<void> {
  for (const { run } of team) if (run !== null) await store.setRequest(run, "stop-now", app.clock.now()).catch(() => undefined); // it has ended already
}

async function showMember(
  app: App,
  store: Store,
  { name, run, runner }: Started,
  { asJson, signal }: { readonly asJson: boolean; readonly signal: AbortSignal },
): Promise<void> {
  if (run === null) return void app.terminal.err(await runner.readLog());
  let isOver = false;
  void runner.exited.then(() => {
    isOver = true;
  });
  const paint = painter(app.terminal);
  for await (const event of followRun({ store, clock: app.clock }, run, { after: 0, isOver: () => isOver, signal })) {
    if (asJson) app.terminal.out(`${JSON.stringify({ member: name, ...event })}\n`);
    const line = asJson ? null : eventLine(event, paint, 200);
    if (line !== null)
      app.terminal.err(`${wrap(`${paint("dim", timeOfDay(event.at))}  ${paint("cyan", name)}  ${line}`, app.terminal.columns.err, 12)}\n`);
  }
}

/** 0 when each ended well; else the code of the first that did not. */
async function conclude(app: App, team: readonly Started[], asJson: boolean): Promise<number> {
  const ends = await Promise.all(team.map(async ({ name, run, runner }) => ({ member: name, run, exitCode: (await runner.exited) ?? 1 })));
  const code = ends.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? 0;
  if (asJson) app.terminal.out(`${JSON.stringify({ kind: "result", exitCode: code, members: ends })}\n`);
  else
    app.terminal.out(
      `${columns(ends.map(({ member, run, exitCode }) => [plain(member), `exit ${exitCode}`, run === null ? "no run" : `midwatch report --run ${run}`])).join("\n")}\n`,
    );
  return code;
}
