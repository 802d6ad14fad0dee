/** The policy of a run as a table: one row a rule, every pair of rules in its order, and what each decision carries along. docs/spec/run.md, "The decision" */
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { type Decision, decide } from "../../src/core/decide.ts";
import type { NoteReading } from "../../src/core/handoff-note.ts";
import type { WindowOutcome } from "../../src/core/outcome.ts";
import { freshRunState, type RunLimits, type RunState } from "../../src/core/run-state.ts";
import { dollar, inShort, limits, noteOf, now, plan, worked } from "./sample-window.ts";

type Row = [sentence: string, state: Partial<RunState>, outcome: Partial<WindowOutcome>, decision: string];

const decideOn = (state: Partial<RunState>, outcome: Partial<WindowOutcome>, change: Partial<RunLimits> = {}): Decision =>
  decide({ ...freshRunState, ...state }, { ...limits, ...change }, { ...worked, ...outcome })[1];
const stateAfter = (state: Partial<RunState>, outcome: Partial<WindowOutcome>): RunState =>
  decide({ ...freshRunState, ...state }, limits, { ...worked, ...outcome })[0];

const malformed: NoteReading = { kind: "malformed", reason: "line 1 is no STATUS", rawLines: ["Status: done", "next up: T-5"] };
const question: Partial<WindowOutcome> = { note: noteOf({ status: "awaiting-human", question: "Ship it?" }) };
const blocked: Partial<WindowOutcome> = { note: noteOf({ status: "blocked", question: "Which port?" }) };
const failed: Partial<WindowOutcome> = { end: { kind: "failed", detail: "idle clock" }, tasksClosed: 0 };
const signIn: Partial<WindowOutcome> = { end: { kind: "needs-person", detail: "sign in again" } };
const limited: Partial<WindowOutcome> = { end: { kind: "limited", detail: "5-hour limit", untilAt: now + 3_600_000 } };
const outage: Partial<WindowOutcome> = { end: { kind: "outage", detail: "529 overloaded" } };
const codeOnly: Partial<WindowOutcome> = { tasksClosed: 0 };
const idle: Partial<WindowOutcome> = { tasksClosed: 0, codeChanged: false, progress: false };
const silent: Partial<WindowOutcome> = { ...idle, toolCalls: 0, note: { kind: "unchanged" } };
const refused: Partial<WindowOutcome> = { note: noteOf({ status: "done" }), doneRefused: "3 tasks are open" };
const allDone = plan({ open: 0, done: 9 });

