/** `midwatch run` and `midwatch resume`: at a terminal the run goes on in a process of its own and is shown here; else this process is the run. */

import { basename } from "node:path";
import { setFlagsFromString } from "node:v8";
import { MidwatchError } from "../core/error.ts";
import { exitCodeOfRun } from "../core/exit-codes.ts";
import type { RunId } from "../core/ids.ts";
import type { RunSettings } from "../core/run-settings.ts";
import type { RunPorts } from "../engine/context.ts";
import type { RunControl } from "../engine/control.ts";
import { nextStep } from "../engine/people.ts";
import { runReport } from "../engine/report.ts";
import { resumeRun, type StartedRun, startRun, unfinishedRun } from "../engine/start-run.ts";
import type { RunRecord, Store, TreeLocks } from "../ports/store.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { App } from "./app.ts";
import { attachRunner } from "./attach.ts";
import { withMadeStore } from "./command.ts";
import { dryRun, printFirstPrompt } from "./dry-run.ts";
import { lastTakeUp, showRun } from "./follow.ts";
import { tellApart } from "./layout.ts";
import { plain } from "./print.ts";
import { choices } from "./question-text.ts";
import { printReport } from "./report.ts";
import { chosenPlan, configFlags, namedMember, type RunOptions } from "./run-flags.ts";
import { sayWhatChanged } from "./take-up.ts";

export async function runCommand(
  app: App,
  plan: string | undefined,
  command: readonly string[],
  options: RunOptions,
  argv: readonly string[],
): Promise<number> {
  const chosen = chosenPlan(plan, options);
  const workspace = await app.workspace();
  const member = namedMember(options, basename(workspace.location.top));
  const config = await app.loadConfig(workspace.location.top, configFlags(plan, command, options));
  for (const warning of config.warnings) app.terminal.err(`${plain(warning)}\n`);
  const settings = { ...(await config.settings(chosen)), ...(member === null ? {} : { member }) };
  if (options.printPrompt) return printFirstPrompt(app, workspace, settings);
  if (options.dryRun) return dryRun(app, workspace, settings, options.json === true);
  if (isForBackground(app, options)) return attachRunner(app, workspace, inBackground(argv));
  return here(app, workspace, options, async (store) => {
    await app.tidy(store, config.retention);
    return { settings, start: (parts) => startRun({ ...parts, settings, newBranch: options.branch ?? null }) };
  });
}

/** @param request  `stop-now` ends the run that was left instead of going on with it */
export async function resumeCommand(
  app: App,
  options: RunOptions,
  argv: readonly string[],
  request: "none" | "stop-now" = "none",
): Promise<number> {
  const workspace = await app.workspace();
  const { top } = workspace.location;
  if (request === "none") await sayWhatChanged(app, top, false);
  if (isForBackground(app, options)) return attachRunner(app, workspace, inBackground(argv));
  return here(app, workspace, options, async (store) => {
    const left = await unfinishedRun(store, top);
    if (left === null) throw nothingLeft();
    const settings = { ...left.settings, agent: await agentWithSecrets(app, left) };
    const how = options.stay ? { request, settings: { ...settings, onQuestion: "wait" as const } } : { request };
    return { settings, start: (parts) => resumeRun(parts, left.id, how) };
  });
}

/** What was taken out of the stored settings is what today's config says in its place. */
async function agentWithSecrets(app: App, { settings, worktree }: RunRecord): Promise<RunSettings["agent"]> {
  const { value } = app.redactor;
  const today = await app.loadConfig(worktree, []).catch(() => null); // said already, where it does not read
  const env = Object.entries(settings.agent.env).map(([name, stored]) => {
    const now = today?.jobs.env[name];
    return [name, now !== undefined && value(now) === stored ? now : stored] as const;
  });
  return { ...settings.agent, env: Object.fromEntries(env) };
}

function nothingLeft(): MidwatchError {
  return new MidwatchError("usage", "E_NO_RUN", "there is no unfinished run in this working tree", {
    hint: "start one with: midwatch run",
  });
}

function isForBackground(app: App, options: RunOptions): boolean {
  return !options.foreground && app.terminal.isInteractive && !options.json;
}

