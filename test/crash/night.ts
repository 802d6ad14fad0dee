/**
 * A short night, played by the program with fault points: started, killed by a fault, and started again by the same command until it ends.
 * What is not the program's to do is done here, as a person would: a lock file of a killed git is removed, a question is answered.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, type Repository } from "../fixtures/repositories.ts";
import { endStrays, findStrays } from "../scenario/strays.ts";
import { type Ledger, nothing, readLedger } from "./ledger.ts";
import { environment, makePlace, type Scene } from "./place.ts";
import { command, type Ended, launch, type Started } from "./program.ts";

const mostStarts = 8;

/** Every byte of it that is no mark must outlive the night: line ends of both kinds, blanks at the end, no last line end. */
const usualPlan = [
  "# The night \u{1F319}\r\n\r\n",
  "- [ ] T-1 Write T-1.txt  \n  - file: T-1.txt exists\n  - run: test -s T-1.txt\n",
  "- [ ] T-2 Write T-2.txt\r\n  - run: test -s T-2.txt\r\n\t\n",
  "- [ ] T-3 Write T-3.txt\n  - run: grep -q done T-3.txt\n",
  "- [ ] T-4 Write T-4.txt\n  - check: it reads well\n\n",
  "The end, without a line end",
].join("");

/** What there was when the program had died. */
export interface Snapshot {
  readonly ledger: Ledger;
  readonly acts: readonly string[];
}

export interface Played {
  /** The start that was hit; without a fault, the first one. */
  readonly first: Ended;
  /** How many points the very first start passed. */
  readonly firstPoints: number;
  readonly last: Ended;
  readonly starts: number;
  /** From the start after the death to its first act in the store. */
  readonly backMs: number;
  readonly snapshots: readonly Snapshot[];
}

/** What of a repository is nobody's to change but the agent's, and then by commits alone. */
export interface Standing {
  readonly head: string;
  readonly branches: string;
  readonly stash: string;
  readonly checkedOut: string;
}

export class Night {
  readonly folder = makeFolder("midwatch-crash-");
  readonly repo: Repository;
  readonly plan: string;
  /** Repository and store as the night found them. */
  before: Standing;
  earlier: Ledger = nothing;

  constructor({ plan = usualPlan, limits = {}, agentEnv = {} }: Partial<Scene> = {}) {
    this.plan = plan;
    this.repo = makePlace(this.folder, { plan, limits, agentEnv });
    this.before = standing(this.repo);
  }

  /** From here on counts; what was before is how the night found it. */
  begin(): void {
    for (const log of ["agent.log", "points.log"]) rmSync(join(this.folder, log), { force: true });
    this.before = standing(this.repo);
    this.earlier = this.ledger();
  }

  /** Each point that was passed, in order, over all starts. */
  points(): readonly string[] {
    return readLines(join(this.folder, "points.log"));
  }

  /** What the agent wrote down, one act a line. */
  acts(): readonly string[] {
    return readLines(join(this.folder, "agent.log"));
  }

  ledger(): Ledger {
    return readLedger(join(this.folder, "state/midwatch/midwatch.db"));
  }

  snapshot(): Snapshot {
    return { ledger: this.ledger(), acts: this.acts() };
  }

  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
    const log = { MIDWATCH_FAULT_LOG: join(this.folder, "points.log") };
    return launch(args, this.repo.path, { ...environment(this.folder), ...log, ...env });
  }

  /** Starts with the fault until it hits, then without it until the run is over. */
  async play(fault: string | null): Promise<Played> {
    const env = fault === null ? {} : { MIDWATCH_FAULT: fault };
    let first = await this.start(command, env).ended;
    const firstPoints = this.points().length;
    for (let starts = 1; fault !== null && first.code === 3 && starts < mostStarts; starts += 1) {
      await this.help();
      first = await this.start(command, env).ended;
    }
    const left = this.snapshot();
    const backAt = Date.now();
    const end = await this.finish(first);
    const next = this.ledger().events[left.ledger.events.length];
    return { first, firstPoints, snapshots: [left], backMs: Number(next?.["at"] ?? backAt) - backAt, ...end };
  }

  /** An end by a fault is followed by another start; one that fails without a fault is the end. */
  async finish(ended: Ended): Promise<{ readonly last: Ended; readonly starts: number }> {
    let last = ended;
    let starts = 0;
    for (; last.code !== 0 && (starts === 0 || last.code === 3) && starts < mostStarts; starts += 1) {
      if (last.code === 3) await this.help();
      last = await this.start(command).ended;
    }
    return { last, starts };
  }

  /** What the person does for a run that waits for one. */
  async help(): Promise<void> {
    for (const lock of ["index.lock", "HEAD.lock", "refs/heads/main.lock"]) rmSync(join(this.repo.path, ".git", lock), { force: true });
    const asked = this.ledger().questions.filter(({ state, source }) => state === "open" && source === "agent");
    for (const { number } of asked) await this.start(["answer", `Q${number}`, "yes"]).ended;
  }

  /** Living processes of the night, besides this one. */
  living(): readonly number[] {
    return findStrays(this.folder);
  }

  /** Leaves no file and no process behind; throws when there was one. */
  readonly close = async (): Promise<void> => {
    const strays = await endStrays(this.folder);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    if (strays.length > 0) throw new Error(`the night left processes behind: ${strays.join("; ")}`);
  };
}

export function standing(repo: Repository): Standing {
  return {
    head: repo.git("rev-parse", "HEAD"),
    branches: repo.git("for-each-ref", "--format=%(refname)", "refs/heads"),
    stash: repo.git("stash", "list", "--format=%H"),
    checkedOut: repo.git("symbolic-ref", "HEAD"),
  };
}

function readLines(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "");
}
