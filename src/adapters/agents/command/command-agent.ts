/**
 * Any program as an agent: the prompt comes on its standard input, which is then closed, and what it prints is its stream. A Claude-shaped stream is
 * understood where it comes; anything else is plain text.
 */
import type { AgentEvent } from "../../../core/agent-event.ts";
import type { Agent, AgentRun, WindowSpec } from "../../../ports/agent.ts";
import type { ChildProcess, Processes } from "../../../ports/processes.ts";
import { findProgram } from "../find-program.ts";
import { parseStreamLine } from "../stream-json/parse.ts";
import { createWatch } from "../watch.ts";

export interface CommandAgentOptions {
  readonly processes: Processes;
  /** argv; a program with a slash is relative to the folder of the window. */
  readonly command: readonly [string, ...string[]];
  readonly name: string;
}

/** Starts nothing and asks nothing of the program: `--version` would be a run of whatever it is. */
export function createCommandAgent({ processes, command, name }: CommandAgentOptions): Agent {
  return {
    name,
    capabilities: { showsTools: null, reportsCost: null, guard: "none" },
    async probe(env) {
      const search = findProgram(command[0], env["PATH"] ?? "", ".");
      return search.kind === "found" ? { ...search, version: "", remarks: [] } : search;
    },
    examine: async () => [],
    start: (spec) => start(processes, command, spec),
  };
}

function start(processes: Processes, command: CommandAgentOptions["command"], spec: WindowSpec): AgentRun {
  const { wallMs, idleMs, graceMs } = spec.limits;
  const watch = createWatch(spec.limits);
  const child: ChildProcess = processes.start({
    command,
    cwd: spec.cwd,
    env: spec.env,
    input: spec.prompt,
    mark: spec.window,
    limits: { wallMs, idleMs, graceMs },
    containment: "agent",
    log: spec.log,
    onLine(line, cut) {
      const events = readLine(line, cut);
      const means = watch.see(events, child);
      for (const event of events) spec.onEvent(event);
      return means;
    },
  });
  return { identity: child.identity, end: child.end, stop: (cause, how) => child.stop(cause, how) };
}

const cutObject: readonly AgentEvent[] = [{ kind: "activity" }];

/** Half an object cannot be read, and is no text for people either. */
function readLine(line: Uint8Array, cut: boolean): readonly AgentEvent[] {
  return cut && line[0] === 0x7b ? cutObject : parseStreamLine(line);
}
