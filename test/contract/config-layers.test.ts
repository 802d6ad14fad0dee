/** Which layer wins, what each place is called, and what the core gets in the end. */
import { expect, test } from "vitest";
import { batchDefaults } from "../../src/config/batch-settings.ts";
import { describeConfig } from "../../src/config/describe.ts";
import { variableOf } from "../../src/config/environment-layer.ts";
import { keysByPath } from "../../src/config/keys.ts";
import { retention, runSettings } from "../../src/config/run-settings.ts";
import { refusalOf, resolve, type Said, userFile } from "./config-fixture.ts";

const user = '{\n  "limits": { "run": 300 }\n}';
const project = '{\n  // the night is short\n  "limits": {\n    "run": 90,\n  },\n}';
const env = { MIDWATCH_LIMITS_RUN: "500" };
const flags = [{ path: "limits.run", flag: "--run-usd", value: "7.5" }];

test.each<[string, Said, number, { layer: string; place: string }]>([
  ["with nothing said, the default counts", {}, 150, { layer: "default", place: "default" }],
  ["the user's file beats the default", { user }, 300, { layer: "user", place: `${userFile}:2` }],
  ["the project's file beats the user's", { user, project }, 90, { layer: "project", place: "midwatch.jsonc:4" }],
  ["the environment beats the project's file", { user, project, env }, 500, { layer: "environment", place: "MIDWATCH_LIMITS_RUN" }],
  ["a flag beats the environment", { user, project, env, flags }, 7.5, { layer: "flag", place: "--run-usd" }],
])("%s", (_title, said, value, origin) => {
  const resolved = resolve(said);
  expect(resolved.value.limits.run).toBe(value);
  expect(resolved.origins.get("limits.run")).toEqual(origin);
});

test("layers mix key by key, and the origin of each is kept", () => {
  const resolved = resolve({
    user: '{"limits":{"window":5}}',
    project: '{"limits":{"windows":9},"onQuestion":"wait"}',
    env: { MIDWATCH_PLAN: "todo.md" },
  });
  expect(resolved.value).toMatchObject({ plan: "todo.md", onQuestion: "wait", limits: { window: 5, windows: 9, run: 150 } });
  const layers = ["plan", "onQuestion", "limits.window", "limits.windows", "limits.run"].map((path) => resolved.origins.get(path)?.layer);
  expect(layers).toEqual(["environment", "project", "user", "project", "default"]);
});

test("a list or an object is replaced whole", () => {
  const resolved = resolve({
    user: '{"agent":{"env":{"A":"1"},"passEnv":["A"]}}',
    project: '{"agent":{"env":{"B":"2"},"passEnv":["B_*"]}}',
  });
  expect(resolved.value.agent).toMatchObject({ env: { B: "2" }, passEnv: ["B_*"] });
});

test("a flag may hand over a value that is no text", () => {
  const resolved = resolve({ flags: [{ path: "agent.command", flag: "--", value: ["my agent", "", "--x y"] }] });
  expect(resolved.value.agent.command).toEqual(["my agent", "", "--x y"]);
});

test("a flag for a setting that does not exist is a fault of ours", () => {
  const refusal = refusalOf(() => resolve({ flags: [{ path: "limits.walk", flag: "--walk", value: "1" }] }));
  expect(refusal).toMatchObject({ kind: "bug", code: "E_CONFIG_PATH" });
});

test.each<[string, string, unknown]>([
  ["MIDWATCH_LIMITS_WINDOWS", "12", 12],
  ["MIDWATCH_LIMITS_UNKNOWN_COST_WINDOWS", "3", 3],
  ["MIDWATCH_LIMITS_WINDOW_TIME", "1h30m", "1h30m"],
  ["MIDWATCH_LIMITS_RUN_TIME", "8h", "8h"],
  ["MIDWATCH_LIMITS_RUN_TIME", "null", null],
  ["MIDWATCH_LOG_MIB", "8", 8],
  ["MIDWATCH_ON_PROVIDER_LIMIT", "stop", "stop"],
  ["MIDWATCH_AGENT_COMMAND", '["codex","exec","-"]', ["codex", "exec", "-"]],
  ["MIDWATCH_AGENT_PASS_ENV", '["AWS_*"]', ["AWS_*"]],
  ["MIDWATCH_AGENT_ENV", '{"K":"V"}', { K: "V" }],
  ["MIDWATCH_BOOKKEEPING", '["docs/"]', ["docs"]],
  ["MIDWATCH_RETENTION_EVENTS", "7d", "7d"],
])("the variable %s=%s is read", (name, text, value) => {
  const row = describeConfig(resolve({ env: { [name]: text } })).find((entry) => entry.place === name);
  expect(row).toMatchObject({ value, origin: "environment" });
});

