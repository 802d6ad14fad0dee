/**
 * A short night in a temp folder, played by the program with fault points: started, killed by a fault, and started again by the same command
 * until it ends. What is not the program's to mend (a lock file of a killed git) is mended here, as a person would.
 */
import { spawn } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder, makeRepository, type Repository, repositoryAt } from "../fixtures/repositories.ts";
import { endStrays, findStrays } from "../scenario/strays.ts";
import { type Ledger, readLedger } from "./ledger.ts";

/** How agents are held in these nights. */
const containment = "auto";

export const program = join(import.meta.dirname, "../../build/midwatch-faults.js");
export const agent = join(import.meta.dirname, "agent.sh");

/** A start takes a second; one that hangs is killed, and the test says so. */
const deadlineMs = 60_000;
const mostStarts = 8;
export const command: readonly string[] = ["run", "--json"];

/** Every byte of it that is no mark must outlive the night: line ends of both kinds, blanks at the end, no last line end. */
const plan = [
  "# The night \u{1F319}\r\n\r\n",
  "- [ ] T-1 Write T-1.txt  \n  - file: T-1.txt exists\n  - run: test -s T-1.txt\n",
  "- [ ] T-2 Write T-2.txt\r\n  - run: test -s T-2.txt\r\n\t\n",
  "- [ ] T-3 Write T-3.txt\n  - run: grep -q done T-3.txt\n",
  "- [ ] T-4 Write T-4.txt\n  - check: it reads well\n\n",
  "The end, without a line end",
].join("");