/** Behind the command's name, since what stands after `--` is the agent's. */
function inBackground([name = "run", ...rest]: readonly string[]): readonly string[] {
  return [name, "--foreground", "--stay", ...rest];
}

interface Parts {
  readonly ports: RunPorts;
  readonly locks: TreeLocks;
  readonly onStarted: (run: RunId, control: RunControl) => void;
}

interface Prepared {
  readonly settings: RunSettings;
  readonly start: (parts: Parts) => Promise<StartedRun | null>;
}

/** This process is the run: its exit code is the run's. */
async function here(app: App, workspace: Workspace, options: RunOptions, prepare: (store: Store) => Promise<Prepared>): Promise<number> {
  // A night has hours: the young generation need not grow from 1 to 16 MB to be done sooner (40 windows: 16 MB less, no slower).
  setFlagsFromString("--semi-space-growth-factor=1");
  return withMadeStore(app, async (store) => {
    const { settings, start } = await prepare(store);
    const [ports, locks] = await Promise.all([app.runPorts({ store, workspace, settings }), app.locks()]);
    return supervised({ app, store, tree: workspace.location.top, options }, (onStarted) => start({ ports, locks, onStarted }));
  });
}

interface Place {
  readonly app: App;
  readonly store: Store;
  readonly tree: string;
  readonly options: RunOptions;
}

async function supervised(
  { app, store, tree, options: { json: asJson = false } }: Place,
  start: (onStarted: (run: RunId, control: RunControl) => void) => Promise<StartedRun | null>,
): Promise<number> {
  let isOver = false;
  let shown: Promise<void> = Promise.resolve();
  let stopListening = () => {};
  const done = new AbortController();
  try {
    const end = await start((run, control) => {
      stopListening = app.onSignal((signal) => {
        // A closed terminal never ends a run (A15).
        if (signal !== "SIGHUP") control.say("stop-now");
      });
      shown = lastTakeUp(store, run).then((after) =>
        showRun(app, store, run, { after, json: asJson, isOver: () => isOver, signal: done.signal }),
      );
    });
    isOver = true;
    await shown;
    return end === null ? await nothingOpen(app, store, tree, asJson) : await conclude(app, store, end, asJson);
  } finally {
    isOver = true;
    done.abort();
    stopListening();
    await shown.catch(() => undefined); // what failed is on its way out already
  }
}

/** No run was made: the last one says how it came to be so. */
async function nothingOpen(app: App, store: Store, worktree: string, asJson: boolean): Promise<number> {
  const [last] = await store.runs({ worktree, limit: 1 });
  const report = last === undefined ? null : await runReport(store, last, app.clock.now());
  if (asJson) app.terminal.out(`${JSON.stringify({ kind: "result", exitCode: 0, nothingOpen: true, report })}\n`);
  else app.terminal.out(`nothing is open: every task is done${last === undefined ? "" : "; the last run: midwatch report"}\n`);
  return 0;
}

async function conclude(app: App, store: Store, end: StartedRun, asJson: boolean): Promise<number> {
  const run = await store.run(end.run);
  if (run === null) throw new MidwatchError("bug", "E_RUN_GONE", `run ${end.run} is gone from the store`);
  const code = exitCodeOfRun(end.phase, end.reason);
  const report = await runReport(store, run, app.clock.now());
  if (asJson) {
    app.terminal.out(`${JSON.stringify({ kind: "result", exitCode: code, report })}\n`);
    return code;
  }
  app.terminal.out("\n");
  printReport(app, report, { stop: end.phase === "ended" });
  if (end.phase === "waiting-person") await sayNext(app, store, run);
  return code;
}

/** The process ends and the run waits: what to type, with the question's own name and choices. */
async function sayNext({ terminal }: App, store: Store, run: RunRecord): Promise<void> {
  const open = await store.questions({ run: run.id, state: "open" });
  const [question] = open;
  const meaning = question === undefined || question.options.length === 0 ? "" : `   (${choices(question)})`;
  tellApart(terminal, `answer, then go on: ${nextStep(run, false, open)}${meaning}`);
}
