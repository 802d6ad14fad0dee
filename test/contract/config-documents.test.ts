/** One table of settings, four places that show it: each is compared with the table. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeDefaultConfig } from "../../src/config/default-file.ts";
import { jsonLine } from "../../src/config/json-line.ts";
import { formatJsonSchema } from "../../src/config/json-schema.ts";
import type { Key } from "../../src/config/key.ts";
import { keysByPath } from "../../src/config/keys.ts";
import { resolve } from "./config-fixture.ts";

function inProject({ cap, personal }: Key<unknown>): string {
  if (personal) return "never";
  return cap === undefined ? "any" : `not ${cap.looser}`;
}

const root = join(import.meta.dirname, "../..");
const defaults = resolve({}).value;

test("every default passes its own check, except the agent, which has none", () => {
  const refused = [...keysByPath].filter(([, key]) => !key.schema.safeParse(key.default).success).map(([path]) => path);
  expect(refused).toEqual(["agent.command"]);
});

test("every example passes its own check", () => {
  const refused = [...keysByPath].filter(([, key]) => key.example !== undefined && !key.schema.safeParse(key.example).success);
  expect(refused).toEqual([]);
});

test("the file that `init` writes gives the defaults", () => {
  expect(resolve({ project: writeDefaultConfig() }).value).toEqual(defaults);
});

test("it sets no cap, so a user with tighter ones is not refused", () => {
  const user = '{ "limits": { "run": 1, "windows": 1, "windowTime": "1m" }, "retention": { "events": "3650d", "logs": "3650d" } }';
  expect(resolve({ user, project: writeDefaultConfig() }).value.limits).toMatchObject({ run: 1, windows: 1, windowTime: "1m" });
});

test("with every comment taken away it names each setting that a project may have, and still gives the defaults", () => {
  const project = writeDefaultConfig().replaceAll(/^( *)\/\/ (?=")/gm, "$1");
  const resolved = resolve({ project });
  expect(resolved.value).toEqual({ ...defaults, agent: { ...defaults.agent, command: ["codex", "exec", "-"] } });
  const left = [...resolved.origins].filter(([, origin]) => origin.layer !== "project").map(([path]) => path);
  expect(left).toEqual([...keysByPath].filter(([, key]) => key.personal).map(([path]) => path));
});

test("`init` may name the agent and the plan it found", () => {
  const project = writeDefaultConfig({ command: ["my agent", '--say "hi"'], plan: "docs/todo.md" });
  expect(resolve({ project }).value).toEqual({
    ...defaults,
    plan: "docs/todo.md",
    agent: { ...defaults.agent, command: ["my agent", '--say "hi"'] },
  });
});

test("schema/midwatch.schema.json is what `node scripts/make-config-schema.mjs` writes", () => {
  expect(readFileSync(join(root, "schema/midwatch.schema.json"), "utf8")).toBe(formatJsonSchema());
});

test("the schema names each setting with its default, and nothing else", () => {
  const rows = [...keysByPath].map(([path, key]) => [path, key.default === null ? undefined : key.default]);
  expect(Object.fromEntries(defaultsIn(JSON.parse(formatJsonSchema())))).toEqual(Object.fromEntries([...rows, ["$schema", undefined]]));
});

interface SchemaNode {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
}

function defaultsIn(node: SchemaNode, prefix = ""): [string, unknown][] {
  return Object.entries(node.properties ?? {}).flatMap(([name, child]): [string, unknown][] =>
    child.properties === undefined ? [[`${prefix}${name}`, child.default]] : defaultsIn(child, `${prefix}${name}.`),
  );
}

test("docs/config.md has a row for each setting, in order, and it is right", () => {
  const rows = readFileSync(join(root, "docs/config.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  const expected = [...keysByPath].map(([path, key]) => {
    const value = key.schema.safeParse(key.default).success ? `\`${jsonLine(key.default)}\`` : "none";
    return `| \`${path}\` | ${value} | ${key.unit} | ${key.about} | ${inProject(key)} |`;
  });
  expect(rows).toEqual(expected);
});

test("the example in docs/config.md is a file that a project may have", () => {
  const [, example] = /```jsonc\n([\s\S]*?)```/.exec(readFileSync(join(root, "docs/config.md"), "utf8")) ?? [];
  expect(resolve({ project: example ?? "" }).value).toMatchObject({
    agent: { passEnv: ["AWS_*"] },
    limits: { run: 40, windowTime: "1h30m" },
  });
});