export interface Scene {
  readonly plan?: string;
  readonly limits?: Readonly<Record<string, unknown>>;
  readonly agentEnv?: Readonly<Record<string, string>>;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Night {
  readonly folder: string;
  readonly repo: Repository;
  readonly plan: string;
  /** What was in the repository when the night began. */
  readonly before: Standing;
  /** Each point that was passed, in order, over all starts. */
  points(): readonly string[];
  /** What the agent wrote down, one act a line. */
  acts(): readonly string[];
  ledger(): Ledger;
  start(args: readonly string[], env?: Readonly<Record<string, string>>): { readonly pid: number; readonly ended: Promise<Ended> };
  /** Starts with the fault, then again without it until the run is over. */
  play(fault: string | null): Promise<Played>;
  /** Starts again after that end, until the run is over; mends what a person has to. */
  finish(last: Ended): Promise<{ readonly last: Ended; readonly starts: number }>;
  snapshot(): Snapshot;
  /** Leaves no file and no process behind; it throws when there was one. */
  close(): Promise<void>;
}

export interface Standing {
  readonly head: string;
  readonly branches: string;
  readonly stash: string;
  readonly checkedOut: string;
}

/** What there was when the program had died. */
export interface Snapshot {
  readonly ledger: Ledger;
  readonly acts: readonly string[];
}

export interface Played {
  readonly first: Ended;
  readonly last: Ended;
  readonly starts: number;
  readonly snapshots: readonly Snapshot[];
}

export function makeNight(scene: Scene = {}): Night {
  const folder = makeFolder("midwatch-crash-");
  const text = scene.plan ?? plan;
  const repo = makeRepo(join(folder, "repo"), text, scene);
  const env = environment(folder);
  const points = join(folder, "points.log");
  const start: Night["start"] = (args, extra = {}) => launch(args, repo.path, { ...env, MIDWATCH_FAULT_LOG: points, ...extra });
  const ledger = () => readLedger(join(folder, "state/midwatch/midwatch.db"));
  const acts = () => readLines(join(folder, "agent.log"));
  const snapshot = () => ({ ledger: ledger(), acts: acts() });
  const finish: Night["finish"] = async (ended) => {
    let last = ended;
    let starts = 0;
    for (; !isOver(last, starts) && starts < mostStarts; starts += 1) {
      if (last.code === 3) mend(repo);
      last = await start(command).ended;
    }
    return { last, starts };
  };
  return {
    ...{ folder, repo, plan: text, before: standing(repo), start, ledger, acts },
    points: () => readLines(points),
    async play(fault) {
      const first = await start(command, fault === null ? {} : { MIDWATCH_FAULT: fault }).ended;
      const snapshots = [snapshot()];
      const { last, starts } = await finish(first);
      return { first, last, snapshots, starts: starts + 1 };
    },
    finish,
    snapshot,
    close: () => takeDown(folder),
  };
}

async function takeDown(folder: string): Promise<void> {
  const strays = await endStrays(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  if (strays.length > 0) throw new Error(`the night left processes behind: ${strays.join("; ")}`);
}

/** An end by a fault is followed by another start; one that fails without a fault is the end. */
function isOver({ code }: Ended, starts: number): boolean {
  return code === 0 || (starts > 0 && code !== 3);
}

/** The lock files of a git that was killed: the program never removes them, and asks. */
export function mend(repo: Repository): void {
  for (const lock of ["index.lock", "HEAD.lock", "refs/heads/main.lock"]) rmSync(join(repo.path, ".git", lock), { force: true });
}

export function standing(repo: Repository): Standing {
  return {
    head: repo.git("rev-parse", "HEAD"),
    branches: repo.git("for-each-ref", "--format=%(refname)", "refs/heads"),
    stash: repo.git("stash", "list", "--format=%H"),
    checkedOut: repo.git("symbolic-ref", "HEAD"),
  };
}

/** Living processes of the night, besides this one. */
export function findLiving(night: Night): readonly number[] {
  return findStrays(night.folder);
}

let template: string | null = null;

/** With a stash and a second branch, which nobody may touch. */
function makeTemplate(): string {
  const repo = makeRepository();
  for (const [key, value] of Object.entries({ "user.name": "Scripted agent", "user.email": "agent@example.org", "gc.auto": "0" }))
    repo.git("config", key, value);
  repo.write("a.txt", "stashed\n");
  repo.git("stash");
  repo.git("branch", "other");
  appendFileSync(join(repo.path, ".git/info/exclude"), ".midwatch/\n");
  return repo.path;
}

function makeRepo(path: string, text: string, { limits = {}, agentEnv = {} }: Scene): Repository {
  template ??= makeTemplate();
  cpSync(template, path, { recursive: true });
  const repo = repositoryAt(path);
  repo.commit("the plan", { "tasks.md": text });
  const folder = dirname(path);
  const roomy = {
    failedWindows: 1000,
    idleWindows: 1000,
    windowsWithoutTask: 1000,
    attemptsPerTask: 100,
    unknownCostWindows: 1000,
    windows: 1000,
    run: 1000,
  };
  mkdirSync(join(folder, "config/midwatch"), { recursive: true });
  writeFileSync(
    join(folder, "config/midwatch/config.jsonc"),
    JSON.stringify({
      agent: { command: [agent], containment, env: { SCENE: folder, ...agentEnv } },
      ...{ leftovers: "next-window", onQuestion: "stop" },
      limits: { tasksPerWindow: 2, graceTime: "1s", ...roomy, ...limits },
    }),
  );
  return repo;
}

function environment(folder: string): Record<string, string> {
  mkdirSync(join(folder, "home"));
  return {
    PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
    ...{ HOME: join(folder, "home"), XDG_STATE_HOME: join(folder, "state"), XDG_CONFIG_HOME: join(folder, "config") },
    ...{ LANG: "C.UTF-8", TZ: "UTC", GIT_CONFIG_NOSYSTEM: "1" },
  };
}

function launch(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program, ...args], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const told = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      told[name] += chunk;
    });
  const late = setTimeout(() => {
    told.stderr += `\n(the test killed it after ${deadlineMs} ms)`;
    child.kill("SIGKILL");
  }, deadlineMs);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      clearTimeout(late);
      resolve({ code, signal, ...told });
    });
  });
  return { pid: child.pid ?? 0, ended };
}

function readLines(path: string): readonly string[] {
  return existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];
}
