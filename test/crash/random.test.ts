/**
 * F03: the agent, the supervisor, or both are killed at random times of a night of slow windows. The seed is in the title; more kills: MIDWATCH_CRASH_KILLS.
 * A night in which the kills never hit, or in which nothing was achieved between them, proves nothing and fails.
 */
import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { createRandom } from "../fixtures/random-numbers.ts";
import { complaintsOf } from "./checks.ts";
import { Night, type Snapshot } from "./night.ts";
import { agent } from "./place.ts";
import { command, type Ended } from "./program.ts";

vi.setConfig({ maxConcurrency: 2, testTimeout: 1_200_000 });

const kills = Math.ceil(Number(process.env["MIDWATCH_CRASH_KILLS"] ?? 20) / 2);
/** A kill costs one window at most, so that this leaves more than half of them useful. */
const tasks = kills * 2;
const keys = Array.from({ length: tasks }, (_, index) => `W-${index + 1}`);
const plan = keys.map((key) => `- [ ] ${key} Write ${key}.txt\n  - file: ${key}.txt exists\n`).join("");

test.concurrent.for([1, 2])(
  `after ${kills} kills at random times every task is done once, and most windows were useful (seed %i)`,
  async (seed, { onTestFinished }) => {
    const night = new Night({ plan, limits: { tasksPerWindow: 1 }, agentEnv: { SLOW: "0.2" } });
    onTestFinished(night.close);
    const { hits, ...played } = await harass(night, createRandom(seed));
    expect(await complaintsOf(night, played, { windows: tasks, deaths: kills, questions: [] })).toEqual([]);
    const { windows } = night.ledger();
    const useful = windows.filter(({ result }) => JSON.parse(String(result)).tasksClosed.length > 0).length;
    process.stdout.write(`crash: seed ${seed}: ${JSON.stringify(hits)}; ${useful} of ${windows.length} windows were useful\n`);
    expect(sum(hits)).toBe(kills);
    expect(useful / windows.length).toBeGreaterThanOrEqual(0.5);
  },
);

const victims = ["agent", "supervisor", "both"] as const;
type Hits = Record<(typeof victims)[number], number>;

/** Kills until all kills have hit or the night is over, then lets it end. */
async function harass(night: Night, random: () => number) {
  const hits: Hits = { agent: 0, supervisor: 0, both: 0 };
  const snapshots: Snapshot[] = [];
  for (let starts = 1; ; starts += 1) {
    if (starts > 3 * kills) throw new Error(`${starts} starts, and only ${sum(hits)} kills hit`);
    const last = await harassOnce(night, random, hits);
    if (last.signal !== null) snapshots.push(night.snapshot());
    if (last.code === 3) await night.help();
    if (sum(hits) === kills || (last.signal === null && last.code !== 3)) return { hits, snapshots, ...(await night.finish(last)) };
  }
}

/** One start of the program, to its end. */
async function harassOnce(night: Night, random: () => number, hits: Hits): Promise<Ended> {
  const run = night.start(command);
  let isGone = false;
  const ended = run.ended.finally(() => {
    isGone = true;
  });
  while (!isGone && sum(hits) < kills) {
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 50 + random() * 600))]);
    if (!isGone) strike(night, run.pid, hits);
  }
  return ended;
}

/** Each in turn. A kill of the agent counts only when there was one. */
function strike(night: Night, supervisor: number, hits: Hits): void {
  const victim = victims[sum(hits) % victims.length] ?? "both";
  const agents = victim === "supervisor" ? [] : night.living().filter(isAgent);
  if (victim !== "supervisor" && agents.length === 0) return;
  hits[victim] += 1;
  for (const pid of [...agents, ...(victim === "agent" ? [] : [supervisor])]) kill(pid);
}

function sum({ agent: ofAgent, supervisor, both }: Hits): number {
  return ofAgent + supervisor + both;
}

/** The program itself, and not what holds it. */
function isAgent(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0").indexOf(agent) === 1;
  } catch {
    return false; // it is gone
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it was faster
  }
}
