/** What the next window's prompt is made of, gathered from the store and the tree. */
import { maxNoteBytes, readNote } from "../core/handoff-note.ts";
import type { BoardFacts, PromptFacts } from "../core/prompt.ts";
import { planStanding } from "../core/standing.ts";
import type { Task } from "../core/task.ts";
import type { WindowRecord } from "../ports/store.ts";
import { type RunContext, treePath } from "./context.ts";
import { readPlanText } from "./plan-file.ts";
import type { WindowPlan } from "./window.ts";

const answersShown = 10;
const journalShown = 10;

export async function gatherPrompt(context: RunContext, window: WindowRecord, plan: WindowPlan): Promise<PromptFacts> {
  const { ports, run, settings } = context;
  const assigned = window.tasks.flatMap((key) => plan.tasks.find((task) => task.key === key) ?? []);
  const answered = await ports.store.questions({ run, state: "answered" });
  const repeated = settings.plan.kind === "prompt" ? await readPlanText(context) : null;
  const journal = settings.plan.kind === "prompt" ? await ports.store.recentEvents(run, "journal.noted", journalShown) : [];
  return {
    windowNumber: window.number,
    taskLimit: window.taskLimit,
    tasks: assigned,
    openTasks: planStanding(plan.tasks).open,
    planPath: settings.plan.kind === "board" ? null : settings.plan.path,
    board: settings.plan.kind === "board" ? await boardFacts(context, window, assigned) : null,
    handoffPath: settings.handoff,
    lastNote: await lastNote(context),
    tell: plan.tell,
    answers: answered
      .filter((question) => question.source === "agent" || question.source === "note")
      .slice(-answersShown)
      .map(({ text, answer, answeredBy }) => ({ question: text, answer: answer ?? "", by: answeredBy ?? "person" })),
    journal: journal.map(({ data }) => String(data["text"] ?? "")),
    nudge: plan.nudge,
    repeated: repeated === null ? null : repeated.kind === "read" ? repeated.text : "",
    hasDoor: true,
  };
}

async function boardFacts({ ports, run, settings }: RunContext, window: WindowRecord, assigned: readonly Task[]): Promise<BoardFacts> {
  const { boards, teams } = ports.store;
  const board = await boards.ofRun(run);
  const needs = [...new Set(assigned.flatMap(({ dependsOn }) => dependsOn))];
  const [members, messages, done] = await Promise.all([teams.members(board.id), teams.told(window.id), teams.donePlaces(board.id, needs)]);
  const mine = ports.workspace.location.top;
  return {
    member: settings.member ?? null,
    teammates: members.filter((one) => one.run !== run && one.activity !== "gone"),
    messages,
    // What was done in this worktree is here.
    done: done.filter(({ worktree }) => worktree !== mine),
  };
}

async function lastNote(context: RunContext): Promise<string> {
  const reading = readNote(await context.ports.files.readNote(treePath(context, context.settings.handoff), maxNoteBytes), null);
  return reading.kind === "note"
    ? [`NEXT ${reading.note.next}`, reading.note.body].filter((line) => line !== "NEXT " && line !== "").join("\n")
    : "";
}
