/**
 * Nights of the built program with the real Claude Code: a repository with a plan, a scripted provider, and a home of their own. What must hold: when a night
 * is taken down, no process of it is left; one that is left fails the test.
 */
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Report } from "../../src/core/report.ts";
import type { ProviderCall, ScriptedCall, ScriptedConversation, ScriptStep } from "../../src/ports/provider.ts";
import { startProvider } from "../../src/provider/server.ts";
import { makeFolder } from "../fixtures/repositories.ts";
import { makeNight, type Night, type Options, writeProgram } from "../scenario/kit.ts";
import type { Finished, Running } from "../scenario/program.ts";
import { claude } from "./claude-kit.ts";

/** What the model says in a window: steps, or a function of the request. */
export type Says = ScriptedConversation["steps"];

export interface ClaudeScene {
  /** By the window's number. */
  readonly windows: (night: Night) => Readonly<Record<number, Says>>;
  /** What a subagent says whose task holds `subagentTask`. */
  readonly subagent?: (night: Night) => Says;
  readonly plan?: string;
  /** Limits and the like, as the person's own file says them. */
  readonly personal?: Readonly<Record<string, unknown>>;
  /** undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Text of a Node program that stands in for Claude Code; see `wrapper`. */
  readonly program?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Instead of the provider itself: where its requests come in. */
  readonly baseUrl?: (providerUrl: string) => Promise<string>;
}

export interface ClaudeNight extends Night {
  /** Requests of the run's windows. Those of the preflight go elsewhere. */
  readonly calls: readonly ProviderCall[];
  /** The provider's own bill of them. */
  readonly invoicePath: string;
  /** Starts `midwatch run`; events and report come as values. */
  begin(options?: Options): Running;
  /** Plays it to its end. */
  play(options?: Options): Promise<Finished>;
}

export const subagentTask = "Do your part of it.";

export async function makeClaudeNight(scene: ClaudeScene): Promise<ClaudeNight> {
  const conversations: ScriptedConversation[] = [];
  const invoicePath = join(makeFolder(), "invoice.jsonl");
  const provider = await startProvider({ script: { conversations }, invoicePath });
  onTestFinished(() => provider.close());
  const baseUrl = (await scene.baseUrl?.(provider.url)) ?? provider.url;
  const env = { ANTHROPIC_BASE_URL: baseUrl, ANTHROPIC_API_KEY: "sk-ant-dummy", CLAUDE_CODE_MAX_RETRIES: "0", ...scene.env };
  const program =
    scene.program === undefined ? claude : writeProgram(join(makeFolder(), "claude.mjs"), `#!${process.execPath}\n${scene.program}`);
  const night = makeNight({
    ...(scene.plan === undefined ? {} : { plan: scene.plan }),
    config: { agent: { kind: "claude-code", program, env: withoutUnset(env) } },
    personal: scene.personal ?? {},
    files: scene.files ?? {},
  });
  conversations.push(...script(scene, night));
  const begin = (options?: Options) => night.start(["run", "--json"], options);
  return { ...night, calls: provider.calls, invoicePath, begin, play: (options) => begin(options).ended };
}

function script({ windows, subagent }: ClaudeScene, night: Night): readonly ScriptedConversation[] {
  const own = Object.entries(windows(night)).map(([number, steps]) => ({ when: { prompt: `This is window ${number} of` }, steps }));
  const others = subagent === undefined ? [] : [{ when: { prompt: subagentTask }, steps: subagent(night) }];
  return [...others, ...own];
}

function withoutUnset(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Calls of the tools that a window uses most. */
export const bash = (command: string): ScriptedCall => ({ name: "Bash", input: { command, description: "work" } });
export const write = (path: string, content = ""): ScriptedCall => ({ name: "Write", input: { file_path: path, content } });
export const ours = (name: string, input: Readonly<Record<string, unknown>> = {}): ScriptedCall => ({
  name: `mcp__midwatch__${name}`,
  input,
});
export const delegate: ScriptedCall = { name: "Agent", input: { description: "do it too", prompt: subagentTask } };

/** One call after another, then the last words. */
export function inTurn(...calls: readonly ScriptedCall[]): readonly ScriptStep[] {
  return [...calls.map((call) => ({ tools: [call] })), { text: "All done." }];
}

/** The windows of a report, without what no test can know. */
export function windowsOf(report: Report | null) {
  return (report?.windows ?? []).map(({ number, exit, counted, tasksClosed, commits }) => ({
    number,
    exit,
    counted,
    tasksClosed,
    commits,
  }));
}

/**
 * Text of a program that stands between us and Claude Code. `tamper` may set `fromUs(message)` and `fromClaude(message)`, which send on what they want with
 * `toClaude` and `toUs`, change `args` and `env`, and know `isTrial` (the preflight), `windowNumber` and `folder` (the night's).
 */
export function wrapper(tamper: string): string {
  return `
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { dirname } from "node:path";
import { existsSync, writeFileSync, mkdirSync } from "node:fs";
let args = process.argv.slice(2);
const env = { ...process.env };
const isVersion = args.includes("--version");
const isTrial = args.includes("--no-session-persistence");
const windowNumber = Number(env.MIDWATCH_WINDOW_NUMBER ?? 0);
const folder = isTrial ? process.cwd() : dirname(process.cwd());
const toClaude = (message) => child.stdin.write(JSON.stringify(message) + "\\n");
const toUs = (message) => process.stdout.write(JSON.stringify(message) + "\\n");
let fromUs = toClaude;
let fromClaude = toUs;
const isInitialize = (message) => message.request?.subtype === "initialize";
const isAnswer = (message) => message.type === "control_response";
const isQuestion = (message) => message.request?.subtype === "hook_callback";
const sayVersion = (version) => { if (isVersion) { console.log(version + " (Claude Code)"); process.exit(); } };
${tamper}
const child = spawn(${JSON.stringify(claude)}, args, { env, stdio: ["pipe", "pipe", "inherit"] });
child.stdin.on("error", () => {});
createInterface({ input: process.stdin }).on("line", (text) => fromUs(JSON.parse(text))).on("close", () => child.stdin.end());
createInterface({ input: child.stdout }).on("line", (text) => isVersion ? console.log(text) : fromClaude(JSON.parse(text)));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("close", (code) => process.exit(code ?? 1));
`;
}
