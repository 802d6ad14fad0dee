/** `midwatch report`: what the night brought. */
import { MidwatchError } from "../core/error.ts";
import { describeFigures } from "../core/evidence.ts";
import { runId } from "../core/ids.ts";
import { describeFinding } from "../core/integrity/finding.ts";
import { committedMicroUsd } from "../core/money/cap.ts";
import type { Report, ReportTask, ReportWindow, Spread } from "../core/report.ts";
import { describeSandbox } from "../core/sandbox/run-sandbox.ts";
import { answerTo } from "../engine/people.ts";
import { runReport } from "../engine/report.ts";
import type { RunRecord, Store } from "../ports/store.ts";
import type { App } from "./app.ts";
import { existingStore, type JsonOption, withRun } from "./command.ts";
import { columns, cut, labelled, showLines } from "./layout.ts";
import { count, duration, json, money, type Paint, painter, plain, someOf, spending } from "./print.ts";
import { questionLines } from "./question-text.ts";
import { answererWords, doneWords } from "./words.ts";

export async function reportCommand(app: App, options: JsonOption & { readonly run?: string }): Promise<number> {
  const make = (store: Store, run: RunRecord) => runReport(store, run, app.clock.now());
  const report = await (options.run === undefined ? withRun(app, make) : withNamed(app, options.run, make));
  if (options.json) app.terminal.out(json(report));
  else printReport(app, report);
  return 0;
}

async function withNamed<T>(app: App, id: string, work: (store: Store, run: RunRecord) => Promise<T>): Promise<T> {
  const store = await existingStore(app);
  try {
    const run = await store.run(runId(id));
    if (run !== null) return await work(store, run);
    throw new MidwatchError("usage", "E_RUN_UNKNOWN", `there is no run ${id}`, {
      hint: "see those of this tree with: midwatch status --all",
    });
  } finally {
    await store.close();
  }
}

/** @param shown.stop  the live view has just said why it stopped */
export function printReport({ terminal, clock }: App, report: Report, shown: { readonly stop: boolean } = { stop: false }): void {
  const paint = painter(terminal);
  const parts = [
    headLines(report, paint, shown.stop),
    taskLines(report, paint),
    readFirstLines(report, paint),
    windowLines(report, paint),
    attemptLines(report, paint),
    figureLines(report),
    questionPart(report, clock.now(), paint),
  ];
  const lines = parts.filter((part) => part.length > 0).flatMap((part, index) => (index === 0 ? part : ["", ...part]));
  showLines(terminal, lines, 6);
}

function headLines(report: Report, paint: Paint, stopIsShown: boolean): readonly string[] {
  const { tasks } = report;
  const done = tasks.verified + tasks.claimed + tasks.byPerson;
  const kinds = counted([
    [tasks.verified, "verified"],
    [tasks.claimed, "claimed, unchecked"],
    [tasks.byPerson, "by a person"],
    [tasks.open, "open"],
    [tasks.blocked, "blocked"],
    [tasks.failed, "failed"],
  ]);
  const stop =
    report.stopReason === null
      ? `not over yet${phaseWords[report.phase] ?? ""}`
      : `${paint("bold", `stop: ${report.stopReason}`)}  ${plain(report.stopDetail)}`;
  const waited = counted(
    [
      [report.workMs, "at work"],
      [report.waitedPersonMs, "waiting for a person"],
      [report.waitedProviderMs, "waiting for the provider"],
    ],
    duration,
  );
  return [
    `${paint("bold", `${done}/${tasks.total} tasks done`)}${kinds === "" ? "" : `: ${kinds}`}`,
    ...(stopIsShown ? [] : [stop]),
    `${count(report.windows.length, "window")}, ${spending(report.spentMicroUsd, report.capMicroUsd, report.unknownCostWindows)}`,
    `${duration(report.wallMs)} in all${waited === "" ? "" : `: ${waited}`}`,
  ];
}

