/**
 * What the built program makes of each way in which a window of the real Claude Code can end: the exit reason in the report, and the decision that follows.
 * A night for each sort of decision, and a window for each row.
 */
import { describe, expect, test } from "vitest";
import type { Decision } from "../../src/core/decide.ts";
import type { ScriptedFault, ScriptStep } from "../../src/ports/provider.ts";
import type { StoredEvent } from "../../src/ports/store.ts";
import type { Running } from "../scenario/program.ts";
import { claude } from "./claude-kit.ts";
import { bash, type ClaudeNight, inTurn, makeClaudeNight, type Says } from "./night-kit.ts";

const fails = (fault: ScriptedFault, more: Partial<ScriptStep> = {}): Says => [{ fault, ...more }];
const says = (step: ScriptStep): Says => [step];
const plenty = { failedWindows: 90, idleWindows: 90, windowsWithoutTask: 90, windows: 90, attemptsPerTask: 90, run: 1000 };
const limits = { ...plenty, window: 5, outageWait: "1ms", outageCeiling: "1ms", idleTime: "5s", graceTime: "200ms", contextTokens: 50_000 };

/** What the model does; the reason in the report; what is decided, and why or what is asked. */
type Row = readonly [what: string, window: Says, exit: string, decision: string];

const waits: readonly Row[] = [
  ["429", fails({ kind: "rate-limited" }, { headers: { "x-should-retry": "false" } }), "limited", "wait limit"],
  ["529", fails({ kind: "overloaded" }), "transient", "wait outage"],
  ["500", fails({ kind: "server-error" }), "transient", "wait outage"],
  ["502 with a page", fails({ kind: "bad-gateway" }), "transient", "wait outage"],
  ["a reset connection", fails({ kind: "reset" }), "transient", "wait outage"],
  ["a cut stream", fails({ kind: "cut" }), "transient", "wait outage"],
];

const asks: readonly Row[] = [
  ["401", fails({ kind: "bad-key" }), "auth", "ask provider"],
  ["403", fails({ kind: "forbidden" }), "auth", "ask provider"],
  ["no credit", fails({ kind: "no-credit" }), "billing", "ask provider"],
  ["no such model", fails({ kind: "no-model" }), "config", "ask provider"],
  ["any other 400", fails({ kind: "bad-request" }), "config", "ask provider"],
  ["a refusal", says({ text: "I cannot", stopReason: "refusal" }), "refused", "ask provider"],
];

const failures: readonly Row[] = [
  ["silence before the first word", fails({ kind: "hang" }), "no-first-turn", "launch"],
  ["silence in mid-stream", [{ tools: [bash("ls")] }, { text: "I will go on", fault: { kind: "stall" } }], "idle", "launch"],
  ["an answer that is too long", says({ text: "and", stopReason: "max_tokens" }), "output-limit", "launch"],
];

const goodEnds: readonly Row[] = [
  ["a conversation over the context limit", inTurnUsing(60_000), "window-limit", "launch"],
  ["its cap of money", [{ tools: [bash("ls")], usage: { output: 1_000_000 } }], "capped", "launch"],
  ["a call that the guard denied", inTurn(bash("rm -rf /")), "completed-with-denials", "launch"],
  ["an end without any call", says({ text: "I will do it." }), "completed-no-tools", "launch nudge"],
  ["an empty answer", says({}), "completed-no-tools", "launch"],
];

function inTurnUsing(input: number): Says {
  return inTurn(bash("ls"), bash("touch late")).map((step) => ({ ...step, usage: { input } }));
}

describe.skipIf(claude === null)("a night of ends", () => {
  test.each<[string, readonly Row[]]>([
    ["the provider's limit or outage is waited out, and does not count", waits],
    ["what only a person can mend is asked", asks],
    ["a failed window is followed by another", failures],
    ["a good end is followed by the next window", goodEnds],
  ])("%s", async (_title, rows) => {
    const night = await makeClaudeNight({
      personal: { limits, onQuestion: "wait" },
      windows: () => Object.fromEntries(rows.map(([, window], index) => [index + 1, window])),
    });
    const run = night.begin();
    await Promise.race([goesOn(night, run, rows), run.ended]);
    run.signal("SIGTERM");
    const { code, report, events } = await run.ended;
    const decided = decisions(events);
    const seen = (report?.windows ?? [])
      .slice(0, rows.length)
      .map(({ exit, number }) => [rows[number - 1]?.[0], exit, decided[number - 1]]);
    expect([code, seen]).toEqual([130, rows.map(([what, , exit, decision]) => [what, exit, decision])]);
    expect(night.repo.git("status", "--porcelain")).not.toContain("late");
    const uncounted = (report?.windows ?? []).slice(0, rows.length).filter(({ counted }) => !counted);
    expect(uncounted).toHaveLength(rows === waits ? waits.length : 0);
  });
});

/** Answers every question with "go on", until the last row's window has ended. */
async function goesOn(night: ClaudeNight, run: Running, rows: readonly Row[]): Promise<void> {
  let seen = 0;
  for (let number = 1; number <= rows.length; number += 1) {
    await run.event("window.ended", ({ data }) => data["number"] === number);
    if (!rows[number - 1]?.[3].startsWith("ask")) continue;
    seen += 1;
    const question = `Q${seen}`;
    await run.event("question.asked", ({ data }) => data["question"] === question);
    await night.run(["answer", question, "go on"]);
  }
}

/** The first decision after the end of each window, in short. */
function decisions(events: readonly StoredEvent[]): readonly string[] {
  return events.flatMap(({ kind }, index) => {
    if (kind !== "window.ended") return [];
    const decided = events.slice(index).find((event) => event.kind === "run.decided");
    return [inShort(decided?.data["decision"] as Decision | undefined)];
  });
}

function inShort(decision: Decision | undefined): string {
  switch (decision?.kind) {
    case "wait":
      return `wait ${decision.why}`;
    case "ask":
      return `ask ${decision.question.source}`;
    case "launch":
      return decision.nudge ? "launch nudge" : "launch";
    case "stop":
      return `stop ${decision.reason}`;
    default:
      return decision?.kind ?? "";
  }
}
