/** What is refused: one line that names place and key, and a next step. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { variableOf } from "../../src/config/environment-layer.ts";
import { keysByPath } from "../../src/config/keys.ts";
import { asRefusal, type Refusal, refusalOf, resolve, type Said, userFile } from "./config-fixture.ts";

const inProject = (line: string): Said => ({ project: `{\n\n${line}\n}` });

function expectOneLine(refusal: { message: string; hint: string }): void {
  expect(refusal.message).not.toMatch(/[\n\r]/);
  expect(refusal.hint).toMatch(/^[^\n\r]+$/);
}

const time = 'must be a duration such as "90s", "10m" or "1h30m", above 0 and at most';

test.each<[string, string, string]>([
  ["a word for a number", '"limits": { "windows": "40" }', 'limits.windows must be a whole number from 1 to 10000, not "40"'],
  ["a broken number", '"limits": { "windows": 1.5 }', "limits.windows must be a whole number from 1 to 10000, not 1.5"],
  ["no window at all", '"limits": { "windows": 0 }', "limits.windows must be a whole number from 1 to 10000, not 0"],
  ["windows without end", '"limits": { "windows": 1000000 }', "limits.windows must be a whole number from 1 to 10000, not 1000000"],
  ["a list for a number", '"limits": { "windows": [40] }', "limits.windows must be a whole number from 1 to 10000, not a list"],
  ["negative money", '"limits": { "run": -1 }', "limits.run must be an amount in US$ above 0 and at most 100000, not -1"],
  ["no money", '"limits": { "window": 0 }', "limits.window must be an amount in US$ above 0 and at most 10000, not 0"],
  ["a floor of nothing", '"limits": { "unknownCost": 0 }', "limits.unknownCost must be an amount in US$ above 0 and at most 10000, not 0"],
  ["money without end", '"limits": { "run": 1e999 }', "limits.run must be an amount in US$ above 0 and at most 100000, not Infinity"],
  ["money too small to book", '"limits": { "run": 0.0000001 }', "limits.run must be an amount in US$ above 0 and at most 100000, not 1e-7"],
  ["a bare number for a time", '"limits": { "windowTime": 90 }', `limits.windowTime ${time} "168h", not 90`],
  ["a time without a unit", '"limits": { "idleTime": "90" }', `limits.idleTime ${time} "24h", not "90"`],
  ["a time in prose", '"limits": { "windowTime": "3 hours" }', `limits.windowTime ${time} "168h", not "3 hours"`],
  ["a time that goes back", '"limits": { "windowTime": "-3h" }', `limits.windowTime ${time} "168h", not "-3h"`],
  ["an empty time", '"limits": { "windowTime": "" }', `limits.windowTime ${time} "168h", not ""`],
  ["no time", '"limits": { "graceTime": "0s" }', `limits.graceTime "0s" ${time} "10m"`],
  ["a time without end", '"limits": { "windowTime": "9999h" }', `limits.windowTime "9999h" ${time} "168h"`],
  ["days where hours belong", '"limits": { "windowTime": "1d" }', `limits.windowTime ${time} "168h", not "1d"`],
  ["units in the wrong order", '"limits": { "windowTime": "30m1h" }', `limits.windowTime ${time} "168h", not "30m1h"`],
  [
    "a keeping time in words",
    '"retention": { "logs": "month" }',
    'retention.logs must be a duration such as "30d" or "12h", above 0 and at most "3650d", not "month"',
  ],
  ["an unknown word", '"leftovers": "reset"', 'leftovers must be one of "ask", "next-window", not "reset"'],
  ["a yes for a word", '"onQuestion": true', 'onQuestion must be one of "wait", "stop", not true'],
  ["null where there is no null", '"plan": null', "plan must be a path relative to the top of the working tree, not null"],
  [
    "a command in one text",
    '"agent": { "command": "codex exec -" }',
    'agent.command must be a list of words, the program first, not "codex exec -"',
  ],
  ["a command of nothing", '"agent": { "command": [] }', "agent.command must be a list of words, the program first, not an empty list"],
  [
    "a command without a program",
    '"agent": { "command": ["", "x"] }',
    'agent.command must be a list of words, the program first, not a list with "" in it',
  ],
  [
    "a command with a number",
    '"agent": { "command": ["a", 1] }',
    "agent.command must be a list of words, the program first, not a list with 1 in it",
  ],
  [
    "everything passed on",
    '"agent": { "passEnv": ["*"] }',
    'agent.passEnv must be a list of names such as ["DATABASE_URL", "AWS_*"], not a list with "*" in it',
  ],
  [
    "a star in the middle",
    '"agent": { "passEnv": ["A*B"] }',
    'agent.passEnv must be a list of names such as ["DATABASE_URL", "AWS_*"], not a list with "A*B" in it',
  ],
  ["an object for a list", '"bookkeeping": {}', 'bookkeeping must be a list of paths such as ["docs/journal.md"], not an object'],
  ["a text for a group", '"limits": "many"', "limits must be an object { … }, not a text"],
  ["null for a group", '"retention": null', "retention must be an object { … }, not null"],
  ["a template of blanks", '"prompt": "  "', 'prompt must be the path of a file, or null, not "  "'],
])("%s is refused with file, line and key", (_title, line, sentence) => {
  const refusal = refusalOf(() => resolve(inProject(line)));
  expect(refusal).toMatchObject({ kind: "config", code: "E_CONFIG_VALUE", message: `midwatch.jsonc:3: ${sentence}` });
  expectOneLine(refusal);
});

test.each<[string, string, string]>([
  ["a key two letters off", '"limits": { "windws": 4 }', 'did you mean "windows"?'],
  ["swapped letters", '"paln": "x"', 'did you mean "plan"?'],
  ["another case", '"agent": { "passenv": [] }', 'did you mean "passEnv"?'],
  ["a key of another group", '"run": 40', 'did you mean "limits.run"?'],
  ["a slip in the wrong group", '"agent": { "windowTim": "3h" }', 'did you mean "limits.windowTime"?'],
  [
    "an unknown group",
    '"notification": {}',
    "the keys here are plan, handoff, bookkeeping, agent, limits, gateway, guard, batch, eval, leftovers, recheck, integrity, protect, onProviderLimit, onQuestion, prompt, logMiB, retention",
  ],
  [
    "a name of every object",
    '"constructor": 1',
    "the keys here are plan, handoff, bookkeeping, agent, limits, gateway, guard, batch, eval, leftovers, recheck, integrity, protect, onProviderLimit, onQuestion, prompt, logMiB, retention",
  ],
  ["the parent of every object", '"limits": { "__proto__": { "run": 1 } }', "the keys here are windows, run, "],
  ["a schema in the wrong place", '"retention": { "$schema": "x" }', "the keys here are events, logs, answers, batches"],
])("%s is no setting, and the hint helps", (_title, line, hint) => {
  const refusal = refusalOf(() => resolve(inProject(line)));
  expect(refusal).toMatchObject({
    kind: "config",
    code: "E_CONFIG_KEY",
    message: expect.stringMatching(/^midwatch\.jsonc:3: ".+" is no setting$/),
  });
  expect(refusal.hint).toContain(hint);
  expectOneLine(refusal);
});

test("a key that is written twice is refused, not half forgotten", () => {
  const project = '{\n"limits": {\n"run": 10,\n"run": 90 } }';
  expect(refusalOf(() => resolve({ project }))).toEqual({
    kind: "config",
    code: "E_CONFIG_KEY",
    message: 'midwatch.jsonc:4: "limits.run" is written twice, first on line 3',
    hint: "keep one of the two",
  });
});

test.each<[string, Said, string, string]>([
  [
    "in a file, a command as one text gets its list back",
    { user: '{ "agent": { "command": "codex exec -" } }' },
    `${userFile}:1: agent.command must be a list of words, the program first, not "codex exec -"`,
    'write it like this: "command": ["codex", "exec", "-"]',
  ],
  [
    "in a variable, the list stands in quotes for a shell",
    { env: { MIDWATCH_AGENT_COMMAND: "codex exec" } },
    'MIDWATCH_AGENT_COMMAND: agent.command must be a list of words, the program first, not "codex exec"',
    `set it like this: MIDWATCH_AGENT_COMMAND='["codex", "exec"]'`,
  ],
  [
    "a command with quotes is the person's to part",
    { project: '{ "agent": { "command": "sh -c \'a b\'" } }' },
    "midwatch.jsonc:1: agent.command must be a list of words, the program first, not \"sh -c 'a b'\"",
    'write it like this: "command": ["codex", "exec", "-"]',
  ],
  [
    "an empty variable does not lose a cap",
    { env: { MIDWATCH_LIMITS_RUN: "" } },
    'MIDWATCH_LIMITS_RUN: limits.run must be an amount in US$ above 0 and at most 100000, not ""',
    "set it like this: MIDWATCH_LIMITS_RUN=150",
  ],
  [
    "a variable that is no number says so",
    { env: { MIDWATCH_LIMITS_RUN: "NaN" } },
    'MIDWATCH_LIMITS_RUN: limits.run must be an amount in US$ above 0 and at most 100000, not "NaN"',
    "set it like this: MIDWATCH_LIMITS_RUN=150",
  ],
  [
    "a dollar sign is not part of a number",
    { flags: [{ path: "limits.run", flag: "--run-usd", value: "$40" }] },
    '--run-usd: limits.run must be an amount in US$ above 0 and at most 100000, not "$40"',
    "write it like this: --run-usd 150",
  ],
  [
    "a flag that is no number at all",
    { flags: [{ path: "limits.windows", flag: "--windows", value: Number.NaN }] },
    "--windows: limits.windows must be a whole number from 1 to 10000, not NaN",
    "write it like this: --windows 40",
  ],
  [
    "the line inside a list is the entry's",
    { project: '{ "bookkeeping": [\n"docs",\n"src/.." ] }' },
    'midwatch.jsonc:3: bookkeeping "src/.." is the whole working tree',
    'write it like this: "bookkeeping": ["docs/journal.md"]',
  ],
  [
    "colour codes of a file do not reach the terminal",
    { project: '{ "leftovers": "\\u001b[31mred\\nline\\u009b" }' },
    'midwatch.jsonc:1: leftovers must be one of "ask", "next-window", not "?[31mred?line?"',
    'write it like this: "leftovers": "ask"',
  ],
  [
    "a long value is cut",
    { project: `{ "recheck": "${"x".repeat(5000)}" }` },
    `midwatch.jsonc:1: recheck must be one of "after-window", "before-done", not "${"x".repeat(60)}…"`,
    'write it like this: "recheck": "before-done"',
  ],
])("%s", (_title, said, message, hint) => {
  expect(refusalOf(() => resolve(said))).toEqual({ kind: "config", code: "E_CONFIG_VALUE", message, hint });
});

test.each<[string, Said]>([
  ["a value that is no text", { project: '{ "agent": { "env": { "A": ["hunter2"] } } }' }],
  ["a number", { project: '{ "agent": { "env": { "A": 4711 } } }' }],
  ["a text where the object should be", { project: '{ "agent": { "env": "A=hunter2" } }' }],
  ["a broken variable", { env: { MIDWATCH_AGENT_ENV: '{"A": hunter2' } }],
  ["a name that we do not pass", { project: '{ "agent": { "env": { "MIDWATCH_URL": "hunter2" } } }' }],
  ["a name that turns git elsewhere", { project: '{ "agent": { "env": { "GIT_DIR": "hunter2" } } }' }],
  ["a name that no variable can have", { project: '{ "agent": { "env": { "A B": "hunter2" } } }' }],
])("the environment for an agent is refused without showing it: %s", (_title, said) => {
  const refusal = refusalOf(() => resolve(said));
  expect(refusal).toMatchObject({ kind: "config", code: "E_CONFIG_VALUE", message: expect.stringContaining("agent.env ") });
  expect(`${refusal.message}${refusal.hint}`).not.toMatch(/hunter2|4711/);
});

test.each([
  ["", "is empty"],
  ["  ", "is empty"],
  ["tasks.md ", "begins or ends with a space"],
  ["/etc/passwd", "is not relative to the top of the working tree"],
  ["~/tasks.md", "is not relative to the top of the working tree"],
  ["../tasks.md", "leaves the working tree"],
  ["a/../../tasks.md", "leaves the working tree"],
  ["..", "leaves the working tree"],
  [".", "is the whole working tree"],
  ["./", "is the whole working tree"],
  ["src/..", "is the whole working tree"],
  [".git", "lies in .git, which is git's own"],
  [".git/config", "lies in .git, which is git's own"],
  ["x/../.git/hooks/pre-commit", "lies in .git, which is git's own"],
  [".GIT/config", "lies in .git, which is git's own"],
  ["sub/.git/config", "lies in .git, which is git's own"],
  ["midwatch.jsonc", "is this settings file itself"],
  ["./x/../midwatch.jsonc", "is this settings file itself"],
  ["docs\\tasks.md", 'contains a "\\": folders are divided by "/"'],
  ["docs/*.md", "is a pattern: name the file or the folder itself"],
  [":(top)tasks.md", 'begins with ":", which git reads as a command to itself'],
  ["a\nb", "contains a control character"],
  ["x".repeat(1025), "is longer than 1024 characters"],
])("the path %j %s, for plan, handoff and bookkeeping alike", (path, trouble) => {
  const text = JSON.stringify(path);
  for (const [key, project] of [
    ["plan", `{ "plan": ${text} }`],
    ["handoff", `{ "handoff": ${text} }`],
    ["bookkeeping", `{ "bookkeeping": [${text}] }`],
    ["prompt", `{ "prompt": ${text} }`],
  ] as const) {
    const refusal = refusalOf(() => resolve({ project }));
    expect(refusal).toMatchObject({ kind: "config", code: "E_CONFIG_VALUE" });
    expect(refusal.message).toMatch(new RegExp(`^midwatch\\.jsonc:1: ${key} `));
    if (key !== "prompt") expect(refusal.message.endsWith(` ${trouble}`)).toBe(true);
    expectOneLine(refusal);
  }
});

test.each(["plan", "handoff"])("%s is a file, bookkeeping may be a folder", (key) => {
  const refusal = refusalOf(() => resolve({ project: `{ "${key}": "docs/" }` }));
  expect(refusal.message).toBe(`midwatch.jsonc:1: ${key} "docs/" is a folder, and a file is needed`);
  expect(resolve({ project: '{ "bookkeeping": ["docs/", "./a/./b.md"] }' }).value.bookkeeping).toEqual(["docs", "a/b.md"]);
});

test.each<[string, Said, string]>([
  ["handoff on plan", { project: '{\n"handoff": "./tasks.md" }' }, "midwatch.jsonc:2"],
  ["plan on handoff", { env: { MIDWATCH_PLAN: ".midwatch/handoff.md" } }, "MIDWATCH_PLAN"],
  ["both from two layers", { project: '{"handoff":"n.md"}', flags: [{ path: "plan", flag: "--plan", value: "n.md" }] }, "--plan"],
])("a window must not write its note over the plan: %s", (_title, said, place) => {
  const refusal = refusalOf(() => resolve(said));
  expect(refusal).toMatchObject({ kind: "config", message: expect.stringMatching(/: plan and handoff are the same file ".+"$/) });
  expect(refusal.message.startsWith(`${place}: `)).toBe(true);
});

/** Whatever is said, it ends in settings or in one line of ours. */
function expectSettingsOrOneLine(said: Said): void {
  const ended = outcomeOf(said);
  if (ended === "settings") return;
  expect(ended.kind).toBe("config");
  expectOneLine(ended);
}

