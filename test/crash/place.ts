/** Where a night takes place: a repository with a plan, a stash and a second branch, and nothing of the machine's own settings. */
import { appendFileSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeRepository, type Repository, repositoryAt } from "../fixtures/repositories.ts";

/** How agents are held in these nights. */
const containment = "auto";

export const agent = join(import.meta.dirname, "agent.sh");

export interface Scene {
  readonly plan: string;
  readonly limits: Readonly<Record<string, unknown>>;
  readonly agentEnv: Readonly<Record<string, string>>;
}

/** No number of deaths reaches these; each is the largest that is taken. */
const roomy = {
  ...{ failedWindows: 1000, idleWindows: 1000, windowsWithoutTask: 1000, unknownCostWindows: 1000 },
  ...{ attemptsPerTask: 100, windows: 1000, run: 1000 },
};

export function makePlace(folder: string, { plan, limits, agentEnv }: Scene): Repository {
  const repo = copyTemplate(join(folder, "repo"));
  repo.commit("the plan", { "tasks.md": plan });
  const settings = {
    // In the sandbox nothing below /tmp is seen that is not named.
    agent: { command: [agent], containment, env: { SCENE: folder, ...agentEnv }, writable: [folder] },
    ...{ leftovers: "next-window", onQuestion: "stop" },
    limits: { tasksPerWindow: 2, graceTime: "1s", ...roomy, ...limits },
  };
  mkdirSync(join(folder, "config/midwatch"), { recursive: true });
  writeFileSync(join(folder, "config/midwatch/config.jsonc"), JSON.stringify(settings));
  mkdirSync(join(folder, "home"));
  return repo;
}

/** HOME is how the processes of a night are told from all others. */
export function environment(folder: string): Readonly<Record<string, string>> {
  return {
    PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
    ...{ HOME: join(folder, "home"), XDG_STATE_HOME: join(folder, "state"), XDG_CONFIG_HOME: join(folder, "config") },
    ...{ LANG: "C.UTF-8", TZ: "UTC", GIT_CONFIG_NOSYSTEM: "1" },
  };
}

let template: string | null = null;

function copyTemplate(path: string): Repository {
  template ??= makeTemplate();
  cpSync(template, path, { recursive: true });
  return repositoryAt(path);
}

/** The stash and the branch `other` are what nobody may touch. */
function makeTemplate(): string {
  const repo = makeRepository();
  const settings = { "user.name": "Scripted agent", "user.email": "agent@example.org", "gc.auto": "0" };
  for (const [key, value] of Object.entries(settings)) repo.git("config", key, value);
  repo.write("a.txt", "stashed\n");
  repo.git("stash");
  repo.git("branch", "other");
  appendFileSync(join(repo.path, ".git/info/exclude"), ".midwatch/\n");
  return repo.path;
}
