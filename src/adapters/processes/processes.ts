/**
 * The one module that owns child processes (port: `ports/processes.ts`). Nothing is inherited, no shell stands between, every buffer has an
 * end and every wait a deadline. An agent runs in a process namespace where one can be made; a plain child in its own group.
 *
 * PWD is set to the folder in which the child starts, and MIDWATCH_WINDOW to the mark; the rest of the environment is the caller's.
 * A program that cannot start is an end: `ENOENT`, `EACCES`, `E2BIG`, …; with `:cwd` or `:interpreter` behind it when it is about one of
 * these; `ENOEXEC` when bubblewrap had everything and still could not run it, and then the end of standard error says why.
 */
import { type ChildProcess as NodeChild, type StdioOptions, spawn } from "node:child_process";
import { resolve } from "node:path";
import { MidwatchError } from "../../core/error.ts";
import { faultPoint } from "../../faults.ts";
import type { ChildProcess, Processes, ProcessIdentity, ProcessSpec } from "../../ports/processes.ts";
import { findTools, isMac, type Tools } from "./containment.ts";
import { GroupHold } from "./group-hold.ts";
import type { Hold } from "./hold.ts";
import { type Input, openInput } from "./input.ts";
import { codeOf, endKin, markName, send } from "./kin.ts";
import { maxNamespaceArguments, NamespaceHold, type NamespaceOptions } from "./namespace-hold.ts";
import { plainNamespace } from "./namespace-options.ts";
import { bootId, hasProcessTable, isStill, readStartTicks } from "./proc-table.ts";
import { findRefusal } from "./program.ts";
import { RunningChild } from "./running-child.ts";
import { MadeFolders } from "./sandbox/made-folders.ts";
import { realPath } from "./sandbox/mounts.ts";
import { type SandboxWanted, sandboxOptions, seatbeltCommand } from "./sandbox/sandbox.ts";
import { createUnstartedChild } from "./unstarted-child.ts";

export interface ProcessesOptions {
  /** A PATH value in which bwrap and setpriv are looked for. */
  readonly toolPath?: string;
  /** `auto`, the default: a namespace where one works. `namespace` is believed without a trial. */
  readonly containment?: "auto" | "namespace" | "partial";
  /** For agents and criteria; absent = none. */
  readonly sandbox?: SandboxWanted;
}

const usualToolPath = "/usr/local/bin:/usr/bin:/bin";

export function createProcesses(options: ProcessesOptions = {}): Processes {
  const { containment = "auto", sandbox } = options;
  const query = { ...(containment === "auto" ? {} : { force: containment }), ...(sandbox === undefined ? {} : { sandbox }) };
  let found: Tools | null = null;
  const tools = (): Tools => {
    found ??= findTools({ toolPath: options.toolPath ?? usualToolPath, ...query });
    return found;
  };
  const choose = (spec: ProcessSpec) => chooseHold(spec, tools, sandbox);
  const made = new MadeFolders();
  return {
    get containment() {
      return tools().containment;
    },
    get sandbox() {
      return tools().sandbox;
    },
    start(spec) {
      const places = spec.containment !== "plain" && tools().sandbox.kind === "on" ? (sandbox?.places ?? []) : [];
      made.open(places);
      const child = start({ ...spec, cwd: resolve(spec.cwd) }, choose);
      void child.end.then(() => made.close());
      return child;
    },
    sweep,
    isAlive,
    self: () => identify(process.pid),
  };
}

function start(spec: ProcessSpec, choose: (spec: ProcessSpec) => Hold | null): ChildProcess {
  checkSpec(spec);
  try {
    const refusal = findRefusal(spec);
    if (refusal !== null) return createUnstartedChild(refusal);
    const hold = choose(spec);
    return hold === null ? createUnstartedChild("E2BIG") : launch(spec, hold);
  } catch (error) {
    return createUnstartedChild(codeOf(error));
  }
}

