/**
 * What must hold after a night, however often its program was killed. Each check gives its complaints, one line each; a sound night has none.
 * The letters are the promises: V1 no task is lost, V2 a result stands once, V5 the spend never falls, V6 it ends for a stated reason,
 * V7 one live window, V8 no process is left, V9 no work is deleted.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Report } from "../../src/core/report.ts";
import { eventually } from "../scenario/program.ts";
import { type Ledger, type Row, since } from "./ledger.ts";
import { type Night, type Played, type Snapshot, standing } from "./night.ts";
import type { Ended } from "./program.ts";

export interface Expected {
  /** Windows that a night without deaths has. */
  readonly windows: number;
  /** Starts that were ended by a death. */
  readonly deaths: number;
  readonly questions: readonly string[];
}

type Complaints = readonly string[];

/** All of it, after a night that is over. */
export async function complaintsOf(night: Night, played: Pick<Played, "last" | "snapshots">, expected: Expected): Promise<Complaints> {
  const { code, signal, stderr } = played.last;
  if (code !== 0) return [`it ended with ${code ?? signal}: ${stderr.slice(-2000)}`];
  const ledger = since(night.ledger(), night.earlier);
  return [
    ...checkLedger(ledger),
    ...checkTasks(ledger, night.earlier),
    ...checkWindows(ledger, night, expected),
    ...checkQuestions(ledger, expected),
    ...played.snapshots.flatMap((snapshot) => checkNothingLost({ ...snapshot, ledger: since(snapshot.ledger, night.earlier) }, ledger)),
    ...checkPlan(night, ledger),
    ...checkTree(night),
    ...checkReport(night, played.last, ledger),
    ...(await checkProcesses(night)),
  ];
}

/** Events are numbered without a gap, and nothing is said to be the person's that was ours. */
function checkLedger({ integrity, events, runs }: Ledger): Complaints {
  const [first, ...later] = runs;
  return [
    ...complain(integrity !== "ok", `SQLite says: ${integrity}`),
    ...complain(
      events.some(({ id }, index) => id !== index + 1),
      "the events have gaps",
    ),
    ...complain(
      events.some(({ kind }) => kind === "plan.edited"),
      "our own marks were taken for a person's edit",
    ),
    ...complain(first?.["stop_reason"] !== "finished", `V6: the run ended for ${first?.["stop_reason"]}: ${first?.["stop_detail"]}`),
    // One that was killed after its last word has ended; the same command starts another one, which finds nothing to do.
    ...complain(later.length > 1 || later.some((run) => run["stop_reason"] !== "finished"), `there are ${runs.length} runs`),
  ];
}

function checkTasks({ tasks, moves }: Ledger, earlier: Ledger): Complaints {
  return tasks.flatMap((task) => {
    const stood = earlier.tasks.some(({ key, state }) => key === task["key"] && state === "done") ? 1 : 0;
    const own = moves.filter((move) => move["task"] === task["key"]);
    const count = (name: string) => own.filter((move) => move["move"] === name).length;
    return [
      ...complain(task["state"] !== "done", `V1: ${task["key"]} is ${task["state"]} (${task["reason"]})`),
      ...complain(
        stood + count("close") - count("reopen") !== 1,
        `V2: ${task["key"]} was closed ${count("close")} times and reopened ${count("reopen")} times`,
      ),
      ...complain(
        own.some((move) => move["move"] === "reopen" && move["why"] === ""),
        `${task["key"]} was reopened without a reason`,
      ),
    ];
  });
}

function checkWindows({ windows, events, moves }: Ledger, night: Night, { windows: usual, deaths }: Expected): Complaints {
  const starts = night.acts().filter((act) => act.startsWith("start "));
  const of = (window: Row, kind: string) => events.filter((event) => event["window"] === window["id"] && event["kind"] === kind).length;
  const closed = new Map(
    moves.filter((move) => move["move"] === "close").map((move) => [move["task"], windows.findIndex(({ id }) => id === move["window"])]),
  );
  return [
    ...complain(
      windows.some(({ number }, index) => number !== index + 1),
      "windows have gaps or twins",
    ),
    ...complain(windows.length > usual + deaths, `${windows.length} windows for ${deaths} deaths`),
    ...complain(starts.length > windows.length, `${starts.length} agents for ${windows.length} windows`),
    ...windows.flatMap((window, index) => [
      ...complain(window["state"] !== "ended" || of(window, "window.ended") !== 1, `V7: window ${index + 1} did not end once`),
      ...complain(of(window, "window.opened") !== 1 || of(window, "window.started") > 1, `window ${index + 1} was opened or started twice`),
      ...complain(starts.filter((start) => start.includes(String(window["id"]))).length > 1, `the agent of window ${index + 1} ran twice`),
      ...JSON.parse(String(window["tasks"]))
        .filter((key: string) => (closed.get(key) ?? index) < index)
        .map((key: string) => `V2: window ${index + 1} was told ${key}, which was done`),
    ]),
  ];
}

