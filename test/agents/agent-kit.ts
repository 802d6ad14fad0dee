/** Single windows of our own adapter with the real Claude Code, without a run around them: what the adapter itself must see to. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createClaudeAgent } from "../../src/adapters/agents/claude-code/claude-agent.ts";
import { createProcesses } from "../../src/adapters/processes/processes.ts";
import { createIds } from "../../src/adapters/system/ids.ts";
import type { AgentEvent } from "../../src/core/agent-event.ts";
import { type ExitReason, exitReason } from "../../src/core/exit-reason.ts";
import type { ProcessEnd } from "../../src/core/process-end.ts";
import { createTranscript, type Transcript } from "../../src/core/transcript.ts";
import type { AgentRun, WindowSpec } from "../../src/ports/agent.ts";
import type { ProviderCall, ProviderScript, ScriptStep } from "../../src/ports/provider.ts";
import { startProvider } from "../../src/provider/server.ts";
import { findStrays } from "../scenario/strays.ts";
import { claude, type Folders } from "./claude-kit.ts";

export interface AgentScene extends Partial<Pick<WindowSpec, "prompt" | "guard" | "guardTimeoutMs" | "toolsUrl">> {
  readonly provider: ProviderScript | readonly ScriptStep[];
  readonly idleMs?: number;
  /** Absent = the real one. */
  readonly program?: string;
  /** Below the working tree: path -> text. */
  readonly files?: Readonly<Record<string, string>>;
  /** May speak to the run while it goes on. */
  readonly onEvent?: (event: AgentEvent, run: AgentRun) => void;
  /** Looks at the folders before they are removed. */
  readonly after?: (folders: Folders) => void;
}

export interface AgentSeen {
  readonly transcript: Transcript;
  readonly end: ProcessEnd;
  readonly reason: ExitReason;
  readonly calls: readonly ProviderCall[];
  /** Living processes of the window after its end. */
  readonly strays: readonly number[];
}

/** Plays one window. */
export async function playAgent(scene: AgentScene): Promise<AgentSeen> {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "midwatch-agent-")));
  const folders = { tree: join(scratch, "tree"), home: join(scratch, "home") };
  const provider = await startProvider({ script: toScript(scene.provider) });
  try {
    for (const folder of [folders.tree, folders.home]) mkdirSync(folder);
    for (const [path, text] of Object.entries(scene.files ?? {})) {
      mkdirSync(dirname(join(folders.tree, path)), { recursive: true });
      writeFileSync(join(folders.tree, path), text);
    }
    const transcript = createTranscript();
    const agent = createClaudeAgent({ processes: createProcesses({}), program: scene.program ?? claude ?? "", model: null });
    const run = agent.start({
      ...specOf(scene, folders, provider.url),
      onEvent(event) {
        transcript.add(event);
        scene.onEvent?.(event, run);
      },
    });
    const end = await run.end;
    const seen = transcript.read();
    scene.after?.(folders);
    return { transcript: seen, end, reason: exitReason(seen, end), calls: [...provider.calls], strays: findStrays(scratch) };
  } finally {
    await provider.close();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

function toScript(script: AgentScene["provider"]): ProviderScript {
  return "conversations" in script ? script : { conversations: [{ steps: script }] };
}

function specOf(scene: AgentScene, { tree, home }: Folders, url: string): Omit<WindowSpec, "onEvent"> {
  const { prompt = "do it", guard = async () => ({ kind: "allow" as const }), toolsUrl = null, idleMs = 20_000 } = scene;
  return {
    window: createIds(Date.now).newWindowId(),
    cwd: tree,
    prompt,
    env: {
      ...{ PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8", HOME: home, TMPDIR: home },
      ...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "sk-ant-dummy", CLAUDE_CODE_MAX_RETRIES: "0" },
    },
    limits: { wallMs: 50_000, idleMs, graceMs: 300, toolMs: 30_000, lingerMs: 5000 },
    log: { path: join(home, "window.log"), maxBytes: 1024 },
    ...{ guard, toolsUrl, capMicroUsd: 5_000_000 },
    ...(scene.guardTimeoutMs === undefined ? {} : { guardTimeoutMs: scene.guardTimeoutMs }),
  };
}