describe("each rule", () => {
  test.each<Row>([
    ["a window that closed a task is followed by the next", {}, {}, "launch"],
    ["a plan with no open task is finished", {}, { plan: allDone }, "stop finished"],
    ["a finish needs no DONE in the note", {}, { plan: allDone, note: { kind: "unchanged" } }, "stop finished"],
    ["a DONE that agrees with the list is finished", {}, { plan: allDone, note: noteOf({ status: "done" }) }, "stop finished"],
    [
      "a plan that is left with failed tasks alone is finished with failures",
      {},
      { plan: plan({ open: 0, done: 7, failed: 2 }) },
      "stop finished-with-failures",
    ],
    [
      "a plan of failed tasks only is finished with failures",
      {},
      { plan: plan({ open: 0, done: 0, failed: 9 }) },
      "stop finished-with-failures",
    ],
    ["a failed task does not end a run with open ones", {}, { plan: plan({ failed: 2 }) }, "launch"],
    ["a task that waits for an answer is no finish", {}, { plan: plan({ open: 0, waiting: 1, done: 8 }) }, "await-answers"],
    ["a note that asks keeps a finished plan from ending", {}, { plan: allDone, ...question }, "ask agent"],
    ["a note that is blocked keeps a finished plan from ending", {}, { plan: allDone, ...blocked }, "ask agent"],
    ["a person's stop after this window ends the run", {}, { request: "stop-after-window" }, "stop stopped"],
    ["a person's stop now ends the run", {}, { request: "stop-now" }, "stop stopped"],
    ["AWAITING-HUMAN asks the person", {}, question, "ask agent"],
    ["BLOCKED asks the person", {}, blocked, "ask agent"],
    ["a sign-in that ran out asks the person", {}, signIn, "ask provider"],
    ["committed conflict markers ask the person", {}, { conflictMarkers: ["src/a.ts"] }, "ask conflict-markers"],
    ["tasks that all wait for answers are waited for", {}, { plan: plan({ open: 0, waiting: 3 }) }, "await-answers"],
    ["one task that can be worked is worked while others wait", {}, { plan: plan({ open: 1, waiting: 3 }) }, "launch"],
    ["money that reaches the cap stops the run", { spentMicroUsd: 149 * dollar }, { costMicroUsd: dollar }, "stop money"],
    ["money beyond the cap stops the run", { spentMicroUsd: 149 * dollar }, { costMicroUsd: 5 * dollar }, "stop money"],
    ["money a millionth below the cap does not stop the run", { spentMicroUsd: 149 * dollar }, { costMicroUsd: dollar - 1 }, "launch"],
    ["a cap that outlasts the window stops the run", {}, { capped: "the cap of the day is reached" }, "stop money"],
    ["the floor of an unknown cost reaches the cap too", { spentMicroUsd: 148 * dollar }, { costMicroUsd: null }, "stop money"],
    ["the third window of unknown cost asks the person", { unknownCostWindows: 2 }, { costMicroUsd: null }, "ask unknown-cost"],
    ["the second window of unknown cost asks nobody", { unknownCostWindows: 1 }, { costMicroUsd: null }, "launch"],
    ["a provider's limit is waited for", {}, limited, "wait limit"],
    ["a provider's limit of unknown end is waited for", {}, { end: { kind: "limited", detail: "limit", untilAt: null } }, "wait limit"],
    ["an outage is waited for", {}, outage, "wait outage"],
    ["one failed window is followed by the next", {}, failed, "launch"],
    ["the second failed window in a row stops the run", { failedInARow: 1 }, failed, "stop failing"],
    ["a failed window with code commits is a failed window", { failedInARow: 1 }, { ...failed, codeChanged: true }, "stop failing"],
    ["a failed window that closed a task is no failure", { failedInARow: 1 }, { ...failed, tasksClosed: 1 }, "launch"],
    ["one malformed note is followed by the next window", {}, { note: malformed }, "launch"],
    ["the second malformed note in a row asks the person", { noteTroubleInARow: 1 }, { note: malformed }, "ask note"],
    ["one refused DONE is followed by the next window (B024)", {}, refused, "launch"],
    ["the second refused DONE in a row asks the person", { noteTroubleInARow: 1 }, refused, "ask note"],
    ["one idle window is followed by the next", {}, idle, "launch"],
    ["the second idle window in a row stops the run", { idleInARow: 1 }, idle, "stop stalled"],
    ["an idle window after code is the first one", { withoutTaskInARow: 1 }, idle, "launch"],
    ["the second window with code and no task is followed by the next", { withoutTaskInARow: 1 }, codeOnly, "launch"],
    ["the third window with code and no task stops the run", { withoutTaskInARow: 2 }, codeOnly, "stop no-task"],
    ["a closed task after two windows with code is followed by the next", { withoutTaskInARow: 2 }, {}, "launch"],
    ["the fortieth window is the last", { windows: 39 }, {}, "stop windows"],
    ["the thirty-ninth window is not the last", { windows: 38 }, {}, "launch"],
    ["work that is finished in the last allowed window is finished (B028)", { windows: 39 }, { plan: allDone }, "stop finished"],
    ["work that is finished with the last cent is finished", { spentMicroUsd: 149 * dollar }, { plan: allDone }, "stop finished"],
    [
      "work that is finished in a failed window is finished",
      { failedInARow: 1 },
      { ...failed, tasksClosed: 1, plan: allDone },
      "stop finished",
    ],
    ["a person's pause is kept", {}, { request: "pause" }, "pause"],
    ["a window at its cap ended well", { failedInARow: 1 }, { ...codeOnly, end: { kind: "good", detail: "window cap" } }, "launch"],
    ["a window with a full context ended well", { failedInARow: 1 }, { ...codeOnly, end: { kind: "good", detail: "context" } }, "launch"],
    ["a silent window is nudged", {}, silent, "launch nudge"],
    ["a silent window without any note is nudged", {}, { ...silent, note: { kind: "absent" } }, "launch nudge"],
    ["a window after the nudge that is silent again stops the run", { idleInARow: 1, silentInARow: 1 }, silent, "stop stalled"],
    ["an agent that shows no tool calls is never nudged", {}, { ...silent, toolCalls: null }, "launch"],
    ["an idle window with tool calls is not nudged", {}, { ...silent, toolCalls: 3 }, "launch"],
    ["a window that left a note is not nudged", {}, { ...silent, note: noteOf() }, "launch"],
    ["a window that left a malformed note is not nudged", {}, { ...silent, note: malformed }, "launch"],
    ["a failed window is not nudged", {}, { ...silent, ...failed }, "launch"],
    ["a window with progress is not nudged", {}, { ...worked, toolCalls: 0, note: { kind: "unchanged" } }, "launch"],
  ])("%s", (_sentence, state, outcome, decision) => {
    expect(inShort(decideOn(state, outcome))).toBe(decision);
  });

  test.each<[string, number | null, string]>([
    ["the run's own clock stops it at its minute", now, "stop clock"],
    ["the run's own clock stops it later", now - 1, "stop clock"],
    ["the run's own clock does not stop it before", now + 1, "launch"],
    ["a run without a clock is not stopped by it", null, "launch"],
  ])("%s", (_sentence, deadlineAt, decision) => {
    expect(inShort(decideOn({}, {}, { deadlineAt }))).toBe(decision);
  });

  test("the nudge is given once, also where more idle windows are allowed", () => {
    const patient = { ...limits, idleWindows: 9 };
    const [first, one] = decide(freshRunState, patient, { ...worked, ...silent });
    const [second, two] = decide(first, patient, { ...worked, ...silent });
    const [, three] = decide(second, patient, { ...worked, ...silent });
    expect([one, two, three].map(inShort)).toEqual(["launch nudge", "launch", "launch"]);
  });
});

