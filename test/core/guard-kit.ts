/** A guard's context for a made-up tree, and the shortest way to a verdict. */
import { createShellParser } from "../../src/adapters/shell/shell-parser.ts";
import type { Action, Verdict } from "../../src/core/guard/action.ts";
import type { GuardContext } from "../../src/core/guard/context.ts";
import type { GitSettings } from "../../src/core/guard/git-settings.ts";
import { judgeAction } from "../../src/core/guard/judge.ts";
import { noPolicy } from "../../src/core/guard/policy.ts";

export const top = "/home/dev/project";

const parser = createShellParser();

/** The same in every folder. */
export const gitSettings: GitSettings = {
  aliases: new Map([
    ["st", "status"],
    ["fp", "push --force"],
    ["nuke", "!rm -rf"],
  ]),
  routes: [{ key: "remote.origin.url", value: "git@github.com:dev/project.git" }],
  guesses: false,
};

export const context: GuardContext = {
  top,
  home: "/home/dev",
  state: "/home/dev/.local/state/midwatch",
  protectedPaths: [`${top}/midwatch.jsonc`, `${top}/.claude`],
  policy: noPolicy,
  supervisorPids: [4242, 4243],
  startRoutes: gitSettings.routes,
  gitSettingsOf: () => gitSettings,
  placesOf: (path) => [path],
  changes: null,
  memory: new Map(),
  parseShell: (text) => parser.parse(text),
};

/** The verdict on a command in the tree's folder. */
export function verdictOn(command: string, change: Partial<GuardContext> = {}): Verdict {
  return judgeAction({ kind: "shell", command, cwd: top }, { ...context, ...change });
}

/** "allow", or the family of the denial: short enough for a table. */
export function familyOf(action: Action, change: Partial<GuardContext> = {}): string {
  const verdict = judgeAction(action, { ...context, ...change });
  return verdict.kind === "allow" ? "allow" : verdict.family;
}

/** The same for a command. */
export function familyOfCommand(command: string, change: Partial<GuardContext> = {}): string {
  return familyOf({ kind: "shell", command, cwd: top }, change);
}

/** Keys that are none: of the right shape, made by nobody. Put together here, so that no scanner takes this file for a leak. */
export const fakeKeys = {
  anthropic: `sk-${"ant"}-api03-Qm7xT2vLr9KdW4sYp8ZcJ1nHb6GfA3eU`,
  openai: `sk-${"proj"}-Qm7xT2vLr9KdW4sYp8ZcJ1nHb6GfA3eU`,
  github: `gh${"p"}_Qm7xT2vLr9KdW4sYp8ZcJ1nHb6GfA3eU0123`,
  aws: `AK${"IA"}QM7XT2VLR9KDW4SY`,
  slack: `xo${"xb"}-2147483647-Qm7xT2vLr9KdW4sY`,
  privateKey: `-----BEGIN ${"RSA"} PRIVATE KEY-----`,
} as const;
