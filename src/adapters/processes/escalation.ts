/** SIGINT, a grace, SIGTERM, a grace, SIGKILL: the only way in which a child is stopped. The first cause wins. */
import type { StopCause } from "../../core/process-end.ts";
import type { Hold, PoliteSignal } from "./hold.ts";

const politeSignals: readonly PoliteSignal[] = ["SIGINT", "SIGTERM"];
const retryMs = 2;
const maxTimerMs = 2 ** 31 - 1;
/** After this the kernel itself cannot end it: it waits for a device. */
const killPatienceMs = 10_000;

export class Escalation {
  cause: StopCause | undefined;
  readonly #hold: Hold;
  readonly #graceMs: number;
  readonly #onUnkillable: () => void;
  #step: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(hold: Hold, graceMs: number, onUnkillable: () => void) {
    this.#hold = hold;
    this.#graceMs = Math.min(graceMs, maxTimerMs);
    this.#onUnkillable = onUnkillable;
  }

  begin(cause: StopCause, how: "gracefully" | "now"): void {
    if (this.#isOver || (this.cause !== undefined && how === "gracefully")) return;
    this.cause ??= cause;
    this.#take(how === "now" ? politeSignals.length : 0);
  }

  /** The child has ended. */
  finish(): void {
    this.#isOver = true;
    this.#clear();
  }

  #take(step: number): void {
    this.#clear();
    const signal = politeSignals[step];
    if (signal === undefined) {
      this.#hold.kill();
      this.#step = setTimeout(this.#onUnkillable, killPatienceMs);
    } else {
      this.#send(signal);
      this.#step = setTimeout(() => this.#take(step + 1), this.#graceMs);
    }
  }

  #send(signal: PoliteSignal): void {
    if (!this.#hold.signal(signal)) this.#retry = setTimeout(() => this.#send(signal), retryMs);
  }

  #clear(): void {
    clearTimeout(this.#step);
    clearTimeout(this.#retry);
  }
}
