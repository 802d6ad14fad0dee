/** A short night, write by write, over any store. */
import { leaseFrom } from "../../src/core/batch/lease.ts";
import { type QuestionId, questionId, type RunId, runId, taskKey, type WindowId, windowId } from "../../src/core/ids.ts";
import { freshRunState } from "../../src/core/run-state.ts";
import type { Store } from "../../src/ports/store.ts";
import { change, close, closing, draft, launch, newRun, newWindow, planned, settings, supervisor } from "./store-samples.ts";

const run: RunId = runId("run-1");
const window: WindowId = windowId("window-1");
const question: QuestionId = questionId("Q1");
const evidence = [{ criterion: "npm test", verdict: "holds", detail: "exit 0", durationMs: 5, commit: "d4e5f6" }] as const;

/** The board of the repository, and a run that works on it. */
const board = 2;
const mate: RunId = runId("run-2");
const lease = (wallMs: number) => leaseFrom({ wallMs, bootMs: wallMs, bootId: "boot-1" }, 120_000);

/** Every method that writes, once or more. */
export const night: readonly ((store: Store) => Promise<unknown>)[] = [
  (store) => store.createRun(newRun(), 1000),
  (store) => store.syncTasks(run, [planned("T1"), planned("T2"), planned("T3")], [], [], 1001),
  (store) => store.setPlanText(run, "- [ ] T1\n", 1002),
  (store) => store.setSettings(run, { ...settings, leftovers: "next-window" }, 1003),
  (store) => store.setDecision(run, freshRunState, launch, 1004),
  (store) => store.openWindow(newWindow(), 2000),
  (store) => store.startWindow(window, supervisor, 2001),
  (store) => store.appendEvents(run, [{ kind: "agent.acted", window, data: { what: "Bash" } }], 2002),
  (store) =>
    store.recordClaim(
      { run, window, task: taskKey("T1"), evidence, findings: [], commit: "d4e5f6", change: close("T1"), refusal: "" },
      2003,
    ),
  (store) =>
    store.recordClaim({ run, window, task: taskKey("T2"), evidence: [], findings: [], commit: "", change: null, refusal: "not yet" }, 2004),
  (store) => store.endWindow(closing({ attempts: [taskKey("T2")], changes: [change("T3", "fail", { reason: "no" })] }), 3000),
  (store) => store.ask(run, null, draft({ task: taskKey("T2") }), 3001, () => ({ kind: "pause", tell: [] })),
  (store) => store.setPhase(run, "waiting-person", [], 3002),
  (store) => store.answer(question, "red", "person", 3500),
  (store) => store.setPhase(run, "running", [], 3501),
  (store) => store.changeTasks(run, [change("T3", "retry", { by: "person" })], [], 3502),
  (store) => store.setRequest(run, "stop-now", 3503),
  (store) => store.setSupervisor(run, null, 3504),
  (store) => store.boards.put("/home/ana/shop/.git", [planned("B1"), planned("B2")], { by: "person", changes: [] }, 3600),
  (store) =>
    store.createRun(newRun("run-2", { worktree: "/home/ana/bob", settings: { ...settings, plan: { kind: "board", path: "" } } }), 3601),
  (store) => store.teams.join(mate, { name: "bob", role: "coder", team: "crew" }, 3602),
  (store) => store.teams.setActivity(mate, "idle", 0, 3603),
  (store) => store.teams.tell(board, { member: "bob", sender: "person", text: "B1 first" }, 3604),
  (store) => store.claimTask({ run: mate, window: null, by: "bob", lease: lease(3605) }, { wallMs: 3605, bootMs: 3605, bootId: "boot-1" }),
  (store) => store.renewTasks(mate, lease(3606)),
  (store) => store.releaseTasks(mate, "its supervisor died", 3607),
  (store) => store.boards.move(board, [change("B2", "block", { reason: "later", by: "person" })], 3608),
  (store) => store.endRun(run, { reason: "stopped", detail: "a person said stop" }, 4000),
  (store) => store.prune(2000),
];

/** Everything that a store can tell about it, as text. */
export async function readNight(store: Store): Promise<string> {
  const all = [
    store.runs({ limit: 99 }),
    store.windows(run),
    store.tasks(run),
    store.evidence(run),
    store.questions({}),
    store.planText(run),
    store.eventsAfter(run, 0, 9999),
    store.closedIn(window),
    store.refusedIn(window),
    store.recentEvents(run, "agent.acted", 9999),
    store.boards.tasks(board),
    store.boards.history(board),
    store.teams.members(board),
    store.teams.unread(mate),
    store.eventsAfter(mate, 0, 9999),
  ];
  return JSON.stringify(await Promise.all(all));
}
