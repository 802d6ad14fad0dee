/** What scripted agents can do. The real one is test/fixtures/agents/replay.js; the one in memory keeps its own time. */
import { readFileSync } from "node:fs";
import type { ProcessEnd, StopCause } from "../../src/core/process-end.ts";
import type { ChildProcess, Processes, ProcessSpec } from "../../src/ports/processes.ts";
import { sha256 } from "./agents-kit.ts";
import { exited, splitLines } from "./stream-recordings.ts";

export type Step =
  | { readonly do: "print"; readonly text: string }
  /** Prints a file as it is. */
  | { readonly do: "file"; readonly path: string }
  /** Prints `start` and then so many bytes on the same line. */
  | { readonly do: "long-line"; readonly start: string; readonly bytes: number }
  /** Reads standard input to its end and prints its hash. */
  | { readonly do: "prompt" }
  | { readonly do: "variable"; readonly name: string }
  | { readonly do: "folder" }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "repeat"; readonly text: string; readonly everyMs: number; readonly times: number }
  /** On standard error. */
  | { readonly do: "complain"; readonly text: string }
  | { readonly do: "exit"; readonly code: number }
  | { readonly do: "hang" };

const maxLineBytes = 16 * 1024 * 1024;

/** Processes that are scripts in memory: clocks run on made-up time, so that a night takes no time. The last argument of a command names the script's file. */
export function createScriptedProcesses(): Processes {
  return {
    containment: { kind: "namespace" },
    sandbox: { kind: "off", wanted: false, why: "scripted" },
    start: (spec) => (spec.command[0].includes("missing") ? neverStarted("ENOENT") : new ScriptedChild(spec)),
    sweep: () => Promise.resolve(0),
    isAlive: () => false,
    self: () => ({ pid: 1, startTicks: 1, bootId: "memory" }),
  };
}

function neverStarted(error: string): ChildProcess {
  const end = Promise.resolve({ ...exited(0), kind: "not-started", code: null, error } as const);
  return { identity: null, end, stop() {}, expectExitWithin() {}, setIdleLimit() {}, write() {}, closeInput() {} };
}

class ScriptedChild implements ChildProcess {
  readonly identity = { pid: 2, startTicks: 2, bootId: "memory" };
  readonly end: Promise<ProcessEnd>;
  readonly #spec: ProcessSpec;
  readonly #ended = Promise.withResolvers<ProcessEnd>();
  #isOver = false;
  #now = 0;
  #idleMs: number | null;
  #idleAt = 0;
  #leaveAt = Number.POSITIVE_INFINITY;
  #stderr = "";
  #linesCut = 0;

  constructor(spec: ProcessSpec) {
    this.#spec = spec;
    this.#idleMs = spec.limits.idleMs;
    this.end = this.#ended.promise;
    const script = JSON.parse(readFileSync(spec.command.at(-1) ?? "", "utf8")) as readonly Step[];
    setImmediate(() => this.#run(script));
  }

  stop(cause: StopCause): void {
    this.#finish({ kind: "ended-by-us", cause, code: null, signal: "SIGINT" });
  }

  expectExitWithin(ms: number): void {
    this.#leaveAt = this.#now + ms;
    this.#idleMs = null;
  }

  setIdleLimit(ms: number | null): void {
    this.#idleMs = ms;
    this.#idleAt = this.#now;
  }

  write(): void {}

  closeInput(): void {}

  #finish(how: Partial<ProcessEnd>): void {
    this.#isOver = true;
    this.#ended.resolve(exited(0, { ...how, stderrTail: this.#stderr, linesCut: this.#linesCut, durationMs: this.#now }));
  }

  #run(script: readonly Step[]): void {
    for (const step of [...script, { do: "exit", code: 0 } as const]) {
      if (this.#isOver) return;
      this.#do(step);
    }
  }

  #do(step: Step): void {
    const { env, mark, cwd, input } = this.#spec;
    if (step.do === "print") this.#print(Buffer.from(step.text));
    else if (step.do === "file") for (const line of splitLines(readFileSync(step.path))) this.#print(line);
    else if (step.do === "long-line") this.#print(Buffer.concat([Buffer.from(step.start), Buffer.alloc(step.bytes, "x")]));
    else if (step.do === "prompt") this.#print(Buffer.from(`prompt ${sha256(String(input))}`));
    else if (step.do === "variable") this.#print(Buffer.from(`${step.name}=${{ ...env, MIDWATCH_WINDOW: mark }[step.name]}`));
    else if (step.do === "folder") this.#print(Buffer.from(`folder ${cwd}`));
    else if (step.do === "wait") this.#wait(step.ms);
    else if (step.do === "hang") this.#wait(2 ** 30);
    else if (step.do === "complain") this.#stderr += `${step.text}\n`;
    else if (step.do === "repeat") this.#repeat(step);
    else this.#finish({ kind: "exited", code: step.code });
  }

  #repeat({ text, everyMs, times }: Step & { readonly do: "repeat" }): void {
    for (let n = 0; n < times && !this.#isOver; n += 1) {
      this.#print(Buffer.from(text));
      this.#wait(everyMs);
    }
  }

  #print(line: Buffer): void {
    if (this.#isOver) return;
    const cut = line.length > maxLineBytes;
    if (cut) this.#linesCut += 1;
    if (this.#spec.onLine?.(line.subarray(0, maxLineBytes), cut) === "work") this.#idleAt = this.#now;
  }

  #wait(ms: number): void {
    if (this.#isOver) return;
    const clocks: readonly [StopCause, number][] = [
      ["wall-clock", this.#spec.limits.wallMs],
      ["idle-clock", this.#idleMs === null ? Number.POSITIVE_INFINITY : this.#idleAt + this.#idleMs],
      ["lingered", this.#leaveAt],
    ];
    const [cause, at] = clocks.reduce((first, clock) => (clock[1] < first[1] ? clock : first));
    this.#now = Math.min(at, this.#now + ms);
    if (this.#now === at) this.stop(cause);
  }
}