/** Mistakes of the caller, not of the night. */
function checkSpec(spec: ProcessSpec): void {
  const times = [spec.limits.wallMs, spec.limits.idleMs ?? 0, spec.limits.graceMs];
  if (times.some((ms) => Number.isNaN(ms) || ms < 0)) throw new MidwatchError("bug", "E_PROCESS_SPEC", `a limit is no time: ${times}`);
  if (!/^[\w.:@-]+$/.test(spec.mark)) throw new MidwatchError("bug", "E_PROCESS_SPEC", `a mark is one plain word, not "${spec.mark}"`);
}

/** Null = the command is too long. */
function chooseHold(spec: ProcessSpec, tools: () => Tools, sandbox: SandboxWanted | undefined): Hold | null {
  if (spec.containment === "plain") return holdGroup(spec, null);
  const found = tools();
  if (sandbox !== undefined && found.sandbox.kind === "on")
    return isMac
      ? holdGroup({ ...spec, command: seatbeltCommand(sandbox, spec) }, null)
      : holdNamespace(spec, found, { options: sandboxOptions(sandbox, spec), isSandboxed: true });
  if (spec.containment === "criterion") return holdGroup(spec, null);
  return found.containment.kind === "partial"
    ? holdGroup(spec, found.setpriv)
    : holdNamespace(spec, found, { options: plainNamespace, isSandboxed: false });
}

function holdNamespace(
  { command, cwd, mark }: ProcessSpec,
  { bwrap }: Tools,
  how: Pick<NamespaceOptions, "options" | "isSandboxed">,
): Hold | null {
  if (command.length + how.options.length > maxNamespaceArguments) return null;
  // A link to the tree may lie in a folder that is empty there.
  return new NamespaceHold(command, { bwrap: bwrap ?? "bwrap", cwd: realPath(cwd) ?? cwd, mark, ...how });
}

function holdGroup(spec: ProcessSpec, setpriv: string | null): Hold {
  return new GroupHold(spec.command, { mark: spec.mark, setpriv, watch: spec.containment === "agent" });
}

function launch(spec: ProcessSpec, hold: Hold): ChildProcess {
  const input = openInput(spec.input);
  let child: NodeChild;
  try {
    faultPoint("process.before-spawn");
    child = spawnHeld(spec, hold, input);
  } finally {
    input.release();
  }
  faultPoint("process.spawned");
  if (child.pid === undefined) return createUnstartedChild(new Promise((tell) => child.on("error", (error) => tell(codeOf(error)))));
  const running = new RunningChild(child, identify(child.pid), hold, spec);
  if (input.text !== null) child.stdin?.end(input.text);
  return running;
}

function spawnHeld(spec: ProcessSpec, hold: Hold, input: Input): NodeChild {
  const stdio: StdioOptions = [input.stdio, "pipe", "pipe", ...(hold.statusPipe ? (["pipe"] as const) : [])];
  const env = { ...spec.env, PWD: spec.cwd, [markName]: spec.mark };
  return spawn(hold.file, hold.args, { cwd: spec.cwd, env, stdio, detached: true, windowsHide: true });
}

function identify(pid: number): ProcessIdentity {
  return { pid, startTicks: readStartTicks(pid), bootId };
}

function isAlive(identity: ProcessIdentity): boolean {
  if (identity.bootId !== bootId) return false;
  return hasProcessTable ? isStill(identity.pid, identity.startTicks) : send(identity.pid, 0) !== "ESRCH";
}

async function sweep(mark: string | readonly string[], identity: ProcessIdentity | null): Promise<number> {
  const known = identity !== null && hasProcessTable && isAlive(identity) ? identity : null;
  const query = { mark, sinceTicks: known?.startTicks ?? 0, leader: known?.pid ?? null };
  const seen = new Map(known === null ? [] : [[known.pid, known.startTicks]]);
  return (await endKin({ ...query, seen })).ended;
}
