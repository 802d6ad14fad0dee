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
    containment: "criterion",
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

const chunkBytes = 64 * 1024;

/** Lines as they come, in whole chunks: the oldest goes when there are too many, however short its lines are. */
export function createOutput(maxBytes = keptBytes) {
  const chunks: Uint8Array[] = [];
  let used = chunkBytes;
  let dropped = false;
  const put = (bytes: Uint8Array) => {
    for (let from = 0; from < bytes.length; ) {
      if (used === chunkBytes) {
        chunks.push(new Uint8Array(chunkBytes));
        used = 0;
        if (chunks.length * chunkBytes > maxBytes) {
          chunks.shift();
          dropped = true;
        }
      }
      const part = bytes.subarray(from, from + chunkBytes - used);
      chunks.at(-1)?.set(part, used);
      used += part.length;
      from += part.length;
    }
  };
  return {
    add(line: Uint8Array) {
      put(line.subarray(-maxBytes));
      put(lineEnd);
    },
    text(): string {
      const decoder = new TextDecoder();
      const parts = chunks.map((chunk, index) =>
        decoder.decode(index === chunks.length - 1 ? chunk.subarray(0, used) : chunk, { stream: true }),
      );
      return parts.join("");
    },
    isWhole: () => !dropped,
  };
}

const lineEnd = new Uint8Array([10]);