test("every setting but the handoff has a variable of its own", () => {
  const names = [...keysByPath.keys()].map(variableOf);
  expect(names.filter((name) => name === null)).toHaveLength(1);
  expect(variableOf("handoff")).toBeNull();
  expect(new Set(names).size).toBe(keysByPath.size);
});

test("names that agents and tests get are no settings and no mistakes", () => {
  const names = ["WINDOW", "RUN", "URL", "HANDOFF", "WINDOW_NUMBER", "NESTED", "FAULT", "FAULT_AT", "FAULTS", "DEMO", "DEMO_PACE"];
  const resolved = resolve({ env: Object.fromEntries(names.map((name) => [`MIDWATCH_${name}`, "whatever"])) });
  expect(resolved.warnings).toEqual([]);
  expect(resolved.value).toEqual(resolve({}).value);
});

test.each([
  ["a slip", "MIDWATCH_LIMIT_RUN", 'the variable "MIDWATCH_LIMIT_RUN" is no setting and was ignored; did you mean MIDWATCH_LIMITS_RUN?'],
  ["a stranger", "MIDWATCH_COLOUR_OF_THE_SKY", 'the variable "MIDWATCH_COLOUR_OF_THE_SKY" is no setting and was ignored'],
  ["a colour code", "MIDWATCH_\u001b[31m", 'the variable "MIDWATCH_?[31m" is no setting and was ignored'],
])("%s in a variable's name is one line of warning", (_title, name, warning) => {
  expect(resolve({ env: { [name]: "1", OTHER: "2" } }).warnings).toEqual([warning]);
});

test("rows for `config show` are in the order of the table, whole, and hide what looks like a secret", () => {
  const rows = describeConfig(resolve({ project: '{"agent":{"env":{"MY_API_KEY":"hunter2","MODE":"night"}}}' }));
  expect(rows.map((row) => row.path)).toEqual([...keysByPath.keys()]);
  expect(rows.find((row) => row.path === "agent.env")).toEqual({
    path: "agent.env",
    value: { MY_API_KEY: "(hidden)", MODE: "night" },
    origin: "project",
    place: "midwatch.jsonc:1",
  });
});

const withAgent = '{"agent":{"command":["my-agent","-"]}}';
const now = 1_700_000_000_000;

test("the defaults become the core's integers", () => {
  expect(runSettings(resolve({ project: withAgent }), { now, promptTemplate: null })).toEqual({
    plan: { kind: "list", path: "tasks.md" },
    agent: {
      kind: "command",
      command: ["my-agent", "-"],
      passEnv: [],
      env: {},
      containment: "auto",
      sandbox: "auto",
      writable: [],
      repositorySettings: "approved",
    },
    limits: {
      windows: 40,
      runMicroUsd: 150_000_000,
      windowMicroUsd: 20_000_000,
      unknownCostMicroUsd: 1_000_000,
      unknownCostWindows: 10,
      idleWindows: 2,
      windowsWithoutTask: 3,
      failedWindows: 2,
      attemptsPerTask: 3,
      tasksPerWindow: 5,
      windowMs: 10_800_000,
      idleMs: 600_000,
      toolMs: 3_600_000,
      lingerMs: 30_000,
      graceMs: 5000,
      criterionMs: 600_000,
      callMicroUsd: null,
      taskMicroUsd: null,
      dayMicroUsd: null,
      monthMicroUsd: null,
      reserveMicroUsd: 1_000_000,
      agents: 12,
      agentsEach: 5,
      contextTellTokens: 150_000,
      contextTokens: 200_000,
      outageMs: 30_000,
      outageCeilingMs: 900_000,
      deadlineAt: null,
    },
    handoff: ".midwatch/handoff.md",
    bookkeeping: ["midwatch.jsonc", "tasks.md", ".midwatch"],
    gateway: { mode: "auto", anthropic: null, openai: null, unpriced: "refuse" },
    guard: { deny: [], grants: [] },
    leftovers: "ask",
    recheck: "before-done",
    integrity: "refuse",
    protect: [],
    onProviderLimit: "wait",
    onQuestion: "stop",
    promptTemplate: null,
    logBytes: 67_108_864,
  });
});

test("each setting of a batch reaches its own place", () => {
  const said = `{
    "batch": { "slots": 2, "attempts": 1, "lease": "1m", "time": "2m", "cap": 3, "jobCap": 0.5, "answerMiB": 4, "jobMiB": 5 },
    "limits": { "call": 0.1, "day": 6, "month": 7, "graceTime": "9s" }
  }`;
  expect(batchDefaults(resolve({ project: said }))).toEqual({
    ...{ slots: 2, attempts: 1, leaseMs: 60_000, jobMs: 120_000, graceMs: 9000, maxAnswerBytes: 4_194_304, maxJobBytes: 5_242_880 },
    ...{ batchMicroUsd: 3_000_000, jobMicroUsd: 500_000, callMicroUsd: 100_000, dayMicroUsd: 6_000_000, monthMicroUsd: 7_000_000 },
    unpriced: "refuse",
  });
});

