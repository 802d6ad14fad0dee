/** How well this machine lets us hold agents, found out once: a process namespace where bubblewrap works, else what is there, by name. */
import { type StdioOptions, spawnSync } from "node:child_process";
import type { Containment } from "../../ports/processes.ts";
import { findKin, kill, markName } from "./kin.ts";
import { namespaceOptions } from "./namespace-hold.ts";
import { hasProcessTable } from "./proc-table.ts";
import { locate } from "./program.ts";

export interface Tools {
  readonly containment: Containment;
  readonly bwrap: string | null;
  readonly setpriv: string | null;
}

export interface ToolQuery {
  /** A PATH value in which the tools are looked for. */
  readonly toolPath: string;
  /** `namespace` is believed without a trial; `partial` does not use one that would work. */
  readonly force?: "namespace" | "partial";
}

const trialTimeoutMs = 5_000;

export function findTools(query: ToolQuery): Tools {
  const bwrap = find("bwrap", query.toolPath);
  const setpriv = process.platform === "linux" ? find("setpriv", query.toolPath) : null;
  if (query.force === "namespace") return { containment: { kind: "namespace" }, bwrap, setpriv };
  const obstacle = query.force === "partial" ? "process namespaces are switched off" : tryNamespace(bwrap);
  if (obstacle === null) return { containment: { kind: "namespace" }, bwrap, setpriv };
  return { containment: { kind: "partial", why: [obstacle, ...listGaps(setpriv)].join("; ") }, bwrap, setpriv };
}

function find(name: string, toolPath: string): string | null {
  const { path, refusal } = locate(name, "/", toolPath);
  return refusal === null ? path : null;
}

/** Null = it works here. bwrap runs itself, the one program that is surely there. */
function tryNamespace(bwrap: string | null): string | null {
  if (bwrap === null) return "bubblewrap is not installed";
  const mark = `trial-${process.pid}`;
  const args = [...namespaceOptions, "--", bwrap, "--version"];
  const stdio: StdioOptions = ["ignore", "ignore", "pipe", "pipe"];
  const trial = spawnSync(bwrap, args, { stdio, env: { [markName]: mark }, timeout: trialTimeoutMs, killSignal: "SIGKILL" });
  if (trial.status === 0) return null;
  // When the outer bwrap fails in the middle, the inner one waits for it for ever.
  for (const left of findKin({ mark, sinceTicks: 0, leader: null })) kill(left.pid, left.startTicks);
  const reason = trial.stderr?.toString("utf8").trim().split("\n")[0]?.slice(0, 200);
  return `bubblewrap does not work here (${reason || trial.error?.message || "no reason given"})`;
}

function listGaps(setpriv: string | null): readonly string[] {
  const gaps: string[] = [];
  if (setpriv === null) gaps.push("no setpriv: an agent outlives a killed supervisor until the next sweep");
  if (!hasProcessTable) gaps.push("no /proc: descendants that leave the process group are not found");
  return gaps;
}
