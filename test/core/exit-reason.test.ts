import { describe, expect, test } from "vitest";
import type { AgentEvent, AgentResult } from "../../src/core/agent-event.ts";
import { type ExitClass, type ExitReason, exitClass, exitReason, exitTable, type Refused } from "../../src/core/exit-reason.ts";
import type { ProcessEnd, StopCause } from "../../src/core/process-end.ts";
import { foldEvents } from "../../src/core/transcript.ts";

const session: AgentEvent = { kind: "session", sessionId: "s", tools: [] };
const said = (text: string): AgentEvent => ({ kind: "text", text, subagent: false });
const plain = (text: string): AgentEvent => ({ kind: "text", text, subagent: false, plain: true });
const call: AgentEvent = { kind: "tool-start", toolId: "t", name: "Bash", summary: "npm test", subagent: false };
const answered: AgentEvent = { kind: "tool-end", toolId: "t", ok: true };
const retry = (status?: number): AgentEvent => ({
  kind: "retry",
  attempt: 1,
  max: 10,
  delayMs: 500,
  ...(status === undefined ? {} : { status }),
});
const rejected: AgentEvent = { kind: "limit", status: "rejected", resetsAt: 5000 };
const failed = (error: string, change: { status?: number; type?: string } = {}): AgentEvent => ({
  kind: "api-error",
  error,
  text: "why",
  ...change,
});
const task = (change: "started" | "completed" | "stopped"): AgentEvent => ({ kind: "background", taskId: "a", change });

function result(change: Partial<AgentResult> = {}): AgentEvent {
  const base = {
    subtype: "success",
    isError: false,
    text: "",
    turns: 2,
    permissionDenials: 0,
    subagentsKilledBySystem: 0,
    hasDeferredTool: false,
  };
  return { kind: "result", result: { ...base, ...change } };
}
const errorResult = (change: Partial<AgentResult> = {}) => result({ isError: true, terminalReason: "api_error", ...change });

const exited = (code: number, stderrTail = ""): ProcessEnd => ({
  kind: "exited",
  code,
  signal: null,
  durationMs: 9,
  descendantsEnded: 0,
  uncontained: [],
  stdoutBytes: 9,
  linesCut: 0,
  stderrTail,
});
const signalled: ProcessEnd = { ...exited(0), kind: "signalled", code: null, signal: "SIGKILL" };
const byUs = (cause: StopCause, code: number | null = null): ProcessEnd => ({
  ...exited(0),
  kind: "ended-by-us",
  cause,
  code,
  signal: code === null ? "SIGTERM" : null,
});
const notStarted = (error: string): ProcessEnd => ({ ...exited(0), kind: "not-started", code: null, error });

const worked = [session, said("on it"), call, answered, said("done")] as const;
const completed: ExitReason = { kind: "completed", exitCode: 0 };

type Row = readonly [name: string, events: readonly AgentEvent[], end: ProcessEnd, reason: ExitReason];

