/** The families of statements joined to the port. Everything inside is synchronous; a fault comes out as a rejection. */
import type { Store } from "../../../ports/store.ts";
import type { AnswerFiles } from "./answers.ts";
import type { ArchivePlace } from "./archive-file.ts";
import { joinBatches } from "./batch.ts";
import { joinArchive } from "./batch-archive.ts";
import { joinBoards } from "./boards.ts";
import { closedIn, countReturns, lastAccepted, listEvidence, listFindings, recordClaim, refusedIn } from "./claims.ts";
import { endRun, setDecision, setPhase } from "./course.ts";
import type { Database } from "./database.ts";
import { addEvents, eventsAfter, recentEvents } from "./events.ts";
import { joinLedger } from "./ledger.ts";
import { planText, setPlanText } from "./plans.ts";
import { answer, ask, findQuestion, listQuestions } from "./questions.ts";
import { prune } from "./retention.ts";
import { createRun, findRun, listRuns, readRequest, setRequest, setSettings, setSupervisor } from "./runs.ts";
import { syncTasks } from "./sync-tasks.ts";
import { claimTask, releaseTasks, renewTasks, startCheck } from "./task-claims.ts";
import { changeTasks, listTasks } from "./tasks.ts";
import { joinTeams } from "./team.ts";
import { endWindow, listWindows, openWindow, openWindowOf, startWindow } from "./windows.ts";

/** @param archive  null = there is no folder: a store in memory */
export function joinStore(db: Database, files: AnswerFiles, archive: ArchivePlace | null = null): Store {
  return {
    ledger: joinLedger(db, files),
    batches: joinBatches(db, files),
    archive: joinArchive(db, files, archive),
    boards: joinBoards(db),
    teams: joinTeams(db),

    createRun: async (run, now) => createRun(db, run, now),
    run: async (id) => db.read(() => findRun(db, id)),
    runs: async (filter) => db.read(() => listRuns(db, filter)),
    setSettings: async (run, settings, now) => setSettings(db, run, settings, now),
    setSupervisor: async (run, supervisor, now) => setSupervisor(db, run, supervisor, now),
    setPhase: async (run, phase, events, now) => setPhase(db, run, phase, events, now),
    setDecision: async (run, state, decision, now) => setDecision(db, run, state, decision, now),
    endRun: async (run, stop, now) => endRun(db, run, stop, now),
    setRequest: async (run, request, now) => setRequest(db, run, request, now),
    request: async (run) => db.read(() => readRequest(db, run)),

    openWindow: async (window, now) => openWindow(db, window, now),
    startWindow: async (window, process, now) => startWindow(db, window, process, now),
    endWindow: async (closing, now) => endWindow(db, closing, now),
    windows: async (run) => db.read(() => listWindows(db, run)),
    openWindowOf: async (run) => db.read(() => openWindowOf(db, run)),
    closedIn: async (window) => db.read(() => closedIn(db, window)),
    refusedIn: async (window) => db.read(() => refusedIn(db, window)),

    tasks: async (run) => db.read(() => listTasks(db, run)),
    syncTasks: async (run, planned, changes, events, now) => syncTasks(db, run, planned, changes, events, now),
    returnsOf: async (run, task) => db.read(() => countReturns(db, run, task)),
    claimTask: async (claim, moment) => claimTask(db, claim, moment),
    renewTasks: async (run, lease) => renewTasks(db, run, lease),
    releaseTasks: async (run, reason, now) => releaseTasks(db, run, reason, now),
    startCheck: async (run, window, claim, now) => startCheck(db, run, window, claim, now),
    recordClaim: async (claim, now) => recordClaim(db, claim, now),
    changeTasks: async (run, changes, events, now) => changeTasks(db, run, changes, events, now),
    evidence: async (run) => db.read(() => listEvidence(db, run)),
    findings: async (run) => db.read(() => listFindings(db, run)),
    lastAccepted: async (run) => db.read(() => lastAccepted(db, run)),
    planText: async (run) => db.read(() => planText(db, run)),
    setPlanText: async (run, text, now) => setPlanText(db, run, text, now),

    ask: async (run, window, draft, now, decisionAfter) => ask(db, { run, window, draft, now, decisionAfter }),
    question: async (id) => db.read(() => findQuestion(db, id)),
    answer: async (id, said, by, now) => answer(db, id, said, by, now),
    questions: async (filter) => db.read(() => listQuestions(db, filter)),

    appendEvents: async (run, events, now) => db.write("appendEvents", "ordinary", () => addEvents(db, run, events, now)),
    eventsAfter: async (run, after, limit) => db.read(() => eventsAfter(db, run, after, limit)),
    recentEvents: async (run, kind, limit) => db.read(() => recentEvents(db, run, kind, limit)),
    prune: async (before) => prune(db, files, before),
    close: async () => db.close(),
  };
}
