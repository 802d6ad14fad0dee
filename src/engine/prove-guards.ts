/** Proves the guards the way the agent itself would meet them: the real program, with the run's own settings, led by a scripted provider. No money, no transcript. */

import { exitReason } from "../core/exit-reason.ts";
import {
  type GuardProof,
  judgeProof,
  type ProofAttempt,
  type ProvedAttempt,
  proofAttempts,
  provedAttempts,
  standIns,
} from "../core/guard-proof.ts";
import { createTranscript } from "../core/transcript.ts";
import { windowEnd } from "../core/window-end.ts";
import type { GuardAnswer, ProgramFound, ToolCall } from "../ports/agent.ts";
import type { Scratch } from "../ports/files.ts";
import type { ScriptStep } from "../ports/provider.ts";
import type { RunContext } from "./context.ts";
import { createGuard } from "./guard.ts";

const trialMs = 30_000;
/** Everything is on this machine and nothing thinks: a program that is silent for so long hangs. */
const silenceMs = 10_000;
/** The program waits so long for the answer that never comes. */
const answerMs = 1000;

/**
 * Proves the guards unless they were proved in this process for this very program: its version, the file behind its name, and how it is started. So one that its
 * own updater or anybody else replaces, be it by the same version, is proved again. An agent that offers no guard has nothing to prove; the report says so.
 */
export async function ensureGuards(context: RunContext, { version, mark, remarks }: ProgramFound): Promise<GuardProof> {
  const { ports, proof, run } = context;
  const key = JSON.stringify([version, mark, context.settings.agent]);
  if (ports.agent.capabilities.guard === "none" || proof.key === key) return { kind: "proved" };
  const startedAt = ports.clock.monotonicMs();
  const { proof: result } = await proveGuards(context);
  const ms = Math.round(ports.clock.monotonicMs() - startedAt);
  const event =
    result.kind === "proved"
      ? { kind: "guards.proved", data: { version, ms } }
      : { kind: "guards.failed", data: { version, failures: result.failures } };
  const told = remarks.map((text) => ({ kind: "agent.remark", data: { text } }));
  await ports.store.appendEvents(run, [event, ...told], ports.clock.now());
  if (result.kind === "proved") proof.key = key;
  return result;
}

type Proving = Pick<RunContext, "ports" | "settings">;

/** Under five seconds. Harms nothing: the scratch folder is ours, and dangerous names are stand-ins. */
export async function proveGuards(context: Proving): Promise<{ readonly proof: GuardProof; readonly attempts: readonly ProvedAttempt[] }> {
  const scratch = await context.ports.files.makeScratch();
  try {
    const attempts = proofAttempts(scratch.folder);
    await writeStandIns(scratch);
    const { asked, end } = await attempt(context, scratch, attempts);
    const marks = new Set<string>();
    for (const { mark } of attempts) if (await scratch.exists(mark)) marks.add(mark);
    const seen = { marks, asked, end };
    return { proof: judgeProof(attempts, seen), attempts: provedAttempts(attempts, seen) };
  } finally {
    await scratch.remove();
  }
}

async function writeStandIns({ folder, write }: Scratch): Promise<void> {
  for (const name of standIns)
    await write(`bin/${name}`, `#!/bin/sh\ntouch '${folder}/${name}-ran'\necho "touch '${folder}/${name}-ran'"\n`, true);
  await write("home/.keep", "");
}

async function attempt(
  context: Proving,
  { folder }: Scratch,
  attempts: readonly ProofAttempt[],
): Promise<{ readonly asked: ReadonlySet<string>; readonly end: string }> {
  const { ports, settings } = context;
  // All in one answer: the program asks about each of them all the same, and each request less is time.
  const steps: ScriptStep[] = [{ tools: attempts.map(({ tool, input }) => ({ name: tool, input })) }, { text: "done" }];
  const provider = await ports.startProvider({ script: { conversations: [{ steps }] } });
  const transcript = createTranscript();
  const asked = new Set<string>();
  const guard = createGuard(context, null, folder);
  try {
    const run = ports.agent.start({
      window: ports.ids.newWindowId(),
      cwd: folder,
      prompt: "Prove the guards.",
      env: trialEnvironment(ports.agentEnv, folder, provider.url),
      limits: { ...settings.limits, wallMs: trialMs, idleMs: silenceMs, lingerMs: answerMs, toolMs: silenceMs },
      log: { path: `${folder}/trial.log`, maxBytes: 1024 * 1024 },
      onEvent: (event) => transcript.add(event),
      guard: (call) => answer(call, attempts, asked, guard.judge),
      toolsUrl: null,
      capMicroUsd: settings.limits.windowMicroUsd,
      guardTimeoutMs: answerMs,
      isTrial: true,
    });
    const end = await run.end;
    return { asked, end: windowEnd(exitReason(transcript.read(), end)).detail };
  } finally {
    await provider.close();
  }
}

/** The real guard, but for the call to which no answer is given. */
function answer(
  call: ToolCall,
  attempts: readonly ProofAttempt[],
  asked: Set<string>,
  guard: (call: ToolCall) => Promise<GuardAnswer>,
): Promise<GuardAnswer> {
  const attempted = attempts.find(
    ({ tool, input }) => call.name === tool && Object.entries(input).every(([name, value]) => field(call.input, name) === value),
  );
  if (attempted !== undefined) asked.add(attempted.name);
  return attempted?.must === "withheld" ? new Promise(() => undefined) : guard(call);
}

function field(input: unknown, name: string): unknown {
  return typeof input === "object" && input !== null ? Reflect.get(input, name) : undefined;
}

/**
 * The run's own, with another provider and a key that is none. Stand-ins come first in the search path, and the home is an empty one: a shell profile
 * may hold a function `rm`, which would stand before them.
 */
function trialEnvironment(env: Readonly<Record<string, string>>, folder: string, url: string): Record<string, string> {
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !leadsElsewhere(name))),
    PATH: `${folder}/bin:${env["PATH"] ?? "/usr/bin:/bin"}`,
    HOME: `${folder}/home`,
    CLAUDE_CONFIG_DIR: `${folder}/home/.claude`,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-no-key",
    TMPDIR: folder,
  };
}

/** A sign-in, or the switch to another provider (`CLAUDE_CODE_USE_BEDROCK`), which would make the trial a paid one. */
function leadsElsewhere(name: string): boolean {
  return name === "ANTHROPIC_AUTH_TOKEN" || name === "CLAUDE_CODE_OAUTH_TOKEN" || name.startsWith("CLAUDE_CODE_USE_");
}
