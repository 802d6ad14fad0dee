/** How well this machine lets us hold agents, found out once: a process namespace where bubblewrap works, else what is there, by name. */
import { type StdioOptions, spawnSync } from "node:child_process";
import type { SandboxState } from "../../core/sandbox/place.ts";
import type { Containment } from "../../ports/processes.ts";
import { findKin, kill, markName } from "./kin.ts";
import { plainNamespace } from "./namespace-options.ts";
import { hasProcessTable } from "./proc-table.ts";
import { locate } from "./program.ts";
import { type SandboxWanted, sandboxObstacle, sandboxTrial, seatbeltCommand } from "./sandbox/sandbox.ts";

export interface Tools {
  readonly containment: Containment;
  readonly sandbox: SandboxState;
  readonly bwrap: string | null;
  readonly setpriv: string | null;
}

export interface ToolQuery {
  /** A PATH value in which the tools are looked for. */
  readonly toolPath: string;
  /** `namespace` is believed without a trial; `partial` does not use one that would work. */
  readonly force?: "namespace" | "partial";
  /** Absent = nobody asked for one. */
  readonly sandbox?: SandboxWanted;
}

const trialTimeoutMs = 5_000;

export function findTools(query: ToolQuery): Tools {
  const bwrap = find("bwrap", query.toolPath);
  const setpriv = process.platform === "linux" ? find("setpriv", query.toolPath) : null;
  const sandbox = findSandbox(bwrap, query);
  const hasNamespace = sandbox.kind === "on" && !isMac;
  const containment = findContainment({ ...query, ...(hasNamespace ? { force: "namespace" } : {}) }, bwrap, setpriv);
  return { containment, sandbox, bwrap, setpriv };
}

function findContainment({ force }: ToolQuery, bwrap: string | null, setpriv: string | null): Containment {
  if (force === "namespace") return { kind: "namespace" };
  const obstacle = force === "partial" ? switchedOff : tryNamespace(bwrap);
  return obstacle === null ? { kind: "namespace" } : { kind: "partial", why: [obstacle, ...listGaps(setpriv)].join("; ") };
}

const switchedOff = "process namespaces are switched off";

function findSandbox(bwrap: string | null, { force, sandbox }: ToolQuery): SandboxState {
  if (sandbox === undefined || sandbox.mode === "off") return { kind: "off", wanted: false, why: "it is switched off" };
  const why = isMac ? trySeatbelt(sandbox) : force === "partial" ? switchedOff : bwrap === null ? notInstalled : trySandbox(bwrap, sandbox);
  return why === null ? { kind: "on" } : { kind: "off", wanted: true, why };
}

const notInstalled = "bubblewrap is not installed";

export const isMac: boolean = process.platform === "darwin";

function trySeatbelt(wanted: SandboxWanted): string | null {
  if (wanted.mode === "auto") return "on macOS it is untested, and taken only where agent.sandbox is on";
  const [file, ...args] = seatbeltCommand(wanted, { command: ["/usr/bin/true"], cwd: wanted.tree, env: {} });
  const trial = tryOut(file, args);
  return trial.code === 0 ? null : `sandbox-exec cannot make one here (${trial.why})`;
}

function trySandbox(bwrap: string, wanted: SandboxWanted): string | null {
  const trial = tryOut(bwrap, sandboxTrial(wanted));
  return trial.code === 0 ? null : (sandboxObstacle(trial.code) ?? `bubblewrap cannot make one here (${trial.why})`);
}

function find(name: string, toolPath: string): string | null {
  const { path, refusal } = locate(name, "/", toolPath);
  return refusal === null ? path : null;
}

/** Null = it works here. bwrap runs itself, the one program that is surely there. */
function tryNamespace(bwrap: string | null): string | null {
  if (bwrap === null) return notInstalled;
  const trial = tryOut(bwrap, [...plainNamespace, "--", bwrap, "--version"]);
  return trial.code === 0 ? null : `bubblewrap does not work here (${trial.why})`;
}

function tryOut(file: string, args: readonly string[]): { readonly code: number | null; readonly why: string } {
  const mark = `trial-${process.pid}`;
  const stdio: StdioOptions = ["ignore", "ignore", "pipe", "pipe"];
  const trial = spawnSync(file, args, { stdio, env: { ...trialEnv, [markName]: mark }, timeout: trialTimeoutMs, killSignal: "SIGKILL" });
  // When the outer bwrap fails in the middle, the inner one waits for it for ever.
  if (trial.status !== 0) for (const left of findKin({ mark, sinceTicks: 0, leader: null })) kill(left.pid, left.startTicks);
  const reason = trial.stderr?.toString("utf8").trim().split("\n")[0]?.slice(0, 200);
  return { code: trial.status, why: reason || trial.error?.message || "no reason given" };
}

const trialEnv = { PATH: "/usr/bin:/bin" };

function listGaps(setpriv: string | null): readonly string[] {
  const gaps: string[] = [];
  if (setpriv === null) gaps.push("no setpriv: an agent outlives a killed supervisor until the next sweep");
  if (!hasProcessTable) gaps.push("no /proc: descendants that leave the process group are not found");
  return gaps;
}
