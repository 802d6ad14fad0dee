/** The `midwatch.jsonc` that `init` writes: the few values that people change, and every other one that belongs in it as a comment with its default. */
import { jsonLine } from "./json-line.ts";
import type { Key } from "./key.ts";
import { isKey, type KeyGroup, keys } from "./keys.ts";

/** Where an editor finds the schema of the file it shows. */
export const schemaUrl = "https://unpkg.com/midwatch/schema/midwatch.schema.json";

// No cap is among them: one that says the default would be refused as looser where the user's own file is tighter.
const shownPaths: ReadonlySet<string> = new Set(["plan"]);

export interface DefaultFileChoices {
  /** The agent that `init` found or was given; without it the line stays a comment. */
  readonly command?: readonly [string, ...string[]];
  readonly kind?: "claude-code";
  /** Comments that show how programs which are here would be named. */
  readonly examples?: readonly (readonly [string, ...string[]])[];
  readonly plan?: string;
}

/** Ends in a newline. Without choices, reading it gives the defaults. */
export function writeDefaultConfig(choices: DefaultFileChoices = {}): string {
  const chosen = new Map<string, unknown>(
    Object.entries({ "agent.kind": choices.kind, "agent.command": choices.command, plan: choices.plan }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  const lines = [
    "// Settings of midwatch for this project. A line that is commented out shows the default.",
    "// Caps can only be tightened here: looser ones belong in your own file, ~/.config/midwatch/config.jsonc, or in a flag.",
    "{",
    `  "$schema": ${JSON.stringify(schemaUrl)},`,
    ...linesOf(keys, "", "  ", chosen).flatMap((line) => withExamples(line, choices.examples ?? [])),
    "}",
    "",
  ];
  return lines.join("\n");
}

/** In the place of the comment for `agent.command`, which shows a program that may not be here. */
function withExamples(line: string, examples: NonNullable<DefaultFileChoices["examples"]>): readonly string[] {
  if (examples.length === 0 || !line.startsWith('    // "command": ')) return [line];
  const about = line.slice(line.indexOf(", // "));
  return examples.map((command) => `    // "command": ${jsonLine(command)}${about}`);
}

function linesOf(group: KeyGroup, prefix: string, indent: string, chosen: ReadonlyMap<string, unknown>): string[] {
  return Object.entries(group).flatMap(([name, entry]) => {
    const path = `${prefix}${name}`;
    if (isKey(entry) && entry.personal) return [];
    if (isKey(entry)) return [lineOf(path, name, entry, indent, chosen)];
    return [`${indent}"${name}": {`, ...linesOf(entry, `${path}.`, `${indent}  `, chosen), `${indent}},`];
  });
}

function lineOf(path: string, name: string, key: Key<unknown>, indent: string, chosen: ReadonlyMap<string, unknown>): string {
  const value = chosen.get(path) ?? key.default;
  const isShown = chosen.has(path) || shownPaths.has(path);
  // A default that nobody can type (no agent) is shown by its example.
  const text = jsonLine(value === null && !key.schema.safeParse(null).success ? key.example : value);
  return `${indent}${isShown ? "" : "// "}"${name}": ${text}, // ${key.about}`;
}
