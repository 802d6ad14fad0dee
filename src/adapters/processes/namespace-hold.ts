/**
 * A child in a pid namespace of its own, made by bubblewrap. Three processes: the outer bwrap (our child), the namespace's init (a bwrap
 * too), and the leader. When the leader ends, the outer one reports its exit code on the status pipe and leaves, init dies with it, and the
 * kernel ends everything in the namespace before init is gone: daemons, other sessions, cleared environments. The same happens when we die.
 * Nothing inside sees or can signal a process outside. How many were left is not known: the kernel does not say whom it ended.
 */
import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import type { ProcessIdentity } from "../../ports/processes.ts";
import type { Hold, LeaderEnd, PoliteSignal } from "./hold.ts";
import { type Ended, endKin, findKin, kill, send } from "./kin.ts";
import { LeftBehind } from "./left-behind.ts";
import { isStill, readChildren, readStartTicks } from "./proc-table.ts";
import { pause, within } from "./wait.ts";

/** bwrap refuses more arguments than 9,000, its own ones included. */
export const maxNamespaceArguments = 8_900;

export interface NamespaceOptions {
  readonly bwrap: string;
  readonly cwd: string;
  readonly mark: string;
  /** What bubblewrap is told, up to the folder and the command. */
  readonly options: readonly string[];
  /** Then who has lost its parents is looked at now and then, so that it can be named. */
  readonly isSandboxed: boolean;
}

/** Signals of a crash or of the kernel. The polite ones are left out: a program that exits with 143 has mostly chosen so itself. */
const fatalSignals = ["SIGKILL", "SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP", "SIGSYS", "SIGXCPU", "SIGXFSZ"] as const;

const statusPatienceMs = 1_000;
const endPatienceMs = 10_000;
const maxStatusBytes = 16 * 1024;

export class NamespaceHold implements Hold {
  readonly file: string;
  readonly args: readonly string[];
  readonly statusPipe = true;
  readonly isSandboxed: boolean;
  readonly #mark: string;
  readonly #sent = new Set<PoliteSignal>();
  #outer = 0;
  #init: { readonly pid: number; readonly startTicks: number } | null = null;
  #status = "";
  #statusEnd: Promise<void> = Promise.resolve();
  #didRun = false;
  #left: LeftBehind | null = null;
  #leftNames: readonly string[] = [];

  constructor(command: readonly string[], { bwrap, cwd, mark, options, isSandboxed }: NamespaceOptions) {
    this.file = bwrap;
    this.args = [...options, "--chdir", cwd, "--", ...command];
    this.#mark = mark;
    this.isSandboxed = isSandboxed;
  }

  attach(child: ChildProcess, identity: ProcessIdentity): void {
    this.#outer = identity.pid;
    const status = child.stdio[3] as Readable;
    status.on("data", (chunk: Buffer) => this.#readStatus(chunk));
    status.on("error", () => {}); // a broken status pipe closes, and that is all that is asked of it
    this.#statusEnd = new Promise((resolve) => status.on("close", () => resolve()));
  }

  signal(name: PoliteSignal): boolean {
    // Init forks the leader last; before that nobody in its group can hear a signal, and init itself never does.
    if (this.#init === null || readChildren(this.#init.pid).length === 0) return false;
    this.#sent.add(name);
    send(-this.#init.pid, name);
    return true;
  }

  kill(): void {
    if (this.#init !== null) return void kill(this.#init.pid, this.#init.startTicks);
    for (const pid of readChildren(this.#outer)) send(pid, "SIGKILL");
    send(this.#outer, "SIGKILL");
  }

  async clear(): Promise<Ended> {
    await within(this.#statusEnd, statusPatienceMs);
    this.#leftNames = this.#left?.close() ?? [];
    if (this.#init === null) return endKin({ mark: this.#mark, sinceTicks: 0, leader: null });
    const { pid, startTicks } = this.#init;
    const deadline = performance.now() + endPatienceMs;
    for (let napMs = 1; isStill(pid, startTicks); napMs = Math.min(napMs * 2, 50)) {
      kill(pid, startTicks);
      if (performance.now() > deadline) return { ended: 0, uncontained: this.#list() };
      await pause(napMs);
    }
    return { ended: 0, uncontained: [] };
  }

  readLeftBehind(): readonly string[] {
    return this.#leftNames;
  }

  readEnd(code: number | null, signal: string | null): LeaderEnd {
    if (code === null || signal !== null) return { code: null, signal };
    const names = [...fatalSignals, ...this.#sent];
    const own = names.find((name) => code === 128 + constants.signals[name]);
    const end = own === undefined ? { code, signal: null } : { code: null, signal: own };
    return this.#didRun ? end : { ...end, error: "ENOEXEC" };
  }

  #list(): readonly number[] {
    return findKin({ mark: this.#mark, sinceTicks: 0, leader: this.#init?.pid ?? null }).map((row) => row.pid);
  }

  /** One JSON object a line: first init's pid, at the end the leader's exit code, and that only when the program was really run. */
  #readStatus(chunk: Buffer): void {
    const lines = (this.#status + chunk.toString("latin1")).split("\n");
    this.#status = lines.pop()?.slice(0, maxStatusBytes) ?? "";
    for (const line of lines) this.#take(parseStatus(line));
  }

  #take(status: Status): void {
    if (typeof status["exit-code"] === "number") {
      this.#didRun = true;
      this.#left?.look();
    }
    const pid = status["child-pid"];
    if (typeof pid !== "number") return;
    this.#init = { pid, startTicks: readStartTicks(pid) };
    if (this.isSandboxed) this.#left = new LeftBehind(pid);
  }
}

interface Status {
  readonly "child-pid"?: unknown;
  readonly "exit-code"?: unknown;
}

function parseStatus(line: string): Status {
  try {
    return (JSON.parse(line) ?? {}) as Status;
  } catch {
    return {}; // an empty line between two objects
  }
}