function outcomeOf(said: Said): "settings" | Refusal {
  try {
    resolve(said);
    return "settings";
  } catch (error) {
    return asRefusal(error);
  }
}

test("a file that is cut anywhere is refused in one line", () => {
  const whole =
    '{ // night\n  "plan": "a.md", /* why */\n  "agent": { "command": ["a", "\\u0062"], "env": { "K": "V" } },\n  "limits": { "run": 1.5e1, "runTime": null, },\n}';
  for (let length = 0; length < whole.length; length += 1) {
    const refusal = refusalOf(() => resolve({ project: whole.slice(0, length) }));
    expect(refusal).toMatchObject({ kind: "config", code: "E_CONFIG_SYNTAX" });
    expectOneLine(refusal);
  }
});

test("any JSON as any setting is taken or refused in one line", () => {
  const paths = [...keysByPath.keys()];
  fc.assert(
    fc.property(fc.constantFrom(...paths), fc.json(), (path, json) => {
      const [group, name] = path.split(".");
      const inside = name === undefined ? json : `{ "${name}": ${json} }`;
      expectSettingsOrOneLine({ user: `{ "${group}": ${inside} }` });
    }),
    { numRuns: 300 },
  );
});

test("any text as any variable is taken or refused in one line", () => {
  const names = [...keysByPath.keys()].flatMap((path) => variableOf(path) ?? []);
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.string({ unit: "binary-ascii" }), (name, text) =>
      expectSettingsOrOneLine({ env: { [name]: text } }),
    ),
    { numRuns: 300 },
  );
});
