/**
 * One child from its start to its end: runs → is being stopped → has ended → is cleared away. Each step is entered once.
 *
 *   runs        any clock that passes, or `stop`, begins the escalation
 *   has ended   what we spawned is gone: clocks and signals are over, what its pipes still hold is read
 *   cleared     its descendants are gone, pipes and log are closed, no timer or listener of ours is left; then `end` resolves
 */
import type { ChildProcess as NodeChild } from "node:child_process";
import type { ProcessEnd, StopCause } from "../../core/process-end.ts";
import { faultPoint } from "../../faults.ts";
import type { ChildProcess, ProcessIdentity, ProcessSpec } from "../../ports/processes.ts";
import { Deadline } from "./deadline.ts";
import { Escalation } from "./escalation.ts";
import type { Hold, LeaderEnd } from "./hold.ts";
import type { Ended } from "./kin.ts";
import { Output } from "./output.ts";
import { afterClosing } from "./wait.ts";

export class RunningChild implements ChildProcess {
  readonly identity: ProcessIdentity;
  readonly end: Promise<ProcessEnd>;
  readonly #child: NodeChild;
  readonly #hold: Hold;
  readonly #startedAt = performance.now();
  readonly #output: Output;
  readonly #escalation: Escalation;
  readonly #wall: Deadline;
  readonly #idle: Deadline;
  readonly #leaving: Deadline;

  constructor(child: NodeChild, identity: ProcessIdentity, hold: Hold, spec: ProcessSpec) {
    this.identity = identity;
    this.#child = child;
    this.#hold = hold;
    hold.attach(child, identity);
    child.on("error", () => {}); // it was started: what is reported later is of no use
    child.stdin?.on("error", () => {}); // it need not read its input
    this.#wall = new Deadline(() => this.stop("wall-clock"));
    this.#idle = new Deadline(() => this.stop("idle-clock"));
    this.#leaving = new Deadline(() => this.stop("lingered"));
    this.#output = new Output({ ...spec, isSandboxed: hold.isSandboxed }, () => this.#idle.restart());
    this.#output.attach(child);
    const exit = Promise.withResolvers<[number | null, string | null]>();
    child.on("exit", (code, signal) => exit.resolve([code, signal]));
    this.#escalation = new Escalation(hold, spec.limits.graceMs, () => {
      child.unref();
      exit.resolve([null, null]);
    });
    this.#wall.set(spec.limits.wallMs);
    this.#idle.set(spec.limits.idleMs);
    this.end = exit.promise.then(([code, signal]) => this.#finish(code, signal));
  }

  stop(cause: StopCause, how: "gracefully" | "now" = "gracefully"): void {
    this.#closeClocks();
    this.#escalation.begin(cause, how);
  }

  expectExitWithin(ms: number): void {
    this.#idle.set(null); // nothing more is expected of it than to leave
    this.#leaving.set(ms);
  }

  setIdleLimit(ms: number | null): void {
    this.#idle.set(ms);
  }

  write(text: string): void {
    if (this.#child.stdin?.writable) this.#child.stdin.write(text);
  }

  closeInput(): void {
    this.#child.stdin?.end();
  }

  #closeClocks(): void {
    for (const clock of [this.#wall, this.#idle, this.#leaving]) clock.close();
  }

  async #finish(code: number | null, signal: string | null): Promise<ProcessEnd> {
    const durationMs = Math.round(performance.now() - this.#startedAt);
    this.#closeClocks();
    this.#escalation.finish();
    await this.#output.drain();
    const cleared = await this.#hold.clear();
    await this.#output.drain();
    this.#child.stdin?.destroy();
    await this.#output.close();
    await afterClosing();
    faultPoint("process.ended");
    return this.#describe(this.#hold.readEnd(code, signal), cleared, durationMs);
  }

  #describe(leader: LeaderEnd, cleared: Ended, durationMs: number): ProcessEnd {
    const { code, signal, error } = leader;
    const cause = this.#escalation.cause;
    const leftBehind = this.#hold.readLeftBehind();
    const left = leftBehind.length === 0 ? {} : { leftBehind };
    const rest = { durationMs, descendantsEnded: cleared.ended, ...left, uncontained: cleared.uncontained, ...this.#output.read() };
    if (cause !== undefined) return { kind: "ended-by-us", cause, code, signal, ...rest };
    if (error !== undefined) return { kind: "not-started", code: null, signal: null, error, ...rest };
    return { kind: signal === null ? "exited" : "signalled", code, signal, ...rest };
  }
}
