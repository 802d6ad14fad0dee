/** Asks the program something that it answers by itself and at once, such as its version: no window, no session, nothing that is paid. */
import { randomUUID } from "node:crypto";
import type { ProcessEnd } from "../../../core/process-end.ts";
import type { Processes } from "../../../ports/processes.ts";

export interface Question {
  readonly processes: Processes;
  readonly path: string;
  readonly argument: "--version" | "--help";
  readonly env: Readonly<Record<string, string>>;
}

const maxLines = 2_000;

export async function askProgram({
  processes,
  path,
  argument,
  env,
}: Question): Promise<{ readonly lines: readonly string[]; readonly end: ProcessEnd }> {
  const lines: string[] = [];
  const child = processes.start({
    command: [path, argument],
    cwd: "/",
    env,
    input: null,
    // Of its own: whoever ends ends all that carry its mark, which must not be another run's probe.
    mark: `probe-${randomUUID()}`,
    limits: { wallMs: 10_000, idleMs: null, graceMs: 500 },
    containment: "plain",
    onLine(line) {
      if (lines.length < maxLines) lines.push(new TextDecoder().decode(line));
      return "work";
    },
  });
  return { end: await child.end, lines };
}
