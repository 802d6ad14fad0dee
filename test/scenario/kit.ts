/**
 * A night in a temp folder: a repository with a plan, the built program, and nothing of the machine's own settings.
 * What must hold: a night that was closed leaves no file and no process behind, and says so when it did.
 */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Report } from "../../src/core/report.ts";
import type { RunStatus } from "../../src/engine/status.ts";
import { makeRepository, type Repository, repositoryAt } from "../fixtures/repositories.ts";
import { type Finished, finish, type Running, start } from "./program.ts";
import { endStrays } from "./strays.ts";

/** How agents are held in these nights. `test/contract` has the suite for each way. */
const containment = "auto";

/** In the sandbox nothing below /tmp is seen that is not named: agents write into the night's folder, and a checkout may lie there too. */
const checkout = join(import.meta.dirname, "../..");

const agents = join(import.meta.dirname, "../fixtures/agents");

/** The command line of a scripted agent, as `agent.command` takes it. */
export function agent(name: string, ...args: readonly string[]): readonly string[] {
  const path = join(agents, name);
  return name.endsWith(".mjs") ? [process.execPath, path, ...args] : [path, ...args];
}

export interface Scene {
  /** Text of tasks.md; null = none is written. */
  readonly plan?: string | null;
  readonly agent?: readonly string[];
  /** What `midwatch.jsonc` says besides the agent's command. Text is written as it is; null = no file. */
  readonly config?: Readonly<Record<string, unknown>> | string | null;
  /** What the person's own file says besides how agents are held. */
  readonly personal?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string>>;
  /** Name of the repository's folder. */
  readonly place?: string;
}

export interface Options {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** The user and group to run as; only root can choose. */
  readonly uid?: number;
}

export interface Night {
  /** Holds everything; scripted agents know it as $SCENE. */
  readonly folder: string;
  readonly repo: Repository;
  readonly env: Readonly<Record<string, string>>;
  /** Runs the program to its end. */
  run(args: readonly string[], options?: Options): Promise<Finished>;
  start(args: readonly string[], options?: Options): Running;
  status(): Promise<RunStatus>;
  report(): Promise<Report>;
  /** What window `number` read on its standard input. */
  prompt(number: number): string;
  read(path: string): string;
}

/** Makes the night; it is taken down when the test has finished. */
export function makeNight(scene: Scene = {}): Night {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "midwatch-night-")));
  const repo = makeRepo(join(folder, scene.place ?? "repo"), scene);
  writeSettings(join(folder, "config/midwatch/config.jsonc"), personal(folder, scene));
  const env = environment(folder);
  const running = new Set<Running>();
  const begin = (args: readonly string[], options: Options = {}): Running => {
    const user = options.uid === undefined ? {} : { uid: options.uid, gid: options.uid };
    const program = start(args, { cwd: options.cwd ?? repo.path, env: withoutUnset({ ...env, ...options.env }), ...user });
    running.add(program);
    return program;
  };
  const run = async (args: readonly string[], options?: Options) => finish(begin(args, options));
  const json = async (command: string) => JSON.parse((await run([command, "--json"])).stdout);
  onTestFinished(() => takeDown(folder, running));
  return {
    ...{ folder, repo, env, run, start: begin },
    status: () => json("status"),
    report: () => json("report"),
    prompt: (number) => readFileSync(join(folder, `prompt-${number}`), "utf8"),
    read: (path) => readFileSync(join(repo.path, path), "utf8"),
  };
}

let template: string | null = null;

/** Each repository is a copy of one, which is quicker than git. */
function makeRepo(path: string, scene: Scene): Repository {
  template ??= makeTemplate();
  mkdirSync(dirname(path), { recursive: true });
  cpSync(template, path, { recursive: true });
  const repo = repositoryAt(path);
  const { plan = boxes("T-1"), config = {}, files = {} } = scene;
  const command = scene.agent ?? agent("finish.sh");
  if (plan !== null) repo.write("tasks.md", plan);
  if (typeof config === "string") repo.write("midwatch.jsonc", config);
  else if (config !== null)
    repo.write("midwatch.jsonc", JSON.stringify({ ...config, agent: { command, ...partOf(config, "agent") } }, null, 2));
  repo.commit("the plan", files);
  return repo;
}

function makeTemplate(): string {
  const repo = makeRepository();
  repo.git("config", "user.name", "Scripted agent");
  repo.git("config", "user.email", "agent@example.org");
  repo.git("config", "gc.auto", "0");
  return repo.path;
}

function personal(folder: string, { personal: own = {} }: Scene): object {
  return { ...own, agent: { containment, env: { SCENE: folder }, writable: [folder, checkout], ...partOf(own, "agent") } };
}

function partOf(config: Readonly<Record<string, unknown>>, name: string): object {
  const part = config[name];
  return typeof part === "object" && part !== null ? part : {};
}

function writeSettings(path: string, settings: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(settings));
}

/** HOME is how the processes of a night are told from all others. */
function environment(folder: string): Readonly<Record<string, string>> {
  mkdirSync(join(folder, "home"));
  return {
    PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
    ...{ HOME: join(folder, "home"), XDG_STATE_HOME: join(folder, "state"), XDG_CONFIG_HOME: join(folder, "config") },
    ...{ LANG: "C.UTF-8", TZ: "UTC", GIT_CONFIG_NOSYSTEM: "1" },
  };
}

function withoutUnset(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

async function takeDown(folder: string, running: ReadonlySet<Running>): Promise<void> {
  for (const program of running) await program.kill();
  const strays = await endStrays(folder);
  rmSync(folder, { recursive: true, force: true });
  if (strays.length > 0) throw new Error(`the night left processes behind: ${strays.join("; ")}`);
}

/** A list with a box for each key; a task is done when the file of its name is there. */
export function boxes(...keys: readonly string[]): string {
  return `# The night\n\n${keys.map((key) => `- [ ] ${key} Write ${key}.txt\n  - file: ${key}.txt exists\n`).join("")}`;
}

/** A program of the test's own, in the night's folder. */
export function writeProgram(path: string, text: string): string {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}
