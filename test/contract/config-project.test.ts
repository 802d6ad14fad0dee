/** The project's file lies where an agent can write: it may tighten a cap and never loosen one. */
import { expect, test } from "vitest";
import { keysByPath } from "../../src/config/keys.ts";
import { refusalOf, resolve, userFile } from "./config-fixture.ts";

interface Row {
  readonly path: string;
  readonly looser: string;
  /** What the user's file says, and two values on either side of it. */
  readonly said: unknown;
  readonly tighter: unknown;
  readonly wider: unknown;
  /** Looser than the default. */
  readonly overDefault: unknown;
}

const rows: readonly Row[] = [
  { path: "limits.windows", looser: "larger", said: 60, tighter: 59, wider: 61, overDefault: 41 },
  { path: "limits.run", looser: "larger", said: 300, tighter: 299.99, wider: 300.01, overDefault: 150.01 },
  { path: "limits.window", looser: "larger", said: 30, tighter: 29, wider: 31, overDefault: 21 },
  { path: "limits.call", looser: "larger", said: 3, tighter: 2, wider: 4, overDefault: undefined },
  { path: "limits.task", looser: "larger", said: 3, tighter: 2, wider: 4, overDefault: undefined },
  { path: "limits.day", looser: "larger", said: 3, tighter: 2, wider: 4, overDefault: undefined },
  { path: "limits.month", looser: "larger", said: 3, tighter: 2, wider: 4, overDefault: undefined },
  { path: "gateway.mode", looser: "weaker", said: "auto", tighter: "on", wider: "off", overDefault: "off" },
  { path: "gateway.unpriced", looser: "weaker", said: "refuse", tighter: "refuse", wider: "allow", overDefault: "allow" },
  { path: "limits.reserve", looser: "smaller", said: 3, tighter: 3.5, wider: 2.5, overDefault: 0.99 },
  { path: "limits.unknownCost", looser: "smaller", said: 0.5, tighter: 0.6, wider: 0.4, overDefault: 0.99 },
  { path: "limits.unknownCostWindows", looser: "larger", said: 50, tighter: 49, wider: 51, overDefault: 11 },
  { path: "limits.idleWindows", looser: "larger", said: 4, tighter: 3, wider: 5, overDefault: 3 },
  { path: "limits.windowsWithoutTask", looser: "larger", said: 6, tighter: 5, wider: 7, overDefault: 4 },
  { path: "limits.failedWindows", looser: "larger", said: 4, tighter: 3, wider: 5, overDefault: 3 },
  { path: "limits.attemptsPerTask", looser: "larger", said: 6, tighter: 5, wider: 7, overDefault: 4 },
  { path: "limits.agents", looser: "larger", said: 20, tighter: 19, wider: 21, overDefault: 13 },
  { path: "limits.agentsEach", looser: "larger", said: 8, tighter: 7, wider: 9, overDefault: 6 },
  { path: "limits.windowTime", looser: "longer", said: "4h", tighter: "239m", wider: "4h1s", overDefault: "181m" },
  { path: "limits.idleTime", looser: "longer", said: "20m", tighter: "19m59s", wider: "1h", overDefault: "601s" },
  { path: "limits.runTime", looser: "longer", said: "8h", tighter: "7h", wider: "9h", overDefault: undefined },
  { path: "agent.containment", looser: "weaker", said: "auto", tighter: "namespace", wider: "partial", overDefault: "partial" },
  { path: "agent.sandbox", looser: "weaker", said: "auto", tighter: "on", wider: "off", overDefault: "off" },
  { path: "agent.mcpServers", looser: "weaker", said: "none", tighter: "none", wider: "approved", overDefault: undefined },
  { path: "agent.repositorySettings", looser: "weaker", said: "ignored", tighter: "ignored", wider: "approved", overDefault: undefined },
  { path: "integrity", looser: "weaker", said: "report", tighter: "refuse", wider: "off", overDefault: "report" },
  { path: "recheck", looser: "weaker", said: "after-window", tighter: "after-window", wider: "before-done", overDefault: undefined },
  { path: "batch.attempts", looser: "larger", said: 6, tighter: 5, wider: 7, overDefault: 4 },
  { path: "batch.time", looser: "longer", said: "2h", tighter: "119m", wider: "121m", overDefault: "61m" },
  { path: "batch.cap", looser: "larger", said: 200, tighter: 199, wider: 201, overDefault: 151 },
  { path: "batch.jobCap", looser: "larger", said: 3, tighter: 2, wider: 4, overDefault: undefined },
  { path: "eval.cap", looser: "larger", said: 60, tighter: 59, wider: 61, overDefault: 51 },
  { path: "eval.jobCap", looser: "larger", said: 3, tighter: 2, wider: 4, overDefault: undefined },
  { path: "eval.day", looser: "larger", said: 30, tighter: 20, wider: 31, overDefault: undefined },
  { path: "eval.month", looser: "larger", said: 300, tighter: 200, wider: 301, overDefault: undefined },
  { path: "retention.events", looser: "shorter", said: "60d", tighter: "61d", wider: "59d", overDefault: "89d" },
  { path: "retention.logs", looser: "shorter", said: "20d", tighter: "21d", wider: "479h", overDefault: "29d" },
  { path: "retention.answers", looser: "shorter", said: "60d", tighter: "61d", wider: "59d", overDefault: "89d" },
  { path: "retention.batches", looser: "shorter", said: "60d", tighter: "61d", wider: "59d", overDefault: "89d" },
];

