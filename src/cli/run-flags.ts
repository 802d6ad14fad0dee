/** The flags of `midwatch run`, and what they mean to the config. */
import { MidwatchError } from "../core/error.ts";
import type { Member, PlanSettings } from "../core/run-settings.ts";
import type { ConfigFlag } from "./app.ts";

export interface RunOptions {
  readonly board?: boolean;
  readonly member?: string;
  readonly team?: string;
  readonly prompt?: string;
  readonly every?: string;
  readonly iterations?: string;
  readonly minutes?: string;
  readonly branch?: string;
  readonly windows?: string;
  readonly maxUsd?: string;
  readonly windowUsd?: string;
  readonly windowTime?: string;
  readonly idleTime?: string;
  readonly for?: string;
  readonly leftovers?: string;
  readonly containment?: string;
  readonly ignoreRepoSettings?: boolean;
  /** Commander turns `--no-sandbox` into `sandbox: false`. */
  readonly sandbox?: boolean;
  /** Commander turns `--no-wait` into `wait: false`. */
  readonly wait?: boolean;
  readonly dryRun?: boolean;
  readonly printPrompt?: boolean;
  readonly foreground?: boolean;
  readonly json?: boolean;
  readonly stay?: boolean;
}

export function configFlags(plan: string | undefined, command: readonly string[], options: RunOptions): readonly ConfigFlag[] {
  const rows: readonly (readonly [path: string, flag: string, value: unknown])[] = [
    ["plan", "midwatch run", options.prompt === undefined ? plan : undefined],
    ["agent.command", "--", command.length === 0 ? undefined : command],
    ["agent.containment", "--containment", options.containment],
    ["agent.repositorySettings", "--ignore-repo-settings", options.ignoreRepoSettings ? "ignored" : undefined],
    ["agent.sandbox", "--no-sandbox", options.sandbox === false ? "off" : undefined],
    ["limits.windows", "--windows", options.windows],
    ["limits.run", "--max-usd", options.maxUsd],
    ["limits.window", "--window-usd", options.windowUsd],
    ["limits.windowTime", "--window-time", options.windowTime],
    ["limits.idleTime", "--idle-time", options.idleTime],
    ["limits.runTime", "--for", options.for],
    ["leftovers", "--leftovers", options.leftovers],
    ["onProviderLimit", "--no-wait", options.wait === false ? "stop" : undefined],
    ["onQuestion", "--stay", options.stay ? "wait" : undefined],
  ];
  return rows.flatMap(([path, flag, value]) => (value === undefined ? [] : [{ path, flag, value }]));
}

const promptHint = "for example: midwatch run --prompt watch.md --every 10m --iterations 30";

/** The board, or a repeated prompt, instead of a list; null = the list that the config names. */
export function chosenPlan(plan: string | undefined, options: RunOptions): PlanSettings | null {
  if (options.board !== true) return repeatedPrompt(plan, options);
  const stray = plan ?? options.prompt;
  if (stray !== undefined)
    throw new MidwatchError("usage", "E_FLAG", `--board works through the repository's board, so ${stray} has no place beside it`, {
      hint: `bring a list to the board with: midwatch task import ${stray}`,
    });
  return { kind: "board", path: "" };
}

/** Who the run is on its board; null = nobody. @param team  where no name of it is given */
export function namedMember({ member, team, board }: RunOptions, fallback: string): Member | null {
  if (member === undefined) return null;
  if (board !== true)
    throw new MidwatchError("usage", "E_FLAG", "--member goes with --board", { hint: "or start it with: midwatch team run" });
  return { ...parseMember(member), team: team ?? fallback };
}

/** `alice:coder`; without a role it is a coder. */
export function parseMember(text: string): Omit<Member, "team"> {
  const [name = "", role = "coder", ...rest] = text.split(":");
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,39}$/u.test(name) || rest.length > 0 || role.trim() === "" || role.length > 80)
    throw new MidwatchError("usage", "E_MEMBER", `${JSON.stringify(text)} names no member`, { hint: "for example: --member alice:coder" });
  if (name === "person" || name === "harness")
    throw new MidwatchError("usage", "E_MEMBER", `${name} is no member's name: the history calls somebody else so`, {
      hint: "choose another one",
    });
  return { name, role: role.trim() };
}

/** A repeated prompt instead of a list (A21); null = the list that the config names. */
function repeatedPrompt(plan: string | undefined, { prompt, every, iterations, minutes }: RunOptions): PlanSettings | null {
  if (prompt === undefined) {
    const [stray] = Object.entries({ "--every": every, "--iterations": iterations, "--minutes": minutes }).filter(
      ([, value]) => value !== undefined,
    );
    if (stray !== undefined) throw new MidwatchError("usage", "E_FLAG", `${stray[0]} goes with --prompt FILE`, { hint: promptHint });
    return null;
  }
  if (plan !== undefined) throw new MidwatchError("usage", "E_FLAG", "give a plan or --prompt FILE, not both", { hint: promptHint });
  return {
    kind: "prompt",
    path: prompt,
    everyMs: every === undefined ? 0 : duration("--every", every),
    iterations: iterations === undefined ? null : count("--iterations", iterations),
    forMs: minutes === undefined ? null : count("--minutes", minutes) * 60_000,
  };
}

function count(flag: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new MidwatchError("usage", "E_FLAG", `${flag} takes a whole number from 1, not ${JSON.stringify(text)}`, { hint: promptHint });
  return Number(text);
}

const unitMs = { s: 1000, m: 60_000, h: 3_600_000 } as const;

function duration(flag: string, text: string): number {
  const [, number, unit] = /^(\d{1,6})(s|m|h)$/.exec(text) ?? [];
  if (number === undefined || unit === undefined)
    throw new MidwatchError("usage", "E_FLAG", `${flag} takes a time such as 90s, 10m or 2h, not ${JSON.stringify(text)}`, {
      hint: promptHint,
    });
  return Number(number) * unitMs[unit as keyof typeof unitMs];
}
