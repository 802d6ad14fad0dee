/**
 * Changes of what guards the agent: settings, hooks, our config and state, switches in the environment. Reading them passes. A command that is
 * not known as a reader and names such a file is denied, whatever it would do.
 */
import { type Denial, deny } from "../action.ts";
import { startsAgent } from "../agents.ts";
import { denyProtected } from "../file-writes.ts";
import { gitCallOf } from "../git.ts";
import type { Invocation, Scene } from "../scene.ts";
import { judgeGitGuards } from "./git-guards.ts";
import { writesProtected } from "./protected-writes.ts";

const schedulers = new Set(["crontab", "at", "batch", "systemd-run", "anacron"]);

/** Denies what changes the guards or the contract, or gets around them. */
export function judgeGuardAndContract(invocation: Invocation, scene: Scene): Denial | null {
  const { name, args } = invocation;
  if (startsAgent(invocation)) {
    return deny("guard-and-contract/agent", "an agent started from a command runs outside the guards", "use your own subagents");
  }
  if (schedulers.has(name) && !args.some(({ text }) => text === "-l")) {
    return deny("guard-and-contract/later", `${name} runs things after the window`, "run it now, or ask the person");
  }
  const git = gitCallOf(invocation);
  if (git !== null) return judgeGitGuards(git, invocation, scene);
  return writesProtected(invocation, scene) ? denyProtected() : null;
}