const phaseWords: Readonly<Record<string, string>> = {
  "waiting-person": ": it waits for a person",
  "waiting-provider": ": it waits for the provider",
  paused: ": a person paused it",
};

/** Only what there is any of. */
function counted(parts: readonly (readonly [number: number, what: string])[], format: (number: number) => string = String): string {
  return parts.flatMap(([number, what]) => (number === 0 ? [] : [`${format(number)} ${what}`])).join(", ");
}

function taskLines({ tasks }: Report, paint: Paint): readonly string[] {
  const rows = columns(tasks.list.map((task) => taskCells(task, paint)));
  return tasks.list.flatMap((task, index) => [`  ${rows[index] ?? ""}`, ...measuredLines(task, paint)]);
}

function taskCells({ key, title, state, doneBy, reason }: ReportTask, paint: Paint): readonly string[] {
  const words = state === "done" ? paint("green", doneWords(doneBy ?? "done")) : state === "failed" ? paint("red", state) : state;
  return [plain(key), words, `${plain(title)}${reason === "" ? "" : `  (${plain(reason)})`}`];
}

/** Of what its last claim was measured by: figures, and what did not hold. */
function measuredLines({ evidence }: ReportTask, paint: Paint): readonly string[] {
  return evidence
    .filter(({ verdict, figures }) => verdict !== "holds" || figures !== undefined)
    .map(({ criterion, verdict, figures, countsFrom }) => {
      const from = countsFrom === undefined ? "" : `, counts from window ${countsFrom} on`;
      const words = verdict === "holds" ? "" : `${verdict === "fails" ? "fails" : "cannot be told"}${from}`;
      return `      ${paint("dim", `${cut(plain(criterion), 100)}: ${joined(words, describeFigures(figures))}`)}`;
    });
}

/** More than that nobody reads first. */
const mostRemarks = 20;

function readFirstLines({ readFirst }: Report, paint: Paint): readonly string[] {
  if (readFirst.length === 0) return [];
  const shown = readFirst.slice(0, mostRemarks).map((one) => `  ${plain(one.task)}  ${plain(describeFinding(one))}`);
  const left = readFirst.length - shown.length;
  return [paint("bold", "read first"), ...shown, ...(left > 0 ? [`  and ${left} more: midwatch report --json`] : [])];
}

function attemptLines({ attempts }: Report, paint: Paint): readonly string[] {
  if (attempts.length === 0) return [];
  const shown = attempts.slice(0, mostRemarks).map(({ window, what, reason, denied, times }) => {
    const how = denied ? "denied" : "shown, not asked about; a guard would have said";
    return `  ${window === null ? "" : `w${window}  `}${plain(what)} ${how}${times > 1 ? `, ${times} times` : ""}: ${cut(plain(reason), 160)}`;
  });
  const left = attempts.length - shown.length;
  return [paint("bold", "tried, and must not be done"), ...shown, ...(left > 0 ? [`  and ${left} more: midwatch report --json`] : [])];
}

function windowLines({ windows }: Report, paint: Paint): readonly string[] {
  const rows = columns(windows.map((window) => windowCells(window, paint)));
  return windows.flatMap((window, index) => [
    `  ${rows[index] ?? ""}`,
    ...window.notes.map((note) => `      ${paint("dim", plain(note))}`),
    ...(window.end === "failed" && window.exit !== "stopped" ? [`      ${paint("dim", `log: ${window.logPath}`)}`] : []),
  ]);
}

function windowCells(window: ReportWindow, paint: Paint): readonly string[] {
  return [
    `w${window.number}`,
    paint(window.end === "good" ? "green" : "yellow", window.exit),
    window.tasksClosed.length === 0 ? "-" : window.tasksClosed.map(plain).join(","),
    count(window.commits, "commit"),
    window.costMicroUsd === null ? "cost unknown" : money(window.costMicroUsd),
    duration(window.durationMs),
    joined(window.counted ? "" : "not counted", window.detail === window.exit ? "" : plain(window.detail)),
  ];
}

