/** Whole nights through `decide`: exactly when a run that gets nowhere stops, that a good one does not (F27), and that none goes on for ever. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decide } from "../../src/core/decide.ts";
import type { NoteReading } from "../../src/core/handoff-note.ts";
import type { WindowOutcome } from "../../src/core/outcome.ts";
import { freshRunState, type RunLimits, type RunState } from "../../src/core/run-state.ts";
import { dollar, inShort, limits, noteOf, now, plan, worked } from "./sample-window.ts";

type Change = Partial<WindowOutcome>;

/** The decision after each window, up to the first that does not go on by itself. */
function night(windows: readonly Change[], bounds: Partial<RunLimits> = {}): string[] {
  const decisions: string[] = [];
  let state: RunState = freshRunState;
  for (const change of windows) {
    const [after, decision] = decide(state, { ...limits, ...bounds }, { ...worked, ...change });
    state = after;
    decisions.push(inShort(decision));
    if (decision.kind !== "launch" && decision.kind !== "wait") break;
  }
  return decisions;
}
const repeat = (count: number, ...windows: Change[]): Change[] => Array.from({ length: count }, () => windows).flat();
/** So many windows that went on, and then the end. */
const goesOn = (count: number, end: string): string[] => [...Array.from({ length: count }, () => "launch"), end];

const closed: Change = {};
const code: Change = { tasksClosed: 0 };
const idle: Change = { tasksClosed: 0, codeChanged: false, progress: false };
const silent: Change = { ...idle, toolCalls: 0, note: { kind: "unchanged" } };
const failed: Change = { ...idle, end: { kind: "failed", detail: "wall clock" }, note: { kind: "absent" } };
const limited: Change = { ...idle, end: { kind: "limited", detail: "limit", untilAt: now + 60_000 }, costMicroUsd: null };
const outage: Change = { ...idle, end: { kind: "outage", detail: "503" }, costMicroUsd: null };
const malformed: Change = { note: { kind: "malformed", reason: "line 1 is no STATUS", rawLines: ["done"] } };
const refused: Change = { note: noteOf({ status: "done" }), doneRefused: "3 tasks are open" };
const told = (index: number): Change => ({
  lastText: `Turn ${index}: rewrote the plan, ran ${index} checks`,
  note: noteOf({ next: `T-${index}` }),
});

describe("a run that gets nowhere stops", () => {
  test.each<[string, Change[], string[]]>([
    ["after exactly 2 windows without progress", repeat(9, idle), goesOn(1, "stop stalled")],
    [
      "after exactly 2 though every text differs (B133)",
      repeat(9, idle).map((one, index) => ({ ...one, ...told(index) })),
      goesOn(1, "stop stalled"),
    ],
    [
      "after exactly 2 that commit only bookkeeping, and cost differently",
      repeat(9, idle).map((one, n) => ({ ...one, costMicroUsd: n })),
      goesOn(1, "stop stalled"),
    ],
    ["after the nudge was not heeded", repeat(9, silent), ["launch nudge", "stop stalled"]],
    ["after a silent window and an idle one", [silent, idle, closed], ["launch nudge", "stop stalled"]],
    [
      "after exactly 2 idle windows in a row that follow good ones",
      [closed, idle, closed, idle, code, idle, idle],
      goesOn(6, "stop stalled"),
    ],
    ["after exactly 3 windows with code and no task", repeat(9, code), goesOn(2, "stop no-task")],
    ["after exactly 3 with code since a task was closed", [code, code, closed, ...repeat(9, code)], goesOn(5, "stop no-task")],
    ["when code and idle windows take turns", repeat(9, code, idle), goesOn(4, "stop no-task")],
    ["when idle and code windows take turns", repeat(9, idle, code), goesOn(5, "stop no-task")],
    ["when failed windows and code without a task take turns", repeat(9, failed, code), goesOn(5, "stop no-task")],
    ["after exactly 2 failed windows", repeat(9, failed), goesOn(1, "stop failing")],
    ["after exactly 2 failed windows that commit", repeat(9, { ...failed, codeChanged: true, progress: true }), goesOn(1, "stop failing")],
    [
      "after exactly 2 failed windows in a row that follow good ones",
      [failed, closed, failed, closed, failed, failed],
      goesOn(5, "stop failing"),
    ],
    ["and asks after exactly 2 malformed notes", repeat(9, malformed), goesOn(1, "ask note")],
    ["and asks after exactly 2 refused DONEs", repeat(9, refused), goesOn(1, "ask note")],
    ["and asks after a malformed note and a refused DONE", [malformed, refused], goesOn(1, "ask note")],
  ])("%s", (_sentence, windows, decisions) => {
    expect(night(windows)).toEqual(decisions);
  });

  test("after exactly 2 failed windows, also when a limit or an outage lies between them", () => {
    expect(night([failed, limited, outage, failed])).toEqual(["launch", "wait limit", "wait outage", "stop failing"]);
  });

  test.each([1, 2, 3, 5, 8])("by its own setting of %i", (count) => {
    const bounds = { idleWindows: count, windowsWithoutTask: count, failedWindows: count };
    expect([idle, code, failed].map((one) => night(repeat(9, one), bounds))).toEqual([
      goesOn(count - 1, "stop stalled"),
      goesOn(count - 1, "stop no-task"),
      goesOn(count - 1, "stop failing"),
    ]);
  });
});