/** What makes each rule apply, in the order of the policy. Values that two rules set alike do not stand in each other's way. */
interface Cause {
  readonly rule: string;
  readonly state?: Partial<RunState>;
  readonly outcome?: Partial<WindowOutcome>;
  readonly limits?: Partial<RunLimits>;
}
const causes: readonly Cause[] = [
  { rule: "stop finished", outcome: { plan: allDone } },
  { rule: "stop stopped", outcome: { request: "stop-now" } },
  { rule: "ask agent", outcome: question },
  { rule: "ask provider", outcome: signIn },
  { rule: "ask conflict-markers", outcome: { conflictMarkers: ["src/a.ts"] } },
  { rule: "ask secret", outcome: { secrets: ["src/a.ts:3, commit 1a2b3c4d5e: an Anthropic key"] } },
  { rule: "await-answers", outcome: { plan: plan({ open: 0, waiting: 3 }) } },
  { rule: "stop money", state: { spentMicroUsd: 150 * dollar } },
  { rule: "stop money", outcome: { capped: "the cap of the day is reached" } },
  { rule: "ask unknown-cost", state: { unknownCostWindows: 4 }, outcome: { costMicroUsd: null } },
  { rule: "wait limit", outcome: limited },
  { rule: "wait outage", outcome: outage },
  { rule: "stop failing", state: { failedInARow: 1 }, outcome: failed },
  { rule: "ask note", state: { noteTroubleInARow: 1 }, outcome: { note: malformed } },
  { rule: "stop stalled", state: { idleInARow: 1 }, outcome: idle },
  { rule: "stop no-task", state: { withoutTaskInARow: 2 }, outcome: { codeChanged: true, tasksClosed: 0, progress: true } },
  { rule: "stop windows", state: { windows: 39 } },
  { rule: "stop clock", limits: { deadlineAt: now } },
  { rule: "pause", outcome: { request: "pause" } },
  { rule: "launch" },
];
/** The questions of rule 3 have no order among themselves, and a note that asks is no finish. */
const apart = new Set([
  "ask agent>ask provider",
  "ask agent>ask conflict-markers",
  "ask provider>ask conflict-markers",
  "ask agent>ask secret",
  "ask provider>ask secret",
  "ask conflict-markers>ask secret",
  "stop finished>ask agent",
  // What holds markers of a conflict is not finished, whatever its criteria say.
  "stop finished>ask conflict-markers",
  "stop finished>ask secret",
]);
const agree = (one: object = {}, other: object = {}): boolean =>
  Object.entries(one).every(([key, value]) => !(key in other) || isDeepStrictEqual(value, Reflect.get(other, key)));