describe("what we did ourselves outranks what the agent said", () => {
  test.each<Row>([
    [
      "a program that is not there was never started (F37)",
      [],
      notStarted("ENOENT"),
      { kind: "start-failed", error: "ENOENT", detail: "" },
    ],
    ["a person's stop is a stop, whatever the result says", [...worked, result()], byUs("stopped", 0), { kind: "stopped" }],
    ["a window that we ended is ended by us", [...worked, result()], byUs("window-limit", 0), { kind: "window-limit" }],
    [
      "our clock outranks words about limits (B032)",
      [session, said("5-hour limit reached, resets 1pm"), call],
      byUs("wall-clock"),
      { kind: "wall-clock", openTool: "Bash npm test" },
    ],
    [
      "what it writes because we interrupt it is no result",
      [...worked, errorResult({ terminalReason: "aborted_tools" })],
      byUs("wall-clock", 0),
      { kind: "wall-clock", openTool: "" },
    ],
    [
      "silence after a tool's result is idle (B001, B002)",
      [session, said("on it"), call, answered],
      byUs("idle-clock"),
      { kind: "idle", openTool: "" },
    ],
    ["silence in a tool names it", [session, call], byUs("idle-clock"), { kind: "idle", openTool: "Bash npm test" }],
    ["silence from the start is its own kind (B044)", [session], byUs("idle-clock"), { kind: "no-first-turn" }],
    ["a silent plain program is idle", [], byUs("idle-clock"), { kind: "idle", openTool: "" }],
    ["silence while the provider is retried is its outage", [session, retry(529)], byUs("idle-clock"), { kind: "transient", status: 529 }],
    [
      "silence while the provider cannot be reached is its outage",
      [...worked, retry()],
      byUs("idle-clock"),
      { kind: "transient", status: null },
    ],
    ["silence while a limit is retried is the limit (B044)", [session, retry(429)], byUs("idle-clock"), { kind: "limited", until: null }],
    ["silence behind a rejected limit is the limit", [session, rejected], byUs("idle-clock"), { kind: "limited", until: 5000 }],
    [
      "a limit that the model was heard after is not why it is silent",
      [session, rejected, said("on it")],
      byUs("idle-clock"),
      { kind: "idle", openTool: "" },
    ],
    ["the time is out even while the provider is retried", [session, retry(529)], byUs("wall-clock"), { kind: "wall-clock", openTool: "" }],
    [
      "a good result is kept when the process would not leave (B003)",
      [...worked, result()],
      byUs("lingered"),
      { kind: "completed", exitCode: null },
    ],
    ["also when another clock was the first to end it", [...worked, result()], byUs("idle-clock"), { kind: "completed", exitCode: null }],
    [
      "a failed result is kept when the process would not leave",
      [session, failed("server_error", { status: 529 }), errorResult({ apiErrorStatus: 529 })],
      byUs("lingered"),
      { kind: "transient", status: 529 },
    ],
    [
      "a turn that began after the result and fell silent is idle",
      [...worked, result(), session, { ...call, toolId: "t2" }],
      byUs("lingered"),
      { kind: "idle", openTool: "Bash npm test" },
    ],
  ])("%s", (_name, events, end, reason) => {
    expect(exitReason(foldEvents(events), end)).toEqual(reason);
  });
});

