/** When a run of a board works, looks again, waits for a person, or leaves: one row a rule. */
import { expect, test } from "vitest";
import { type IdleFacts, idleStep, lookEveryMs, mostLooks } from "../../src/core/team/idle.ts";

const standing = { total: 5, open: 2, waiting: 0, done: 3, claimed: 0, failed: 0 };
const over = { ...standing, open: 0, done: 5 };
const facts: IdleFacts = { looks: 0, isMember: true, unread: 0, hasTask: false, withOthers: 2, ownQuestions: 0, standing };

const again = { kind: "look-again", afterMs: 5000 };
const stop = (reason: string, detail: unknown) => ({ kind: "over", decision: { kind: "stop", reason, detail } });
const waits = { kind: "over", decision: { kind: "await-answers", tell: [] } };

test.each<[string, Partial<IdleFacts>, object]>([
  ["a task that can be taken is work", { hasTask: true }, { kind: "work" }],
  ["a message is work, also where every task is done", { unread: 1, standing: over }, { kind: "work" }],
  ["work at the last look is still work", { looks: mostLooks, hasTask: true }, { kind: "work" }],
  ["a member looks again while it has looked too few times", { looks: mostLooks - 1 }, again],
  ["a member looks again for a message when every task is done", { standing: over, withOthers: 0 }, again],
  [
    "a member leaves after twelve looks, and says who has the rest",
    { looks: 12 },
    stop("idle", "12 looks in 60 s found nothing to take; 2 tasks are with others"),
  ],
  [
    "a member that leaves a finished board has finished",
    { looks: 12, standing: over, withOthers: 0 },
    stop("finished", "5 of 5 tasks are done"),
  ],
  [
    "a finished board with failed tasks says so",
    { looks: 12, standing: { ...over, done: 4, failed: 1 }, withOthers: 0 },
    stop("finished-with-failures", "1 of 5 tasks failed"),
  ],
  [
    "a member leaves what waits for a person to whoever comes",
    { looks: 12, ownQuestions: 1, withOthers: 0, standing: { ...standing, open: 0, waiting: 1 } },
    stop("idle", "12 looks in 60 s found nothing to take; 1 task waits for a person"),
  ],
  ["a run without a name looks again while others have tasks", { isMember: false }, again],
  [
    "a run without a name ends with its board at once",
    { isMember: false, withOthers: 0, standing: over },
    stop("finished", "5 of 5 tasks are done"),
  ],
  [
    "a run without a name waits for the answers to its own questions",
    { isMember: false, withOthers: 0, ownQuestions: 1, standing: { ...standing, open: 0, waiting: 2 } },
    waits,
  ],
  [
    "a run without a name leaves what others asked",
    { isMember: false, withOthers: 0, standing: { ...standing, open: 0, waiting: 2 } },
    stop("idle", "there is nothing to take; 2 tasks wait for a person"),
  ],
])("%s", (_title, change, step) => {
  expect(idleStep({ ...facts, ...change })).toEqual(step);
});

test("twelve looks of five seconds are a minute", () => {
  expect(lookEveryMs * mostLooks).toBe(60_000);
});
