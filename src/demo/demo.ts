/**
 * `midwatch demo`: a whole night in a scratch folder with the real program, real git, a real store and a scripted agent. It only prepares the
 * folder, starts the program, kills it with -9 once on the way, starts it again, and looks at the result.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, watch } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import type { ProviderScript, ScriptedProvider } from "../ports/provider.ts";
import { claudeNight } from "./claude-night.ts";
import { tasks } from "./work.ts";

export interface Demo {
  /** Keep the folder to look at. */
  readonly keep: boolean;
  readonly terminal: { out(text: string): void; err(text: string): void };
  readonly env: NodeJS.ProcessEnv;
  /** How this program is started. */
  readonly program: readonly [string, ...string[]];
  /** SIGINT, SIGTERM, SIGHUP; returns the way to stop listening. */
  onSignal(listener: () => void): () => void;
  /** The real Claude Code instead of the scripted agent: its program, and the provider that leads it. */
  readonly claude: {
    readonly program: string;
    startProvider(options: { readonly script: ProviderScript }): Promise<ScriptedProvider>;
  } | null;
}

interface Scene {
  readonly demo: Demo;
  readonly folder: string;
  readonly repo: string;
  readonly env: NodeJS.ProcessEnv;
  readonly provider: ScriptedProvider | null;
  /** The person left: Ctrl-C, or the terminal was closed. */
  readonly left: AbortSignal;
}

/** As for any run that a person stopped. */
const leftCode = 130;

/** @returns 0 when the night went as it should */
export async function playDemo(demo: Demo): Promise<number> {
  const left = new AbortController();
  const stopListening = demo.onSignal(() => left.abort());
  const scene = await prepare(demo, left.signal);
  try {
    demo.terminal.err(
      "A scratch repository with 5 tasks and a scripted agent: no model, no network,\n$0 (the amounts are made up). In this night it works, talks without acting,\nmeets an outage, hangs, is killed -9 together with its supervisor, and asks\nyou something. Ctrl-C ends it and leaves nothing behind.\n\n",
    );
    const code = await night(scene);
    // At a prompt of the run's, Ctrl-C reaches the run alone.
    if (left.signal.aborted || code === leftCode) return leftCode;
    demo.terminal.err(
      code === 0
        ? "\nThat was real git, a real store and real processes.\nNext, in a repository of yours: midwatch init\n"
        : `\nThe night did not end as it should (exit code ${code}).\nRun it again with --keep and look at it.\n`,
    );
    return code;
  } finally {
    await scene.provider?.close();
    if (demo.keep) demo.terminal.err(`kept: ${scene.folder}\n`);
    else await rm(scene.folder, { recursive: true, force: true });
    stopListening();
  }
}

async function night(scene: Scene): Promise<number> {
  const first = start(scene);
  const killed = await killWhenAsked(scene, first);
  if (!killed || scene.left.aborted) return exitOf(first);
  scene.demo.terminal.err("\n  kill -9: the supervisor is dead, and the agent with it.\n  Starting it again with the same command.\n\n");
  return exitOf(start(scene));
}

async function prepare(demo: Demo, left: AbortSignal): Promise<Scene> {
  const folder = await realpath(await mkdtemp(`${tmpdir()}/midwatch-demo-`));
  const repo = `${folder}/repository`;
  await mkdir(repo);
  const env = {
    ...demo.env,
    XDG_STATE_HOME: `${folder}/state`,
    XDG_CONFIG_HOME: `${folder}/config`,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
  };
  const git = (...args: readonly string[]) => execFileSync("git", ["-C", repo, ...args], { env, stdio: ["ignore", "ignore", "inherit"] });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Scripted agent");
  git("config", "user.email", "agent@example.invalid");
  await writeFile(`${repo}/tasks.md`, tasks);
  const provider = (await demo.claude?.startProvider({ script: claudeNight({ repo, folder }) })) ?? null;
  await writeFile(`${repo}/midwatch.jsonc`, JSON.stringify(config(demo, folder, provider), null, 2));
  git("add", ".");
  git("commit", "--quiet", "-m", "chore: start");
  return { demo, folder, repo, env, provider, left };
}

function config(demo: Demo, folder: string, provider: ScriptedProvider | null): object {
  return {
    plan: "tasks.md",
    agent:
      provider === null || demo.claude === null
        ? { command: [process.execPath, agentPath()], env: { DEMO_FOLDER: folder } }
        : claudeConfig(demo.claude.program, folder, provider),
    limits: { run: 5, window: 2, tasksPerWindow: 2, idleTime: provider === null ? "2s" : "5s", graceTime: "1s", outageWait: "1s" },
    leftovers: "next-window",
  };
}

/** A home and a key of its own, neither of which is worth anything, and a provider on loopback: nothing is paid and nothing of the person's is read. */
function claudeConfig(program: string, folder: string, { url }: ScriptedProvider): object {
  const env = {
    HOME: `${folder}/home`,
    CLAUDE_CONFIG_DIR: `${folder}/home/.claude`,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-no-key",
    CLAUDE_CODE_MAX_RETRIES: "0",
  };
  return { kind: "claude-code", program, mcpServers: "none", env };
}

/** Beside the built program (this code may lie in one of its chunks), or among the sources. */
function agentPath(): string {
  const places = ["./demo-agent.js", "../demo-agent.js", "./agent.ts"].map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return places.find(existsSync) ?? places[0] ?? "";
}

/** A run outlives a closed terminal; this one is of no use without the demo, and ends with it. */
function start({ demo, repo, env, left }: Scene): ChildProcess {
  const [program, ...args] = demo.program;
  const child = spawn(program, [...args, "run", "--foreground"], { cwd: repo, env, stdio: "inherit" });
  const end = () => void child.kill("SIGTERM");
  left.addEventListener("abort", end);
  child.once("exit", () => left.removeEventListener("abort", end));
  if (left.aborted) end();
  return child;
}

/** The scripted agent asks for it with a file, in the middle of a task. @returns false when the program ended before that. */
function killWhenAsked({ folder }: Scene, child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    const watcher = watch(folder, () => {
      if (existsSync(`${folder}/kill-me`)) child.kill("SIGKILL");
    });
    child.once("exit", (_code, signal) => {
      watcher.close();
      resolve(signal === "SIGKILL");
    });
  });
}

function exitOf(child: ChildProcess): Promise<number> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode ?? 1);
  return new Promise((resolve) => {
    child.once("error", () => resolve(1));
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
