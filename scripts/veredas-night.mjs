/**
 * Nights of examples/veredas for `npm run prove` and `npm run chaos`: a state folder of its own, the scripted provider in this process with an invoice of its own, and
 * supervisors of the batch as real processes. What is asked of the books afterwards is asked with plain SQL, on a connection that cannot write.
 */
import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseScript } from "../src/cli/provider-script.ts";
import { startProvider } from "../src/provider/server.ts";

const root = join(import.meta.dirname, "..");
const example = join(root, "examples/veredas");
const launcher = join(root, "bin/midwatch.js");
export const batch = "veredas";
export const callsPerJob = 25;
export const callMicroUsd = 16_400;

/** @param {{ jobs: number, slots?: number, program?: string[], attempts?: number, pace?: () => number }} options  pace: milliseconds before the first byte of an answer */
export async function openNight({
  jobs,
  slots = 4,
  program = [process.execPath, join(example, "solve.mjs")],
  attempts = 3,
  pace,
  parent = tmpdir(),
}) {
  const folder = mkdtempSync(join(parent, "midwatch-veredas-"));
  const state = join(folder, "state/midwatch");
  const invoicePath = join(folder, "invoice.jsonl");
  for (const path of [state, join(folder, "home")]) mkdirSync(path, { recursive: true, mode: 0o700 });
  const listeners = new Set();
  const provider = await startProvider({
    script: paced(parseScript(readFileSync(join(example, "provider.json"), "utf8"), "provider.json"), pace),
    invoicePath,
    onCall: (call) => {
      for (const listener of listeners) listener(call);
    },
  });
  const price = {
    model: "veredas-1",
    input: 10,
    output: 40,
    cacheRead: 0,
    cacheWrite: 0,
    cacheWriteLong: 0,
    set: "2026-11-30T00:00:00.000Z",
  };
  writeFileSync(join(state, "prices.json"), JSON.stringify({ prices: [price] }));
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    ...{ HOME: join(folder, "home"), XDG_STATE_HOME: join(folder, "state"), XDG_CONFIG_HOME: join(folder, "config") },
    ...{ LANG: "C.UTF-8", TZ: "UTC", ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: "sk-veredas" },
  };
  addJobs(folder, env, { jobs, slots, program, attempts });
  const supervisors = new Set();
  return {
    folder,
    state,
    env,
    /** Called at each request, when it is charged and before it is answered. */
    onCall(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    supervise(more = {}, { entry = launcher, slots: now = slots } = {}) {
      const supervisor = startSupervisor([process.execPath, entry, "batch", "run", batch, "--json", "--slots", String(now)], {
        cwd: folder,
        env: { ...env, ...more },
      });
      supervisors.add(supervisor);
      return supervisor;
    },
    invoicePath,
    invoice: () => readLines(invoicePath),
    /** A command of midwatch to its end. */
    say: (...args) => spawnSync(process.execPath, [launcher, ...args], { cwd: folder, env, encoding: "utf8" }),
    /** Rows, as objects. */
    ask: (sql, ...values) => askBooks(join(state, "midwatch.db"), sql, values),
    async close() {
      for (const one of supervisors) await one.kill();
      await provider.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The build with fault points. */
export const faultyProgram = join(root, "build/midwatch-faults.js");

function paced(script, pace) {
  if (pace === undefined) return script;
  const conversations = script.conversations.map(({ when, steps }) => ({
    when,
    steps: ({ step }) => ({ ...steps[Math.min(step, steps.length - 1)], firstByteMs: pace() }),
  }));
  return { conversations };
}

function addJobs(folder, env, { jobs, slots, program, attempts }) {
  const list = join(folder, "jobs.jsonl");
  writeFileSync(list, run([join(example, "make-jobs.mjs"), String(jobs)], {}));
  const flags = ["--jobs", list, "--version", "v1", "--slots", String(slots), "--attempts", String(attempts), "--cap", "1000"];
  run([launcher, "batch", "add", batch, ...flags, "--", ...program], { cwd: folder, env });
}

function run(args, options) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { ...options, encoding: "utf8" });
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}

function startSupervisor([file, ...args], options) {
  const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const said = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => {
    said.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    said.err += text;
  });
  const ended = new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal, ...said })));
  return {
    pid: child.pid,
    ended,
    isGone: () => child.exitCode !== null || child.signalCode !== null,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function readLines(path) {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

function askBooks(path, sql, values) {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    db.exec("PRAGMA busy_timeout = 2000");
    return db.prepare(sql).all(...values);
  } finally {
    db.close();
  }
}

/** Processes of jobs below a supervisor: { pid, job }, innermost last. */
export function jobProcesses(supervisor) {
  return descendants(supervisor).flatMap((pid) => {
    const job = variable(pid, "MIDWATCH_JOB");
    return job === null ? [] : [{ pid, job }];
  });
}

function descendants(pid) {
  const children = readTasks(pid).flatMap((task) => read(`/proc/${pid}/task/${task}/children`).split(" ").filter(Boolean).map(Number));
  return children.flatMap((child) => [child, ...descendants(child)]);
}

function readTasks(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // it is gone
  }
}

function variable(pid, name) {
  const found = read(`/proc/${pid}/environ`)
    .split("\0")
    .find((entry) => entry.startsWith(`${name}=`));
  return found === undefined ? null : found.slice(name.length + 1);
}

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // it is gone
  }
}

export function send(pid, signal) {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false; // it is gone
  }
}

/** Where the system keeps files in memory: a kill ends processes and not the machine, so nothing that is shown is shown less there. Null = nowhere. */
export function memoryFolder() {
  try {
    accessSync("/dev/shm", constants.W_OK | constants.X_OK);
    return "/dev/shm";
  } catch {
    return null;
  }
}