test("each setting reaches its own place in the run", () => {
  const said = `{
    "plan": "./plans/../list.md", "handoff": "notes/handoff.md", "bookkeeping": ["docs/journal.md", "./list.md"],
    "agent": { "command": ["a"], "passEnv": ["P"], "env": { "K": "V" }, "containment": "namespace", "repositorySettings": "ignored" },
    "limits": { "windows": 1, "run": 0.1, "window": 0.07, "reserve": 2, "unknownCost": 1.5, "unknownCostWindows": 2, "idleWindows": 1, "windowsWithoutTask": 2,
      "failedWindows": 1, "attemptsPerTask": 2, "tasksPerWindow": 4, "windowTime": "2h", "idleTime": "1m", "toolTime": "2m", "lingerTime": "3s",
      "graceTime": "250ms", "criterionTime": "5m", "contextTellTokens": 900, "contextTokens": 1000, "outageWait": "1s", "outageCeiling": "1m1s", "runTime": "1h" },
    "guard": { "deny": [{ "command": "terraform apply", "reason": "shared" }, { "tool": "WebFetch", "reason": "offline" }, { "write": "db/**", "reason": "released" }] },
    "leftovers": "next-window", "recheck": "after-window", "integrity": "refuse", "protect": ["golden/**"], "onProviderLimit": "stop", "onQuestion": "wait", "logMiB": 1,
    "retention": { "events": "91d", "logs": "30d12h", "answers": "100d", "batches": "120d" }
  }`;
  const user = '{ "guard": { "allow": [{ "command": "npm publish --tag *", "reason": "releases" }] } }';
  const resolved = resolve({ project: said, user });
  const plan = { kind: "prompt", path: "watch.md", everyMs: 1, iterations: null, forMs: null } as const;
  expect(runSettings(resolved, { now, plan, promptTemplate: "Do it." })).toEqual({
    plan,
    agent: {
      kind: "command",
      command: ["a"],
      passEnv: ["P"],
      env: { K: "V" },
      containment: "namespace",
      sandbox: "auto",
      writable: [],
      repositorySettings: "ignored",
    },
    limits: {
      windows: 1,
      runMicroUsd: 100_000,
      windowMicroUsd: 70_000,
      unknownCostMicroUsd: 1_500_000,
      unknownCostWindows: 2,
      idleWindows: 1,
      windowsWithoutTask: 2,
      failedWindows: 1,
      attemptsPerTask: 2,
      tasksPerWindow: 4,
      windowMs: 7_200_000,
      idleMs: 60_000,
      toolMs: 120_000,
      lingerMs: 3000,
      graceMs: 250,
      criterionMs: 300_000,
      callMicroUsd: null,
      taskMicroUsd: null,
      dayMicroUsd: null,
      monthMicroUsd: null,
      reserveMicroUsd: 2_000_000,
      agents: 12,
      agentsEach: 5,
      contextTellTokens: 900,
      contextTokens: 1000,
      outageMs: 1000,
      outageCeilingMs: 61_000,
      deadlineAt: now + 3_600_000,
    },
    handoff: "notes/handoff.md",
    bookkeeping: ["midwatch.jsonc", "watch.md", "notes/handoff.md", ".midwatch", "docs/journal.md", "list.md"],
    gateway: { mode: "auto", anthropic: null, openai: null, unpriced: "refuse" },
    guard: {
      deny: [
        { kind: "command", pattern: "terraform apply", reason: "shared" },
        { kind: "tool", pattern: "WebFetch", reason: "offline" },
        { kind: "write", pattern: "db/**", reason: "released" },
      ],
      grants: [{ kind: "run", what: "npm publish --tag *", by: "settings: releases" }],
    },
    leftovers: "next-window",
    recheck: "after-window",
    integrity: "refuse",
    protect: ["golden/**"],
    onProviderLimit: "stop",
    onQuestion: "wait",
    promptTemplate: "Do it.",
    logBytes: 1_048_576,
  });
  expect(retention(resolved)).toEqual({
    eventsMs: 7_862_400_000,
    logsMs: 2_635_200_000,
    answersMs: 8_640_000_000,
    batchesMs: 10_368_000_000,
  });
});

test("without an agent no run begins, and the line to write is shown", () => {
  expect(refusalOf(() => runSettings(resolve({}), { now, promptTemplate: null }))).toEqual({
    kind: "config",
    code: "E_AGENT_MISSING",
    message: "agent.command is not set: midwatch does not know which program should do the work",
    hint: 'write it into midwatch.jsonc: "agent": { "command": ["codex", "exec", "-"] }, or "agent": { "kind": "claude-code" }',
  });
});