const rich: Partial<RunLimits> = { windows: 50, runMicroUsd: 1_000_000 * dollar, unknownCostWindows: 1000 };
/** Bits of a good night: each gets over its trouble and ends with a closed task. */
const goodBits: Change[][] = [
  [closed],
  [{ ...closed, tasksClosed: 5 }],
  [{ codeChanged: false }],
  [{ end: { kind: "good", detail: "window cap" } }],
  [{ ...failed, tasksClosed: 1, progress: true }],
  [{ note: { kind: "absent" } }],
  [{ costMicroUsd: null }],
  [{ toolCalls: null }],
  [code, code, closed],
  [idle, closed],
  [idle, code, closed],
  [code, idle, closed],
  [silent, closed],
  [failed, closed],
  [{ ...failed, codeChanged: true, progress: true }, code, closed],
  [malformed, closed],
  [refused, closed],
  [limited, closed],
  [outage, outage, closed],
  [idle, limited, closed],
];
const isCounted = (one: Change): boolean => one.end?.kind !== "limited" && one.end?.kind !== "outage";

describe("a good run does not stop", () => {
  test("over 50 windows that close tasks, before the limit of windows (F27)", () => {
    expect(night(repeat(60, closed), rich)).toEqual(goesOn(49, "stop windows"));
  });

  test("over 50 windows of every kind that a good night has, before the limit of windows (F27)", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...goodBits), { minLength: 60, maxLength: 60 }), (bits) => {
        const decisions = night(bits.flat(), rich);
        const end = decisions.pop();
        const going = decisions.filter((one) => one.startsWith("launch") || one.startsWith("wait"));
        const counted = bits
          .flat()
          .slice(0, decisions.length + 1)
          .filter(isCounted);
        expect([end, going.length, counted.length]).toEqual(["stop windows", decisions.length, 50]);
      }),
      { numRuns: 200 },
    );
  });

  test("when three windows end with the same words and each closed a task (B132)", () => {
    expect(night(repeat(3, { lastText: "done", note: noteOf() }))).toEqual(["launch", "launch", "launch"]);
  });

  test("when commits were made inside the window and the tree is clean (B128)", () => {
    expect(night([idle, code, code, closed])).toEqual(["launch", "launch", "launch", "launch"]);
  });

  test("when it says all the time that it is through and the note says CHECKPOINT (B021)", () => {
    const sure = Array.from({ length: 5 }, () => ({ lastText: "DONE. Everything is done, done and done. STATUS: DONE" }));
    expect(night(sure)).toEqual(sure.map(() => "launch"));
  });

  test("with 3 tasks in each of 40 windows, before the fortieth", () => {
    expect(night(repeat(60, { tasksClosed: 3 }))).toEqual(goesOn(39, "stop windows"));
  });

  test("at its last window when that one finishes the plan (B028)", () => {
    expect(night([...repeat(39, closed), { plan: plan({ open: 0, done: 9 }) }])).toEqual(goesOn(39, "stop finished"));
  });
});