describe("recorded fields decide, not success and not the exit code", () => {
  test.each<Row>([
    [
      "is_error outranks success and exit code 0 (B008)",
      [session, failed("server_error"), errorResult()],
      exited(0),
      { kind: "transient", status: null },
    ],
    [
      "a refused request is nobody's to retry (B009)",
      [session, failed("unknown", { status: 400 }), errorResult({ apiErrorStatus: 400 })],
      exited(1),
      { kind: "config", detail: "why" },
    ],
    [
      "a request that timed out is (408)",
      [session, failed("unknown", { status: 408 }), errorResult({ apiErrorStatus: 408 })],
      exited(1),
      { kind: "transient", status: 408 },
    ],
    [
      "an overload without a status is the provider's (B045)",
      [session, said("half"), failed("unknown", { type: "overloaded_error" }), errorResult()],
      exited(1),
      { kind: "transient", status: null },
    ],
    [
      "a failed request counts where the result is missing",
      [session, failed("server_error", { status: 500 })],
      exited(1),
      { kind: "transient", status: 500 },
    ],
    [
      "a failed request counts where the result says success",
      [session, failed("authentication_failed", { status: 401 }), result({ text: "bad key" })],
      exited(0),
      { kind: "auth", detail: "bad key" },
    ],
    [
      "a failed request that the model followed is over",
      [session, failed("server_error"), call, answered, said("done"), result()],
      exited(0),
      completed,
    ],
    [
      "a recorded limit has its time",
      [session, rejected, failed("rate_limit", { status: 429 }), errorResult({ apiErrorStatus: 429 })],
      exited(1),
      { kind: "limited", until: 5000 },
    ],
    [
      "the reset time of a limit that was not reached is not waited for",
      [session, { kind: "limit", status: "allowed", resetsAt: 9 }, failed("rate_limit", { status: 429 }), errorResult()],
      exited(1),
      { kind: "limited", until: null },
    ],
    ["a rejected limit counts where the result is missing", [session, rejected], exited(1), { kind: "limited", until: 5000 }],
    [
      "no credit is billing, though the status is 400",
      [session, failed("billing_error", { status: 400 }), errorResult({ apiErrorStatus: 400 })],
      exited(1),
      { kind: "billing", detail: "why" },
    ],
    [
      "a full context is no wrong request, though the status is 400",
      [...worked, failed("invalid_request", { status: 400 }), errorResult({ terminalReason: "prompt_too_long", apiErrorStatus: 400 })],
      exited(1),
      { kind: "context-full" },
    ],
    [
      "a refusal is no wrong request either",
      [session, failed("invalid_request"), errorResult({ stopReason: "refusal" })],
      exited(1),
      { kind: "refused", detail: "why" },
    ],
    [
      "an answer that grew too long is not the provider's fault",
      [session, failed("max_output_tokens"), errorResult()],
      exited(1),
      { kind: "output-limit" },
    ],
    [
      "a good result with exit code 1 is good (B019)",
      [...worked, result()],
      exited(1, "mcp server failed"),
      { kind: "completed", exitCode: 1 },
    ],
    ["an empty result text is no failure (B006)", [...worked, result({ text: "" })], exited(0), completed],
    ["many turns are no failure (B014)", [...worked, result({ turns: 9000 })], exited(0), completed],
    [
      "a cap's subtype is read where no terminal reason is (B012, B013)",
      [...worked, errorResult({ subtype: "error_max_turns", terminalReason: undefined as never })],
      exited(1),
      { kind: "max-turns" },
    ],
    [
      "a cap's subtype does not outrank the terminal reason",
      [...worked, result({ subtype: "error_max_turns", terminalReason: "completed" })],
      exited(0),
      completed,
    ],
    [
      "a stream that breaks off is its own kind, whatever the exit code (B001, B012)",
      [session, call, answered],
      exited(0),
      { kind: "no-result" },
    ],
    ["a crash in mid-turn is a crash", [session, call], exited(1, "boom\nat line 3\n"), { kind: "crashed", code: 1, detail: "at line 3" }],
    [
      "a crash before a first turn is a failed start",
      [session],
      exited(1, "no config"),
      { kind: "start-failed", error: "", detail: "no config" },
    ],
    ["a signal from outside is a kill", [session, call], signalled, { kind: "killed", signal: "SIGKILL" }],
    ["a kill after the result changes nothing", [...worked, result()], signalled, { kind: "completed", exitCode: null }],
    [
      "a result that another turn followed is not the end",
      [...worked, result(), session, call],
      exited(1),
      { kind: "crashed", code: 1, detail: "" },
    ],
    ["a supervisor that died saw no end", [], { ...exited(0), kind: "lost", code: null }, { kind: "lost" }],
    [
      "an error that we have no name for keeps the agent's",
      [...worked, errorResult({ terminalReason: "image_error", text: "bad image" })],
      exited(1),
      { kind: "agent-error", error: "image_error", detail: "bad image" },
    ],
    [
      "a question to nobody is a question (B075)",
      [session, call, { kind: "question", text: "Ship it?" }, answered, said("I went on"), result()],
      exited(0),
      { kind: "awaiting-human", question: "Ship it?" },
    ],
    [
      "denied calls are told, and the window is no failure (B077)",
      [...worked, result({ permissionDenials: 2 })],
      exited(0),
      { kind: "completed-with-denials", denials: 2 },
    ],
    [
      "work left in the background is told, and is not clean (B059)",
      [session, call, answered, task("started"), said("done"), result()],
      exited(0),
      { kind: "background-abandoned", tasks: 1 },
    ],
    [
      "background work that ended is not left",
      [session, call, answered, task("started"), task("completed"), said("done"), result()],
      exited(0),
      completed,
    ],
    [
      "background work that outlived our patience is left",
      [session, call, answered, task("started"), result()],
      byUs("idle-clock"),
      { kind: "background-abandoned", tasks: 1 },
    ],
    ["talk without one call is silent (J2)", [session, said("I will now begin."), result()], exited(0), { kind: "completed-no-tools" }],
    ["a call by a subagent is a call", [session, { ...call, subagent: true }, said("done"), result()], exited(0), completed],
    ["an agent that shows only its result is never judged silent", [result()], exited(0), completed],
  ])("%s", (_name, events, end, reason) => {
    expect(exitReason(foldEvents(events), end)).toEqual(reason);
  });
});

describe("programs without a structured stream", () => {
  test.each<Row>([
    ["exit code 0 is a completion", [plain("built")], exited(0), completed],
    ["exit code 0 without a word too", [], exited(0), completed],
    [
      "any other exit code is a crash",
      [plain("building")],
      exited(2, "make: *** no rule"),
      { kind: "crashed", code: 2, detail: "make: *** no rule" },
    ],
    ["any other exit code without a word too", [], exited(1, "no key"), { kind: "crashed", code: 1, detail: "no key" }],
    ["a signal is a kill", [plain("building")], signalled, { kind: "killed", signal: "SIGKILL" }],
    ["shapes that we do not know decide nothing", [{ kind: "unknown", type: "turn.failed" }], exited(0), completed],
  ])("%s", (_name, events, end, reason) => {
    expect(exitReason(foldEvents(events), end)).toEqual(reason);
  });
});