const pairs = causes.flatMap((first, index) =>
  causes
    .slice(index + 1)
    .filter((second) => agree(first.outcome, second.outcome) && !apart.has(`${first.rule}>${second.rule}`))
    .map((second): [string, string, Cause, Cause] => [first.rule, second.rule, first, second]),
);

describe("the order of the policy", () => {
  test.each(causes.map((cause): [string, Cause] => [cause.rule, cause]))("%s is reached by its cause alone", (rule, cause) => {
    expect(inShort(decideOn(cause.state ?? {}, cause.outcome ?? {}, cause.limits))).toBe(rule);
  });

  test.each(pairs)("%s outranks %s", (rule, _lower, first, second) => {
    const both = decideOn(
      { ...second.state, ...first.state },
      { ...second.outcome, ...first.outcome },
      { ...second.limits, ...first.limits },
    );
    expect(inShort(both)).toBe(rule);
  });

  // Causes that no single window can bring about together: here the counters stand at their limits already.
  test.each<Row>([
    [
      "too many unknown costs outrank a provider's limit",
      { unknownCostWindows: 4 },
      { ...limited, costMicroUsd: null },
      "ask unknown-cost",
    ],
    ["too many unknown costs outrank an outage", { unknownCostWindows: 4 }, { ...outage, costMicroUsd: null }, "ask unknown-cost"],
    ["a provider's limit outranks failed windows", { failedInARow: 2 }, limited, "wait limit"],
    ["an outage outranks failed windows", { failedInARow: 2 }, outage, "wait outage"],
    ["a provider's limit outranks a second malformed note", { noteTroubleInARow: 1 }, { ...limited, note: malformed }, "wait limit"],
    ["an outage outranks a second idle window", { idleInARow: 1 }, { ...outage, ...idle }, "wait outage"],
    ["idle windows outrank windows without a task", { idleInARow: 1, withoutTaskInARow: 3 }, idle, "stop stalled"],
    ["a pause outranks the nudge", {}, { ...silent, request: "pause" }, "pause"],
    ["the limit of windows outranks the nudge", { windows: 39 }, silent, "stop windows"],
    [
      "a stop outranks a question and a full purse",
      { spentMicroUsd: 150 * dollar },
      { ...question, request: "stop-after-window" },
      "stop stopped",
    ],
  ])("%s", (_sentence, state, outcome, decision) => {
    expect(inShort(decideOn(state, outcome))).toBe(decision);
  });

  test("has more than a hundred pairs, and every rule in them", () => {
    expect(pairs.length).toBeGreaterThan(100);
    expect(new Set(pairs.flatMap(([, , first, second]) => [first, second])).size).toBe(causes.length);
  });
});