/** Those about a lock file of a killed git are the person's to mend, and are not counted. */
function checkQuestions({ questions }: Ledger, { questions: usual }: Expected): Complaints {
  const asked = questions.filter(({ source, text }) => source !== "ground" || !/\.lock/.test(String(text))).map(({ text }) => text);
  return [
    ...complain(JSON.stringify(asked) !== JSON.stringify(usual), `it asked: ${asked.join("; ")}`),
    ...questions.filter(({ state }) => state !== "answered").map(({ text }) => `never answered: ${text}`),
  ];
}

/** What stood in the store at the death stands there at the end, and what the agent was told is in it. */
function checkNothingLost({ ledger: left, acts }: Snapshot, ledger: Ledger): Complaints {
  const told = acts.filter((act) => act.startsWith("verified ")).map((act) => act.slice("verified ".length));
  const kept = (["moves", "claims", "events"] as const).filter(
    (table) => JSON.stringify(left[table]) !== JSON.stringify(ledger[table].slice(0, left[table].length)),
  );
  const spent = (of: Ledger) => Number(JSON.parse(String(of.runs[0]?.["state"] ?? "{}")).spentMicroUsd ?? 0);
  return [
    ...complain(left.integrity !== "ok", `after the death SQLite says: ${left.integrity}`),
    ...told
      .filter((key) => !left.moves.some((move) => move["task"] === key && move["move"] === "close"))
      .map((key) => `V2: ${key} was said to be verified, and is not in the store`),
    ...kept.map((table) => `V1: ${table} that were recorded have changed`),
    ...complain(spent(ledger) < spent(left), "V5: the spend has fallen"),
  ];
}

function checkPlan({ repo, plan }: Night, { tasks }: Ledger): Complaints {
  const text = readFileSync(join(repo.path, "tasks.md"), "utf8");
  const unmarked = (of: string) => of.replace(/- \[[ x]\]/g, "- [ ]");
  return [
    ...complain(unmarked(text) !== unmarked(plan), `the plan has changed beside its marks: ${JSON.stringify(text)}`),
    ...tasks
      .filter(({ key, state }) => text.includes(`[x] ${key} `) !== (state === "done"))
      .map(({ key, state }) => `${key} is ${state} and the plan says otherwise`),
  ];
}

/** Branches, stash and the checked-out branch are as they were; what came to them are the agent's commits, each once; nothing of ours lies about. */
function checkTree(night: Night): Complaints {
  const { repo, before } = night;
  const { head, ...after } = standing(repo);
  const { head: base, ...earlier } = before;
  const commits = repo.git("log", "--format=%s", `${base}..${head}`).split("\n");
  const made = night.acts().flatMap((act) => (act.startsWith("commit ") ? [act.slice("commit ".length)] : []));
  const dirt = repo
    .git("status", "--porcelain", "--untracked-files=all")
    .trim()
    .split("\n")
    .filter((line) => !/^ ?M tasks\.md$/.test(line) && line !== "");
  const state = readdirSync(join(night.folder, "state/midwatch"));
  const ours = [...readdirSync(repo.path), ...readdirSync(join(repo.path, ".midwatch")), ...state].filter((name) =>
    /\.tmp$|\.new$|^probe/.test(name),
  );
  return [
    ...complain(JSON.stringify(after) !== JSON.stringify(earlier), `V9: branches or stash have changed: ${JSON.stringify(after)}`),
    ...complain(new Set(commits).size !== commits.length, `a commit was made twice: ${commits.join(", ")}`),
    ...complain(
      repo.git("log", "--format=%s", "--walk-reflogs", "HEAD").split("\n").slice(0, commits.length).join() !== commits.join(),
      "HEAD was moved by somebody else",
    ),
    ...made.filter((one) => !commits.some((subject) => subject.endsWith(one))).map((one) => `V9: the commit ${one} is gone`),
    ...dirt.map((line) => `left in the tree: ${line}`),
    ...ours.map((name) => `left behind: ${name}`),
  ];
}

function checkReport({ repo, before }: Night, { stdout }: Ended, { runs, windows }: Ledger): Complaints {
  const line = stdout.trim().split("\n").at(-1) ?? "";
  if (!line.startsWith('{"kind":"result"')) return ["there is no report"];
  const { report } = JSON.parse(line) as { report: Report };
  if (runs.length > 1)
    return complain(report.tasks.open + report.tasks.failed + report.tasks.blocked > 0, "the report of the second run disagrees");
  const { head } = standing(repo);
  const commits = Number(repo.git("rev-list", "--count", `${before.head}..${head}`));
  const told = report.windows.reduce((sum, window) => sum + window.commits, 0);
  return [
    ...complain(JSON.parse(String(windows.at(-1)?.["result"])).head !== head, "the last window ended at another commit than git"),
    ...complain(told !== commits, `the report tells ${told} commits, git ${commits}`),
  ];
}

/** Ten seconds are granted; the kernel needs a moment for what was killed. */
async function checkProcesses(night: Night): Promise<Complaints> {
  try {
    await eventually(() => night.living().length === 0, "the end of every process");
    return [];
  } catch {
    return [`V8: still alive: ${night.living().join(", ")}`];
  }
}

function complain(isWrong: boolean, text: string): Complaints {
  return isWrong ? [text] : [];
}