describe("no words are evidence of a limit (B034, B035, B036, F19)", () => {
  const subjects = [
    "rate limit",
    "usage limit",
    "quota exceeded",
    "429 Too Many Requests",
    "overloaded_error",
    "You've hit your limit",
    "credit balance is too low",
    "invalid api key",
    "401",
    "is_error",
  ];
  const frames = ["I fixed the %s handling.", "| %s | none |", "+ throw new Error('%s')", "resets 1:08pm (UTC): %s", "No %s was found."];
  const places: readonly ((text: string) => readonly [readonly AgentEvent[], ProcessEnd])[] = [
    (text) => [[session, call, answered, said(text), result({ text })], exited(0)],
    (text) => [[session, call, answered, said(text), result({ text })], exited(1, text)],
    (text) => [[plain(text)], exited(1, text)],
    (text) => [[session, { ...call, summary: text }, { kind: "tool-end", toolId: "t", ok: false }, said(text)], exited(0, text)],
  ];
  const classes: readonly ExitClass[] = ["limited", "outage", "needs-person"];

  test("200 texts that talk about limits are no limit", () => {
    const texts = subjects.flatMap((subject) => frames.map((frame) => frame.replace("%s", subject)));
    const seen = texts.flatMap((text) => places.map((place) => exitReason(foldEvents(place(text)[0]), place(text)[1])));
    expect(seen.length).toBe(200);
    expect(seen.filter((reason) => classes.includes(exitClass(reason)))).toEqual([]);
  });
});

describe("what a run needs to know of a reason", () => {
  test.each<[ExitClass, readonly ExitReason["kind"][]]>([
    [
      "good",
      [
        "completed",
        "completed-with-denials",
        "background-abandoned",
        "budget",
        "max-turns",
        "context-full",
        "window-limit",
        "capped",
        "stopped-by-hook",
        "stop-hook-overridden",
      ],
    ],
    ["silent", ["completed-no-tools"]],
    ["limited", ["limited"]],
    ["outage", ["transient"]],
    ["needs-person", ["auth", "billing", "config", "refused", "prompt-blocked", "awaiting-human"]],
    [
      "failed",
      [
        "start-failed",
        "idle",
        "no-first-turn",
        "wall-clock",
        "interrupted",
        "killed",
        "crashed",
        "lost",
        "no-result",
        "output-limit",
        "agent-error",
      ],
    ],
    ["stopped", ["stopped"]],
  ])("these reasons mean: %s", (expected, kinds) => {
    expect(kinds.map((kind) => exitClass({ kind } as ExitReason))).toEqual(kinds.map(() => expected));
  });
});

describe("a refusal of ours outranks what the agent makes of it", () => {
  const refused: Refused = { by: "window", detail: "the cap is reached" };
  const capped: ExitReason = { kind: "capped", ...refused };

  test.each<Row>([
    ["an error of the request", [...worked, result({ isError: true, apiErrorStatus: 400 })], exited(1), capped],
    ["a good result: a subagent met the cap", [...worked, result()], exited(0), capped],
    ["a clock that ran out on an agent that tried again and again", worked, byUs("idle-clock", 143), capped],
    ["our own end of a window that would not take it for an answer", worked, byUs("window-limit", 143), capped],
    ["a person's stop stays a stop", worked, byUs("stopped", 0), { kind: "stopped" }],
    ["a call that was made past the guard was made", worked, byUs("unguarded", 143), { kind: "unguarded" }],
    ["a program that took no guard took none", worked, byUs("no-guard", 0), expect.objectContaining({ kind: "start-failed" })],
  ])("%s", (_name, events, end, reason) => {
    expect(exitReason(foldEvents(events), end, refused)).toEqual(reason);
  });

  test("a model without a price is a person's to mend", () => {
    expect(exitClass({ kind: "capped", by: "unpriced", detail: "" })).toBe("needs-person");
  });
});

test("the table reads as a list of sentences, each said once", () => {
  const sentences = exitTable.map(([when]) => when);
  expect(new Set(sentences).size).toBe(sentences.length);
});
