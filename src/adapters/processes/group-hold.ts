/**
 * A child that leads its own session and process group. Its descendants are found by the mark, the session, the group and what was seen of
 * the tree while parents still lived. With setpriv the leader itself dies when we do; what it started is left to the next sweep.
 */
import type { ChildProcess } from "node:child_process";
import type { ProcessIdentity } from "../../ports/processes.ts";
import type { Hold, LeaderEnd, PoliteSignal } from "./hold.ts";
import { type Ended, endKin, kill, lookAtDescendants, send } from "./kin.ts";
import { hasProcessTable } from "./proc-table.ts";
import { pause } from "./wait.ts";

const lookEveryMs = 2_000;
const endPatienceMs = 5_000;

export interface GroupOptions {
  readonly mark: string;
  /** Path of setpriv; null = the leader outlives us. */
  readonly setpriv: string | null;
  /** Look at the tree now and then, so that what hides later is known. */
  readonly watch: boolean;
}

export class GroupHold implements Hold {
  readonly file: string;
  readonly args: readonly string[];
  readonly statusPipe = false;
  readonly isSandboxed = false;
  readonly #options: GroupOptions;
  readonly #seen = new Map<number, number>();
  #pid = 0;
  #startTicks = 0;
  #watch: NodeJS.Timeout | undefined;

  constructor(command: readonly [string, ...string[]], options: GroupOptions) {
    const [file, ...args] = command;
    this.file = options.setpriv ?? file;
    this.args = options.setpriv === null ? args : ["--pdeathsig", "KILL", "--", ...command];
    this.#options = options;
  }

  attach(_child: ChildProcess, identity: ProcessIdentity): void {
    this.#pid = identity.pid;
    this.#startTicks = identity.startTicks;
    if (this.#options.watch) this.#watch = setInterval(() => lookAtDescendants(this.#pid, this.#seen), lookEveryMs);
  }

  signal(name: PoliteSignal): boolean {
    lookAtDescendants(this.#pid, this.#seen);
    send(-this.#pid, name);
    return true;
  }

  kill(): void {
    lookAtDescendants(this.#pid, this.#seen);
    send(-this.#pid, "SIGKILL");
    send(this.#pid, "SIGKILL"); // not every system lets a child lead its group at once
    for (const [pid, startTicks] of this.#seen) kill(pid, startTicks);
  }

  clear(): Promise<Ended> {
    clearInterval(this.#watch);
    if (!hasProcessTable) return endGroup(this.#pid);
    return endKin({ mark: this.#options.mark, sinceTicks: this.#startTicks, leader: this.#pid, seen: this.#seen });
  }

  readLeftBehind(): readonly string[] {
    return [];
  }

  readEnd(code: number | null, signal: string | null): LeaderEnd {
    return { code, signal };
  }
}

/** Without a process table a group is all that can be reached, and its members cannot be counted: one that was there is one. */
async function endGroup(group: number): Promise<Ended> {
  const wasThere = send(-group, "SIGKILL") === "sent";
  const deadline = performance.now() + endPatienceMs;
  for (let napMs = 1; send(-group, "SIGKILL") === "sent"; napMs = Math.min(napMs * 2, 50)) {
    if (performance.now() > deadline) return { ended: 0, uncontained: [group] };
    await pause(napMs);
  }
  return { ended: wasThere ? 1 : 0, uncontained: [] };
}
