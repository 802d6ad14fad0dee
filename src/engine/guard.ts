/**
 * Judges each tool call of one window before it is made. The verdict is core's; here is what it needs to know. Git's settings and links are an agent's to change
 * while it works: they are looked up for the call that meets them, and never kept. What a call puts into files is remembered for the calls after it, so that
 * "write it, then run it" is one thing. What the person has granted is read when a call needs it.
 */
import type { Denial, Verdict } from "../core/guard/action.ts";
import type { GuardContext, Memory } from "../core/guard/context.ts";
import type { GitRoute, GitSettings } from "../core/guard/git-settings.ts";
import { isGrantable } from "../core/guard/grants.ts";
import { examineAction } from "../core/guard/judge.ts";
import { type GuardPolicy, noPolicy } from "../core/guard/policy.ts";
import type { Trace } from "../core/guard/scene.ts";
import { readToolCall } from "../core/guard/tool-call.ts";
import type { RunSettings } from "../core/run-settings.ts";
import type { GuardAnswer, ToolCall } from "../ports/agent.ts";
import type { Clock } from "../ports/clock.ts";
import type { Files } from "../ports/files.ts";
import type { Processes } from "../ports/processes.ts";
import type { Store, WindowRecord } from "../ports/store.ts";
import type { Workspace } from "../ports/workspace.ts";
import { type RunPorts, treePath } from "./context.ts";
import { grantsOf } from "./grants.ts";

/** An alias may lead on to another folder, and that to a third: more often than this they are not followed. */
const mostLooks = 4;

/** Whose calls they are; without it (a trial) nothing of the person's is looked at, and nothing is recorded. */
export interface GuardedWindow {
  readonly window: WindowRecord;
  readonly startRoutes: readonly GitRoute[];
}

export interface Guard {
  judge(call: ToolCall): Promise<GuardAnswer & { readonly denial?: Denial }>;
  /** What it did in this window, in one event; nothing where it was asked nothing. */
  finish(): Promise<void>;
}

/** What one verdict needs. */
export interface ExaminerPorts extends Pick<RunPorts, "agentEnv" | "stateFolder" | "shell"> {
  readonly clock: Pick<Clock, "now" | "monotonicMs">;
  readonly files: Pick<Files, "openPlaces">;
  readonly processes: Pick<Processes, "self">;
  readonly workspace: Pick<Workspace, "gitSettings" | "changedTexts" | "location">;
}

/** What of a run its guard needs. */
export interface GuardParts {
  readonly ports: ExaminerPorts & { readonly store: Pick<Store, "tasks" | "questions" | "appendEvents"> };
  readonly settings: Pick<RunSettings, "guard">;
}

/** @param top  the working tree, or the scratch folder of a trial */
export function createGuard(context: GuardParts, live: GuardedWindow | null, top: string): Guard {
  const { ports } = context;
  const examine = createExaminer(ports, { top, startRoutes: live?.startRoutes ?? null, looksUp: live !== null });
  const counts = { calls: 0, denied: 0, granted: 0, slowestMs: 0 };
  return {
    async judge(call) {
      const startedAt = ports.clock.monotonicMs();
      const own = live === null ? noPolicy : (context.settings.guard ?? noPolicy);
      let verdict = await examine(call, own);
      if (live !== null && verdict.kind === "deny" && isGrantable(verdict)) {
        const grants = await grantsOf(ports.store, live.window);
        if (grants.length > 0) verdict = await examine(call, { ...own, grants: [...own.grants, ...grants] });
      }
      const ms = Math.round((ports.clock.monotonicMs() - startedAt) * 10) / 10;
      counts.calls += 1;
      counts.slowestMs = Math.max(counts.slowestMs, ms);
      if (verdict.kind === "deny") counts.denied += 1;
      else if (verdict.grants !== undefined) counts.granted += 1;
      await record(call, verdict, ms);
      return verdict.kind === "allow" ? { kind: "allow" } : { kind: "deny", reason: told(verdict), denial: verdict };
    },
    async finish() {
      if (live !== null && counts.calls > 0) await append("guard.summed", counts);
    },
  };

  async function record(call: ToolCall, verdict: Verdict, ms: number): Promise<void> {
    const by = call.agentId ?? "main";
    if (verdict.kind === "deny") {
      const { family, rule, reason } = verdict;
      await append("guard.denied", { tool: call.name, family, rule, reason, by, ms });
    } else if (verdict.grants !== undefined) await append("guard.granted", { tool: call.name, grants: verdict.grants.join("; "), by, ms });
  }

  /** A denial that cannot be recorded is a denial all the same. */
  async function append(kind: string, data: Readonly<Record<string, unknown>>): Promise<void> {
    if (live === null) return;
    const { id, run } = live.window;
    await ports.store.appendEvents(run, [{ kind, window: id, data }], ports.clock.now()).catch(() => undefined);
  }
}

/** For the agent: with what a person would have to write, where a person can. */
function told({ reason, needs }: Denial): string {
  return needs === undefined ? reason : `${reason} (a person can grant it: "${needs}")`;
}

interface Ground {
  readonly top: string;
  readonly startRoutes: readonly GitRoute[] | null;
  /** Whether git's settings are looked up. */
  readonly looksUp: boolean;
}

/** The verdicts on calls that follow each other. Between a verdict and what it leaves in the memory no other call may come. */
export function createExaminer(
  ports: ExaminerPorts,
  { top, startRoutes, looksUp }: Ground,
): (call: ToolCall, policy: GuardPolicy, trace?: Trace) => Promise<Verdict> {
  const places = ports.files.openPlaces();
  const realPath = (path: string) => places(path).at(-1) ?? path;
  let memory: Memory = new Map();
  const facts: Omit<GuardContext, "memory" | "gitSettingsOf" | "placesOf" | "policy" | "changes"> = {
    top,
    home: realPath(ports.agentEnv["HOME"] ?? "/"),
    state: realPath(ports.stateFolder),
    // The plan and the note are the agent's to write: what it does to them is judged afterwards. The config is not.
    protectedPaths: [treePath({ ports }, "midwatch.jsonc")],
    supervisorPids: [ports.processes.self().pid],
    startRoutes,
    parseShell: ports.shell.parse,
  };
  /** Judges, looks up what was missing, and judges again. */
  return async (call, policy, trace) => {
    const action = readToolCall(call.name, call.input, call.cwd);
    const settings = new Map<string, GitSettings | null>();
    let changes: ReadonlyMap<string, string> | null = looksUp ? null : new Map();
    const placesOf = ports.files.openPlaces();
    const options = { tool: call.name, ...(trace === undefined ? {} : { trace }) };
    for (let looks = looksUp ? 0 : mostLooks; ; looks += 1) {
      const gitSettingsOf = (folder: string) => settings.get(folder) ?? null;
      const seen = examineAction(action, { ...facts, memory, placesOf, policy, gitSettingsOf, changes }, options);
      const missing = seen.unreadGit.filter((folder) => !settings.has(folder));
      if ((missing.length === 0 && !seen.unreadChanges) || looks >= mostLooks) {
        memory = seen.memory;
        return seen.verdict;
      }
      if (seen.unreadChanges) changes = await ports.workspace.changedTexts();
      const found = await Promise.all(missing.map((folder) => ports.workspace.gitSettings(folder, ports.agentEnv)));
      for (const [at, folder] of missing.entries()) settings.set(folder, found[at] ?? null);
    }
  };
}
