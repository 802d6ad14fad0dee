/**
 * Judges each tool call of one window before it is made. The verdict is core's; here is what it needs to know. Git's settings and links are an agent's to change
 * while it works: they are looked up for the call that meets them, and never kept. What a call puts into files is remembered for the calls after it, so that
 * "write it, then run it" is one thing.
 */
import type { GuardContext, Memory } from "../core/guard/context.ts";
import type { GitSettings } from "../core/guard/git-settings.ts";
import { examineAction } from "../core/guard/judge.ts";
import { readToolCall } from "../core/guard/tool-call.ts";
import type { WindowId } from "../core/ids.ts";
import type { GuardAnswer, ToolCall } from "../ports/agent.ts";
import { type RunContext, treePath } from "./context.ts";

/** An alias may lead on to another folder, and that to a third: more often than this they are not followed. */
const mostLooks = 4;

/**
 * @param window  denials are recorded under it; null = they are not recorded (a trial), and nothing of the person's git is looked at
 * @param top  the working tree, or the scratch folder of a trial
 */
export function createGuard(context: RunContext, window: WindowId | null, top: string): (call: ToolCall) => Promise<GuardAnswer> {
  const { ports, run } = context;
  const places = ports.files.openPlaces();
  const realPath = (path: string) => places(path).at(-1) ?? path;
  let memory: Memory = new Map();
  const facts: Omit<GuardContext, "memory" | "gitSettingsOf" | "placesOf"> = {
    top,
    home: realPath(ports.agentEnv["HOME"] ?? "/"),
    state: realPath(ports.stateFolder),
    // The plan and the note are the agent's to write: what it does to them is judged afterwards. The config is not.
    protectedPaths: [treePath(context, "midwatch.jsonc")],
    supervisorPids: [ports.processes.self().pid],
    startRoutes: window === null ? null : context.startRoutes,
    parseShell: ports.shell.parse,
  };
  return async (call) => {
    const verdict = await examine(call);
    if (verdict.kind === "allow") return verdict;
    if (window !== null) await recordDenial({ tool: call.name, family: verdict.family, reason: verdict.reason });
    return { kind: "deny", reason: verdict.reason };
  };

  /** Judges, looks up what was missing, and judges again. Between a verdict and what it leaves in the memory no other call may come. */
  async function examine(call: ToolCall) {
    const action = readToolCall(call.name, call.input, call.cwd);
    const settings = new Map<string, GitSettings | null>();
    const placesOf = ports.files.openPlaces();
    for (let looks = window === null ? mostLooks : 0; ; looks += 1) {
      const seen = examineAction(action, { ...facts, memory, placesOf, gitSettingsOf: (folder) => settings.get(folder) ?? null });
      const missing = seen.unreadGit.filter((folder) => !settings.has(folder));
      if (missing.length === 0 || looks >= mostLooks) {
        memory = seen.memory;
        return seen.verdict;
      }
      const found = await Promise.all(missing.map((folder) => ports.workspace.gitSettings(folder, ports.agentEnv)));
      for (const [at, folder] of missing.entries()) settings.set(folder, found[at] ?? null);
    }
  }

  /** A denial that cannot be recorded is a denial all the same. */
  async function recordDenial(data: Readonly<Record<string, string>>): Promise<void> {
    await ports.store
      .appendEvents(run, [{ kind: "guard.denied", ...(window === null ? {} : { window }), data }], ports.clock.now())
      .catch(() => undefined);
  }
}
