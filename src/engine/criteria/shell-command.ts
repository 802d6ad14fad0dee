/** Runs a criterion's command through a shell, as the person wrote it, and keeps the end of what it printed. */
import type { ProcessEnd } from "../../core/process-end.ts";
import type { Measuring } from "./measuring.ts";

const keptBytes = 8 * 1024 * 1024;

export interface CommandRun {
  readonly end: ProcessEnd;
  /** Its standard output, at most the last 8 MB. */
  readonly output: string;
  /** False = the beginning of the output was dropped. */
  readonly isWhole: boolean;
}

/** Null = a person said stop before it was started. */
export async function runShell(measuring: Measuring, command: string): Promise<CommandRun | null> {
  const { ports, limits, stop } = measuring;
  if (stop.isSaid()) return null;
  const kept = createOutput();
  const child = ports.processes.start({
    command: ["/bin/sh", "-c", command],
    cwd: ports.workspace.location.top,
    env: ports.criterionEnv,
    input: null,
    mark: measuring.mark,
    limits: { wallMs: limits.criterionMs, idleMs: null, graceMs: limits.graceMs },
    containment: "plain",
    onLine: (line) => {
      kept.add(line);
      return "work";
    },
  });
  const stopListening = stop.onSaid(() => child.stop("stopped", "now"));
  const end = await child.end;
  stopListening();
  measuring.onRan();
  return { end, output: kept.text(), isWhole: kept.isWhole() && end.linesCut === 0 };
}

/** Lines as they come; the oldest go when there are too many bytes. */
export function createOutput(maxBytes = keptBytes) {
  const lines: Uint8Array[] = [];
  let first = 0;
  let size = 0;
  let dropped = false;
  return {
    add(line: Uint8Array) {
      lines.push(line.length > maxBytes ? line.slice(-maxBytes) : line.slice());
      size += Math.min(line.length, maxBytes) + 1;
      for (; size > maxBytes && first < lines.length - 1; first += 1) {
        size -= (lines[first]?.length ?? 0) + 1;
        lines[first] = new Uint8Array();
        dropped = true;
      }
      // Taking from the front of a list costs its length: it is done seldom.
      if (first > 10_000 && first * 2 > lines.length) first -= lines.splice(0, first).length;
    },
    text(): string {
      const decoder = new TextDecoder();
      return lines
        .slice(first)
        .map((line) => `${decoder.decode(line)}\n`)
        .join("");
    },
    isWhole: () => !dropped,
  };
}