describe("what a decision carries", () => {
  const all = (decision: Decision): string => JSON.stringify(decision);
  const asked = (decision: Decision) => (decision.kind === "ask" ? decision.question : null);

  test("the note's question is asked as it is, of the whole run, and waits for ever", () => {
    expect(asked(decideOn({}, question))).toMatchObject({ source: "agent", text: "Ship it?", task: null, deadlineAt: null });
  });

  test.each<[string, Partial<RunState>, Partial<WindowOutcome>, string[]]>([
    ["a sign-in is asked for with what the provider said", {}, signIn, ["sign in again"]],
    [
      "a committed secret is asked about with its place",
      {},
      { secrets: ["src/a.ts:3: an Anthropic key", "b"] },
      ["(src/a.ts:3: an Anthropic key and 1 more)", "- b"],
    ],
    ["and with what the agent asked", {}, { secrets: ["a"], ...question }, ["the agent asks: Ship it?"]],
    ["conflict markers are asked about with the files", {}, { conflictMarkers: ["src/a.ts", "b.md"] }, ["src/a.ts", "b.md"]],
    [
      "the second malformed note is asked about with its raw lines and reason",
      { noteTroubleInARow: 1 },
      { note: malformed },
      [...malformed.rawLines, malformed.reason],
    ],
    ["the second refused DONE is asked about with why", { noteTroubleInARow: 1 }, refused, ["3 tasks are open"]],
    ["the next window is told why the note was malformed", {}, { note: malformed }, [malformed.reason]],
    ["the next window is told why DONE was refused", {}, refused, ["3 tasks are open"]],
    ["a failing stop says how the window ended", { failedInARow: 1 }, failed, ["idle clock"]],
  ])("%s", (_sentence, state, outcome, texts) => {
    const said = all(decideOn(state, outcome));
    expect(texts.filter((text) => !said.includes(text))).toEqual([]);
  });

  test("a question has one line of text", () => {
    const decisions = [
      question,
      blocked,
      signIn,
      { conflictMarkers: ["a", "b"] },
      { ...refused, doneRefused: "one\ntwo" },
      { note: malformed },
    ];
    const texts = decisions.map((outcome) => asked(decideOn({ noteTroubleInARow: 1 }, outcome))?.text);
    expect(texts).toEqual(decisions.map(() => expect.stringMatching(/^[^\r\n]+$/)));
  });

  const remarks = ["task T-9 was added to the plan: ignored", "T-4: `npm test` exited with 1"];
  test.each<[string, Partial<WindowOutcome>]>([
    ["launch", {}],
    ["launch nudge", silent],
    ["wait limit", limited],
    ["wait outage", outage],
    ["ask agent", question],
    ["await-answers", { plan: plan({ open: 0, waiting: 1 }) }],
    ["pause", { request: "pause" }],
  ])("%s takes the remarks to the next window", (rule, change) => {
    const decision = decideOn({}, { ...change, remarks });
    expect([inShort(decision), decision.kind === "stop" ? [] : decision.tell]).toEqual([rule, expect.arrayContaining(remarks)]);
  });

  const lastText = "Shall I go on with T-12?";
  test.each<[string, Partial<RunState>, Partial<WindowOutcome>, Partial<RunLimits>]>([
    ["stop stalled", { idleInARow: 1, silentInARow: 1 }, {}, {}],
    ["stop windows", { windows: 39 }, {}, {}],
    ["stop clock", {}, {}, { deadlineAt: now }],
    ["stop money", { spentMicroUsd: 150 * dollar }, {}, {}],
    ["stop stopped", {}, { request: "stop-after-window" }, {}],
    ["stop failing", { failedInARow: 1 }, failed, {}],
  ])("%s takes along the last text of a window without progress and without a note (A8)", (rule, state, change, bounds) => {
    const decision = decideOn(state, { ...silent, ...change, lastText }, bounds);
    expect([inShort(decision), all(decision)]).toEqual([rule, expect.stringContaining(lastText)]);
  });

  test("a bookkeeping commit and a question in chat stop as stalled, with the question (B030)", () => {
    const chat = { ...idle, note: { kind: "absent" } as const, toolCalls: 4, lastText };
    const [state, first] = decide(freshRunState, limits, { ...worked, ...chat });
    const [, second] = decide(state, limits, { ...worked, ...chat });
    expect([inShort(first), inShort(second), all(second)]).toEqual(["launch", "stop stalled", expect.stringContaining(lastText)]);
  });
});