function fileWith(path: string, value: unknown): string {
  const [group, name] = path.split(".");
  return JSON.stringify(name === undefined ? { [path]: value } : { [group!]: { [name]: value } }, null, 2);
}

const placeIn = (file: string, path: string): string => `${file}:${path.includes(".") ? 3 : 2}`;

function settingIn(said: { user?: string; project?: string }, path: string): unknown {
  return path.split(".").reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], resolve(said).value);
}

test("what the project's file protects is added to what the user's file does", () => {
  const [user, project] = [fileWith("protect", ["golden/**", "a"]), fileWith("protect", ["a", "b"])];
  expect(settingIn({ user, project }, "protect")).toEqual(["golden/**", "a", "b"]);
  expect(settingIn({ user }, "protect")).toEqual(["golden/**", "a"]);
  expect(settingIn({ project: fileWith("protect", []), user }, "protect")).toEqual(["golden/**", "a"]);
});

test("what the project's file denies is added to what the user's file does, and it grants nothing", () => {
  const rule = (command: string) => ({ command, reason: "by hand" });
  const [user, project] = [fileWith("guard.deny", [rule("a b")]), fileWith("guard.deny", [rule("c")])];
  expect(settingIn({ user, project }, "guard.deny")).toEqual([rule("a b"), rule("c")]);
  expect(settingIn({ project: fileWith("guard.deny", []), user }, "guard.deny")).toEqual([rule("a b")]);
  const grant = fileWith("guard.allow", [rule("rm -rf x")]);
  expect(refusalOf(() => resolve({ project: grant })).message).toContain("guard.allow may not be set in a project's file");
  expect(settingIn({ user: grant }, "guard.allow")).toEqual([rule("rm -rf x")]);
});

test("every cap has its row here", () => {
  const caps = [...keysByPath].filter(([, key]) => key.cap !== undefined).map(([path, key]) => [path, key.cap?.looser]);
  expect(Object.fromEntries(caps)).toEqual(Object.fromEntries(rows.map((row) => [row.path, row.looser])));
});

test.each(rows)("$path: tighter than the user's file is fine, and so is the same", ({ path, said, tighter }) => {
  const user = fileWith(path, said);
  expect(settingIn({ user, project: fileWith(path, tighter) }, path)).toEqual(tighter);
  expect(settingIn({ user, project: fileWith(path, said) }, path)).toEqual(said);
});

test.each(rows)("$path: $looser than the user's file is refused, with the place for it", ({ path, looser, said, wider }) => {
  const refusal = refusalOf(() => resolve({ user: fileWith(path, said), project: fileWith(path, wider) }));
  expect(refusal).toMatchObject({ kind: "config", code: "E_CONFIG_LOOSER" });
  expect(refusal.message).toBe(
    `${placeIn("midwatch.jsonc", path)}: ${path} ${JSON.stringify(wider)} is ${looser} than the ${JSON.stringify(said)} of ${placeIn(userFile, path)}: a project's file may only tighten it`,
  );
  expect(refusal.hint).toContain(`into ${userFile}, or set MIDWATCH_`);
  expect(refusal.hint).not.toContain("\n");
});