describe("a repeated prompt (A21)", () => {
  const turn: Change = { repeatedPrompt: true, tasksClosed: 0, codeChanged: false, progress: true };

  test.each<[string, Change]>([
    ["needs neither commits nor tasks", turn],
    ["may commit without closing a task", { ...turn, codeChanged: true }],
  ])("%s", (_sentence, one) => {
    expect(night(repeat(60, one))).toEqual(goesOn(39, "stop windows"));
  });

  test("that makes no progress stops as stalled", () => {
    expect(night(repeat(9, { ...turn, progress: false }))).toEqual(goesOn(1, "stop stalled"));
  });

  test("that fails twice in a row stops as failing", () => {
    expect(night(repeat(9, { ...turn, end: { kind: "failed", detail: "crash" } }))).toEqual(goesOn(1, "stop failing"));
  });

  test("that is silent is nudged", () => {
    expect(night([{ ...turn, progress: false, toolCalls: 0, note: { kind: "absent" } }])).toEqual(["launch nudge"]);
  });
});

describe("whatever happens", () => {
  const text = fc.constantFrom("", "x", "STATUS: DONE", "two\nlines");
  const count = fc.nat(3);
  const end = fc.oneof(
    fc.record({ kind: fc.constantFrom("good" as const, "outage" as const, "needs-person" as const, "failed" as const), detail: text }),
    fc.record({ kind: fc.constant("limited" as const), detail: text, untilAt: fc.option(fc.integer({ min: now - 9, max: now + 9 })) }),
  );
  const note: fc.Arbitrary<NoteReading> = fc.oneof(
    fc.constantFrom({ kind: "absent" as const }, { kind: "unchanged" as const }),
    fc.constantFrom("checkpoint" as const, "done" as const, "blocked" as const).map((status) => noteOf({ status, question: "?" })),
    fc.record({ kind: fc.constant("malformed" as const), reason: text, rawLines: fc.array(text, { maxLength: 3 }) }),
  );
  const outcome: fc.Arbitrary<WindowOutcome> = fc.record({
    end,
    note,
    doneRefused: fc.option(text),
    codeChanged: fc.boolean(),
    tasksClosed: count,
    progress: fc.boolean(),
    plan: fc.record({ total: count, open: count, waiting: count, done: count, claimed: count, failed: count }),
    toolCalls: fc.option(count),
    costMicroUsd: fc.option(fc.nat(9 * dollar)),
    lastText: text,
    conflictMarkers: fc.array(text, { maxLength: 1 }),
    remarks: fc.array(text, { maxLength: 2 }),
    request: fc.constantFrom(
      "none" as const,
      "none" as const,
      "none" as const,
      "pause" as const,
      "stop-now" as const,
      "stop-after-window" as const,
    ),
    repeatedPrompt: fc.boolean(),
    now: fc.integer({ min: now - 5, max: now + 5 }),
  });
  const state: fc.Arbitrary<RunState> = fc.record({
    windows: fc.nat(6),
    spentMicroUsd: fc.nat(60 * dollar),
    unknownCostWindows: count,
    failedInARow: count,
    idleInARow: count,
    withoutTaskInARow: count,
    noteTroubleInARow: count,
    outagesInARow: fc.nat(2000),
    silentInARow: fc.nat(3),
    recent: fc.array(fc.record({ costMicroUsd: fc.nat(), tasksClosed: count }), { maxLength: 5 }),
  });
  const bounds: fc.Arbitrary<RunLimits> = fc
    .record({
      windows: fc.integer({ min: 1, max: 6 }),
      runMicroUsd: fc.integer({ min: 1, max: 60 * dollar }),
      unknownCostWindows: fc.nat(3),
      idleWindows: fc.integer({ min: 1, max: 9 }),
      windowsWithoutTask: fc.integer({ min: 1, max: 9 }),
      failedWindows: fc.integer({ min: 1, max: 9 }),
      deadlineAt: fc.option(fc.integer({ min: now - 5, max: now + 5 })),
    })
    .map((change) => ({ ...limits, ...change }));

  /** Mostly calm: a few fields of the wild value in the calm one, so that launches and waits are common. */
  const touched = <Value extends object>(calm: Value, wild: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
    fc
      .tuple(wild, fc.subarray(Object.keys(calm), { maxLength: 4 }))
      .map(([other, keys]) => ({ ...calm, ...Object.fromEntries(keys.map((key) => [key, Reflect.get(other, key)])) }));
  const calmLimits: RunLimits = { ...limits, windows: 6, runMicroUsd: 60 * dollar };
  const calmer = [touched(freshRunState, state), touched(calmLimits, bounds), touched(worked, outcome)] as const;

  function frozen<Value>(value: Value): Value {
    if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
    return value;
  }

  test("there is one decision, the same for the same values, which stay as they are", () => {
    fc.assert(
      fc.property(state, bounds, outcome, (before, limit, one) => {
        const first = decide(frozen(before), frozen(limit), frozen(one));
        expect(inShort(first[1])).toMatch(/^(launch|wait|ask|await-answers|pause|stop)/);
        expect(decide(structuredClone(before), structuredClone(limit), structuredClone(one))).toEqual(first);
      }),
      { numRuns: 2000 },
    );
  });

  test("money never falls, and a window counts once unless it was the provider's fault", () => {
    fc.assert(
      fc.property(state, bounds, outcome, (before, limit, one) => {
        const [next] = decide(before, limit, one);
        expect(next.spentMicroUsd).toBeGreaterThanOrEqual(before.spentMicroUsd);
        expect(next.windows - before.windows).toBe(isCounted(one) ? 1 : 0);
      }),
      { numRuns: 2000 },
    );
  });

  test("money does not fall by a cost below 0 either", () => {
    const before = { ...freshRunState, spentMicroUsd: dollar };
    expect(decide(before, limits, { ...worked, costMicroUsd: -1 })[0].spentMicroUsd).toBeGreaterThanOrEqual(dollar);
  });

  test("a state holds whole numbers from 0, and five recent windows at most", () => {
    fc.assert(
      fc.property(state, bounds, outcome, (before, limit, one) => {
        const { recent, ...numbers } = decide(before, limit, one)[0];
        expect(Object.values(numbers).filter((value) => !Number.isSafeInteger(value) || value < 0)).toEqual([]);
        expect(recent.length).toBeLessThanOrEqual(5);
      }),
    );
  });

  test("a window is launched only where nothing forbids it", () => {
    let launches = 0;
    fc.assert(
      fc.property(...calmer, (before, limit, one) => {
        const [next, decision] = decide(before, limit, one);
        if (decision.kind !== "launch") return;
        launches += 1;
        expect({
          windowsLeft: next.windows < limit.windows,
          moneyLeft: next.spentMicroUsd < limit.runMicroUsd,
          timeLeft: limit.deadlineAt === null || one.now < limit.deadlineAt,
          nobodyAsked: one.note.kind !== "note" || one.note.note.status !== "blocked",
          nothingRequested: one.request === "none",
          workLeft: one.plan.open > 0,
        }).toEqual({ windowsLeft: true, moneyLeft: true, timeLeft: true, nobodyAsked: true, nothingRequested: true, workLeft: true });
      }),
      { numRuns: 2000 },
    );
    expect(launches).toBeGreaterThan(200);
  });

  test("a wait ends later than now, and opens no window that money or a person forbids", () => {
    const providers = [outage.end, limited.end, { kind: "limited" as const, detail: "", untilAt: null }].filter((end) => end !== undefined);
    let waits = 0;
    fc.assert(
      fc.property(...calmer, fc.constantFrom<WindowOutcome["end"]>(...providers), (before, limit, one, end) => {
        const [next, decision] = decide(before, limit, { ...one, end });
        if (decision.kind !== "wait") return;
        waits += 1;
        expect({
          later: decision.untilAt > one.now,
          moneyLeft: next.spentMicroUsd < limit.runMicroUsd,
          nobodyStopped: !one.request.startsWith("stop"),
        }).toEqual({ later: true, moneyLeft: true, nobodyStopped: true });
      }),
    );
    expect(waits).toBeGreaterThan(20);
  });

  test("no run opens more counted windows by itself than it may", () => {
    fc.assert(
      fc.property(fc.array(calmer[2], { minLength: 30, maxLength: 30 }), calmer[1], (windows, limit) => {
        const busy = windows.map((one) => ({ ...one, request: "none" as const, plan: plan(), conflictMarkers: [] }));
        const decisions = night(busy, limit);
        const counted = busy.slice(0, decisions.length).filter(isCounted);
        const wentOn = decisions.length === busy.length && /^(launch|wait)/.test(decisions.at(-1) ?? "");
        expect(counted.length).toBeLessThanOrEqual(limit.windows);
        expect(wentOn && counted.length === limit.windows).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});