function figureLines(report: Report): readonly string[] {
  const { questions, byPerson, byDefault, byStartingAgain, open } = report.interventions;
  const answers = counted([
    [byPerson, "answered by a person"],
    [byDefault, "by default"],
    [byStartingAgain, "by starting the run again"],
    [open, "open"],
  ]);
  const { perTask, window } = report;
  return labelled([
    [
      "per task",
      joined(
        spreadText(perTask.minutes, (minutes) => duration(minutes * 60_000)),
        spreadText(perTask.costMicroUsd, money),
      ),
    ],
    ["per window", joined(spreadText(window.durationMs, duration), spreadText(window.costMicroUsd, money))],
    ["context", window.contextTokens === null ? "" : `${spreadText(window.contextTokens, (tokens) => `${Math.round(tokens)}`)} tokens`],
    ["calls", callWords(report)],
    ["window cap", capWords(report)],
    ["guards", report.guard === "none" ? `none: ${plain(report.agent)} ran UNGUARDED, nothing of ours stood before what it did` : ""],
    ["repository", repositoryWords(report)],
    ["sandbox", plain(describeSandbox(report.sandbox))],
    ["people", questions === 0 ? "" : `${count(questions, "question")}: ${answers}`],
    ["not measured", report.notMeasured.join(", ")],
  ]);
}

/** What it brought for agents. */
function repositoryWords({ repositorySettings: brought }: Report): string {
  if (brought === null) return "";
  const { how, files, changed } = brought;
  return joined(
    files.length === 0
      ? ""
      : `its settings for agents ${how === "ignored" ? "were NOT in effect" : "were approved"}: ${someOf(files.map(plain))}`,
    changed.length === 0 ? "" : `changed in the run: ${someOf(changed.map(plain))}; look at them with: midwatch trust`,
  );
}

/** By the ledger, and beside it what the agent says of itself. */
function callWords({ booked }: Report): string {
  if (booked === null) return "";
  const most = money(committedMicroUsd(booked));
  return joined(
    `${count(booked.calls, "call")} booked, ${money(booked.spentMicroUsd)}`,
    booked.unknown === 0 ? "" : `${booked.unknown} of unknown cost: at most ${most} in all (midwatch ledger list --state unknown)`,
    booked.reportedMicroUsd === null ? "" : `the agent's own figure: ${money(booked.reportedMicroUsd)}`,
  );
}

/** Without a gateway between agent and provider nobody stops a response that has begun; a program without a cap of its own is stopped by nothing at all. */
function capWords({ guard, overshoots, windowCapMicroUsd, booked, windows }: Report): string {
  if (booked !== null && booked.windows === windows.length) return joined(money(windowCapMicroUsd), "held in flight by the gateway");
  const how = guard === "none" ? "counted when a window has ended: nothing stops it in flight" : "may be passed by one response";
  const passed = overshoots.map(({ window, overMicroUsd }) => `w${window} by ${money(overMicroUsd)}`).join(", ");
  return joined(money(windowCapMicroUsd), how, passed === "" ? "" : `passed: ${passed}`);
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("; ");
}

/** Answered ones in a line; one that is still to be answered as a whole, with the command that does it. */
function questionPart({ questions, phase }: Report, now: number, paint: Paint): readonly string[] {
  return questions.flatMap((question) => {
    if (question.answer === null && phase !== "ended") return [...questionLines(question, now, paint), `    answer: ${answerTo(question)}`];
    const answer = question.answer === null ? "not answered" : `${plain(question.answer)} (${answererWords(question.answeredBy ?? "")})`;
    return [`${paint("cyan", question.id)}  ${plain(question.text)} -> ${answer}`];
  });
}

/** Empty without a sample. */
function spreadText(spread: Spread | null, format: (value: number) => string): string {
  if (spread === null) return "";
  const middle = format(spread.median);
  return spread.min === spread.max ? middle : `median ${middle} (${format(spread.min)} to ${format(spread.max)}, n=${spread.n})`;
}