describe("waiting", () => {
  const until = (state: Partial<RunState>, outcome: Partial<WindowOutcome>): number => {
    const decision = decideOn(state, outcome);
    return decision.kind === "wait" ? decision.untilAt - now : Number.NaN;
  };

  test("for a limit ends when it resets", () => {
    expect(until({}, limited)).toBe(3_600_000);
  });

  test("for a limit of unknown end, or one that has passed, ends later than now", () => {
    const past: Partial<WindowOutcome> = { end: { kind: "limited", detail: "limit", untilAt: now - 1 } };
    const unknown: Partial<WindowOutcome> = { end: { kind: "limited", detail: "limit", untilAt: null } };
    expect([until({}, past) > 0, until({}, unknown) > 0]).toEqual([true, true]);
  });

  test("for an outage doubles up to its ceiling, and begins anew after a window that worked", () => {
    const waits: number[] = [];
    let state: RunState = freshRunState;
    for (const outcome of [...Array.from({ length: 8 }, () => outage), {}, outage]) {
      const [next, decision] = decide(state, limits, { ...worked, ...outcome });
      state = next;
      if (decision.kind === "wait") waits.push(decision.untilAt - now);
    }
    expect(waits).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000, 600_000, 30_000]);
  });

  test.each([
    ["a provider's limit", limited],
    ["an outage", outage],
  ])("for %s counts no window and forgives nothing", (_what, change) => {
    const state: RunState = { ...freshRunState, windows: 7, failedInARow: 1, idleInARow: 1, withoutTaskInARow: 2, noteTroubleInARow: 1 };
    const after = stateAfter(state, { ...change, ...idle, note: { kind: "unchanged" }, costMicroUsd: 0 });
    expect({ ...after, outagesInARow: 0 }).toEqual(state);
  });

  test("for a provider's limit adds no floor charge for an unknown cost, and does not hide a known one", () => {
    const state: RunState = { ...freshRunState, spentMicroUsd: 5 * dollar };
    const unknown = stateAfter(state, { ...limited, costMicroUsd: null });
    expect([unknown.spentMicroUsd, unknown.unknownCostWindows]).toEqual([5 * dollar, 0]);
    expect(stateAfter(state, { ...limited, costMicroUsd: 400 }).spentMicroUsd).toBe(5 * dollar + 400);
  });
});

describe("what is counted", () => {
  test.each<[string, Partial<RunState>, Partial<WindowOutcome>, Partial<RunState>]>([
    ["a window and its cost", { windows: 3, spentMicroUsd: 7 }, { costMicroUsd: 5 }, { windows: 4, spentMicroUsd: 12 }],
    [
      "the floor for an unknown cost, never 0",
      {},
      { costMicroUsd: null },
      { windows: 1, spentMicroUsd: 2 * dollar, unknownCostWindows: 1 },
    ],
    ["a cost of 0 that was told, as 0", {}, { costMicroUsd: 0 }, { windows: 1, spentMicroUsd: 0, unknownCostWindows: 0 }],
    [
      "nothing in a row after a closed task",
      { failedInARow: 1, idleInARow: 1, withoutTaskInARow: 2 },
      {},
      { failedInARow: 0, idleInARow: 0, withoutTaskInARow: 0 },
    ],
    ["no failure when a failed window closed a task", { failedInARow: 1 }, { ...failed, tasksClosed: 2 }, { failedInARow: 0 }],
    [
      "a closed task without a commit as progress",
      { idleInARow: 1, withoutTaskInARow: 2 },
      { codeChanged: false },
      { idleInARow: 0, withoutTaskInARow: 0 },
    ],
    ["a code commit as no idle window", { idleInARow: 1, withoutTaskInARow: 1 }, codeOnly, { idleInARow: 0, withoutTaskInARow: 2 }],
    ["an idle window without forgiving windows without a task", { withoutTaskInARow: 2 }, idle, { idleInARow: 1, withoutTaskInARow: 2 }],
    ["no failure after a good end", { failedInARow: 1 }, codeOnly, { failedInARow: 0 }],
    ["no trouble with notes after a good one", { noteTroubleInARow: 1 }, {}, { noteTroubleInARow: 0 }],
    ["no outage after a window that worked", { outagesInARow: 4 }, {}, { outagesInARow: 0 }],
    ["a silent window as idle", {}, silent, { windows: 1, idleInARow: 1, silentInARow: 1 }],
    ["a window that worked as the end of silence", { silentInARow: 1 }, {}, { silentInARow: 0 }],
  ])("%s", (_sentence, state, outcome, after) => {
    expect(stateAfter(state, outcome)).toMatchObject(after);
  });

  test("money and closed tasks of the last five counted windows (A11)", () => {
    let state: RunState = freshRunState;
    const windows = [1, 2, 3, 4, 5, 6, 7].map((n) => ({
      ...worked,
      costMicroUsd: n * dollar,
      tasksClosed: n,
      ...(n === 5 ? limited : {}),
    }));
    for (const outcome of windows) [state] = decide(state, limits, outcome);
    expect(state.recent).toEqual([2, 3, 4, 6, 7].map((n) => ({ costMicroUsd: n * dollar, tasksClosed: n })));
  });
});