test.each(rows.filter((row) => row.overDefault !== undefined))(
  "$path: $looser than the default is refused where the user says nothing",
  (row) => {
    const refusal = refusalOf(() => resolve({ project: fileWith(row.path, row.overDefault) }));
    expect(refusal).toMatchObject({
      kind: "config",
      code: "E_CONFIG_LOOSER",
      message: expect.stringMatching(/ than the default .+: a project's file may only tighten it$/),
    });
  },
);

test.each(rows.filter((row) => row.overDefault !== undefined))(
  "$path: the user's file, the environment and a flag may loosen it",
  ({ path, overDefault }) => {
    expect(settingIn({ user: fileWith(path, overDefault) }, path)).toEqual(overDefault);
    const text = String(overDefault);
    const variable = `MIDWATCH_${path.replaceAll(".", "_").replaceAll(/([a-z])([A-Z])/g, "$1_$2")}`.toUpperCase();
    expect(resolve({ env: { [variable]: text } }).origins.get(path)?.layer).toBe("environment");
    expect(resolve({ flags: [{ path, flag: "--x", value: text }] }).origins.get(path)?.layer).toBe("flag");
  },
);

test("only the person says what else an agent may write", () => {
  expect(refusalOf(() => resolve({ project: '{"agent":{"writable":["/etc"]}}' }))).toMatchObject({
    kind: "config",
    code: "E_CONFIG_PERSONAL",
  });
});

test.each(["gateway.anthropic", "gateway.openai"])("%s: only the person says where calls and keys go", (path) => {
  const mine = "http://127.0.0.1:4000";
  for (const user of [undefined, fileWith(path, mine)]) {
    const refusal = refusalOf(() =>
      resolve({ ...(user === undefined ? {} : { user }), project: fileWith(path, "https://elsewhere.test") }),
    );
    expect(refusal).toMatchObject({ kind: "config", code: "E_CONFIG_PERSONAL" });
    expect(refusal.hint).toContain(`into ${userFile}, or set MIDWATCH_GATEWAY_`);
  }
  expect(settingIn({ user: fileWith(path, `${mine}/`) }, path)).toBe(mine);
});

test.each<[string, string, string]>([
  ["no clock where the user set one is longer", '{"limits":{"runTime":"8h"}}', '{"limits":{"runTime":null}}'],
  ["auto is weaker than a namespace", '{"agent":{"containment":"namespace"}}', '{"agent":{"containment":"auto"}}'],
  ["partial is weaker than a namespace", '{"agent":{"containment":"namespace"}}', '{"agent":{"containment":"partial"}}'],
])("%s", (_title, user, project) => {
  expect(refusalOf(() => resolve({ user, project }))).toMatchObject({ kind: "config", code: "E_CONFIG_LOOSER" });
});

test("a clock of the project's own is tighter than none", () => {
  expect(resolve({ project: '{"limits":{"runTime":"720h"}}' }).value.limits.runTime).toBe("720h");
});

test("a project that loosens is refused even where a flag wins in the end", () => {
  const flags = [{ path: "limits.run", flag: "--run-usd", value: "10" }];
  expect(refusalOf(() => resolve({ project: '{"limits":{"run":500}}', flags }))).toEqual({
    kind: "config",
    code: "E_CONFIG_LOOSER",
    message: "midwatch.jsonc:1: limits.run 500 is larger than the default 150: a project's file may only tighten it",
    hint: `put "limits": { "run": 500 } into ${userFile}, or set MIDWATCH_LIMITS_RUN=500, or give it as a flag`,
  });
});

test("what is no cap is the project's to choose", () => {
  const project = `{ "limits": { "toolTime": "2h", "criterionTime": "1h", "contextTokens": 900000, "tasksPerWindow": 9 }, "leftovers": "next-window", "logMiB": 128 }`;
  expect(resolve({ project }).value.limits).toMatchObject({
    toolTime: "2h",
    criterionTime: "1h",
    contextTokens: 900_000,
    tasksPerWindow: 9,
  });
});

test.each([
  ["/home/ann/.ssh/id_ed25519", "is not relative to the top of the working tree"],
  ["../secret.md", "leaves the working tree"],
  [".git/config", "lies in .git, which is git's own"],
])("the prompt %s of a project's file is refused; the user may name it", (path, trouble) => {
  const text = JSON.stringify({ prompt: path });
  const refusal = refusalOf(() => resolve({ project: text }));
  expect(refusal).toMatchObject({ kind: "config", message: `midwatch.jsonc:1: prompt ${JSON.stringify(path)} ${trouble}` });
  expect(resolve({ user: text }).value.prompt).toBe(path);
});
