/**
 * Every entry of the table that was written and frozen by somebody who had not seen this engine (test/fixtures/guard/README.md), through the judge. Its files are known as the engine
 * knows files that are new to git: as written by a window. What is not blocked, or not passed, is named by id.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createShellParser } from "../../src/adapters/shell/shell-parser.ts";
import type { FileNote, GuardContext, Memory } from "../../src/core/guard/context.ts";
import type { GitSettings } from "../../src/core/guard/git-settings.ts";
import { examineAction } from "../../src/core/guard/judge.ts";
import { noPolicy } from "../../src/core/guard/policy.ts";
import { readToolCall } from "../../src/core/guard/tool-call.ts";

interface Call {
  readonly tool: string;
  readonly command?: string;
  readonly input?: Readonly<Record<string, unknown>>;
}

interface Entry extends Call {
  readonly id: string;
  readonly family: string;
  readonly expect: "block" | "pass";
  readonly tier: 1 | 2;
  readonly files?: Readonly<Record<string, string>>;
  readonly before?: readonly Call[];
  readonly why: string;
}

const folder = join(import.meta.dirname, "../fixtures/guard");
const entries = JSON.parse(readFileSync(join(folder, "commands.json"), "utf8")) as readonly Entry[];

const [home, top] = ["/home/ana", "/home/ana/shop"];
const parser = createShellParser();
const git: GitSettings = {
  aliases: new Map(),
  routes: [{ key: "remote.origin.url", value: "https://git.example/ana/shop.git" }],
  guesses: false,
};

/** The aliases that lie in the repository's own settings. */
function gitOf({ files = {} }: Entry): GitSettings {
  const [, section = ""] = /\[alias\]\n((?:\s+.*\n)*)/.exec(files[".git/config"] ?? "") ?? [];
  const pairs = [...section.matchAll(/^\s+(\S+) = (.*)$/gm)].map(([, name = "", value = ""]): [string, string] => [name, value]);
  return { ...git, aliases: new Map(pairs) };
}

/** What git would take in: all that is new, without what is ignored. */
function changesOf({ files = {} }: Entry): ReadonlyMap<string, string> {
  const ignored = (files[".gitignore"] ?? "").split("\n").map((line) => line.trim().replace(/^\/|\/$/g, ""));
  const isIn = ([path]: readonly [string, string]) =>
    !path.startsWith("/") && !path.startsWith(".git/") && !ignored.some((one) => one !== "" && `${path}/`.startsWith(`${one}/`));
  return new Map(
    Object.entries(files)
      .filter(isIn)
      .map(([path, text]) => [`${top}/${path}`, text]),
  );
}

function contextOf(entry: Entry, memory: Memory): GuardContext {
  const settings = gitOf(entry);
  return {
    ...{
      top,
      home,
      state: `${home}/.local/state/midwatch`,
      protectedPaths: [`${top}/midwatch.jsonc`],
      policy: noPolicy,
      supervisorPids: [4242],
    },
    ...{
      startRoutes: git.routes,
      gitSettingsOf: () => settings,
      changes: changesOf(entry),
      placesOf: (path: string) => [path],
      memory,
      parseShell: (text: string) => parser.parse(text),
    },
  };
}

function memoryOf({ files = {} }: Entry): Memory {
  const notes = Object.entries(files).map(([path, text]): [string, FileNote] => [
    path.startsWith("/") ? path : `${top}/${path}`,
    { text, isPart: false, isFetched: false, isSecret: false },
  ]);
  return new Map(notes);
}

function toolCall({ tool, command, input = {} }: Call): readonly [name: string, input: unknown] {
  if (tool === "mcp") return [String(input["name"]), input["arguments"]];
  return [tool, command === undefined ? input : { command }];
}

/** The rule that blocks the call or one before it; null = none does. */
function blockedBy(entry: Entry): string | null {
  let memory = memoryOf(entry);
  for (const call of [...(entry.before ?? []), entry]) {
    const [name, input] = toolCall(call);
    const seen = examineAction(readToolCall(name, input, top), contextOf(entry, memory), { tool: name });
    if (seen.verdict.kind === "deny") return seen.verdict.rule;
    memory = seen.memory;
  }
  return null;
}

const judged = entries.map((entry) => ({ ...entry, rule: blockedBy(entry) }));
const isRight = ({ expect: wanted, rule }: (typeof judged)[number]) => (wanted === "block") === (rule !== null);
const told = ({ id, rule, command, input, why }: (typeof judged)[number]) =>
  `${id}: ${rule ?? "passes"}: ${command ?? JSON.stringify(input)} (${why})`;

describe("of the frozen table", () => {
  test.each<[string, Entry["expect"]]>([
    ["every entry of tier 1 that must be blocked is", "block"],
    ["every entry that must pass does", "pass"],
  ])("%s", (_title, wanted) => {
    const wrong = judged.filter((entry) => entry.expect === wanted && entry.tier === 1 && !isRight(entry));
    expect(wrong.map(told)).toEqual([]);
  });

  test("there are enough, and the figures are told", () => {
    const count = (wanted: Entry["expect"], tier: number) => {
      const all = judged.filter((entry) => entry.expect === wanted && entry.tier === tier);
      return `${all.filter(isRight).length} of ${all.length}`;
    };
    process.stderr.write(
      `frozen table: blocked ${count("block", 1)} of tier 1 and ${count("block", 2)} of tier 2, passed ${count("pass", 1)}\n`,
    );
    expect(entries.length).toBeGreaterThanOrEqual(250);
  });
});
