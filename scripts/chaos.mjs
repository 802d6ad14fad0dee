/**
 * `npm run chaos [-- --quick] [--kills 1000] [--seed 1] [--on FOLDER]`: nights of examples/veredas whose jobs and supervisors are killed at random times, alone and together, until so many
 * kills have hit; each way of killing has its own night. Jobs have 1,000 attempts. Afterwards: no job is lost, none has a second answer, every charge without a result is among the
 * unknown rows, and in the same time at least half as many calls came to their end as in a night without kills. The same seed chooses the same victims and pauses.
 * Then a supervisor is put to sleep past its lease at each of the 25 calls. --quick: 100 kills, and no sleepers beyond those of `npm test`.
 */
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createRandom } from "../test/fixtures/random-numbers.ts";
import { batch, callsPerJob, jobProcesses, memoryFolder, openNight, send } from "./veredas-night.mjs";

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    kills: { type: "string" },
    seed: { type: "string", default: "1" },
    on: { type: "string" },
  },
});
const kills = Number(options.kills ?? (options.quick ? 100 : 1000));
const parent = options.on ?? memoryFolder() ?? tmpdir();
const slots = 4;
/** An answer takes so long that most of a night is waiting, as it is with a real provider. */
const answerMs = 60;
/** At most so many times a start, from nothing to the first call, lies between two kills: some hit the start itself. */
const mostStarts = { job: 2, supervisor: 6, both: 6 };
/** Kills of a supervisor take the time of a start each, so half of all are of jobs alone. */
const shares = { job: 0.5, supervisor: 0.25, both: 0.25 };
const victims = Object.keys(shares);
/** For what is left after the storm. */
const manySlots = 16;
const attempts = 1000;
let failures = 0;

const say = (text) => process.stdout.write(`${text}\n`);

function check(what, is, holds) {
  if (!holds) failures += 1;
  say(`    ${holds ? "holds " : "BROKEN"}  ${what}: ${is}`);
}

/** A night that nobody disturbs, on this machine and now: how long it takes to its first call, and how many calls a second follow. */
async function measure() {
  const jobs = 12;
  const calm = await openNight({ jobs, slots, parent, attempts, pace: () => answerMs });
  const calls = [];
  calm.onCall(() => calls.push(performance.now()));
  try {
    const startedAt = performance.now();
    const { code, err } = await calm.supervise().ended;
    if (code !== 0) throw new Error(err);
    return { startMs: calls[0] - startedAt, perMs: (calls.length - 1) / (calls.at(-1) - calls[0]) };
  } finally {
    await calm.close();
  }
}

/** Kills until so many have hit, each in a moment of its own choice; a supervisor that is dead is started again at once. */
async function harass(stormy, victim, { count, mostMs, random }) {
  let supervisor = stormy.supervise();
  for (let hits = 0; hits < count; ) {
    await wait(random() * mostMs);
    if (supervisor.isGone()) {
      const { code, err } = await supervisor.ended;
      throw new Error(`it ended by itself with ${code} after ${hits} kills: ${err}`);
    }
    const jobs = victim === "supervisor" ? [] : jobProcesses(supervisor.pid);
    const chosen = jobs[Math.floor(random() * jobs.length)];
    if (victim === "job" && chosen === undefined) continue;
    for (const { pid, job } of jobs) if (job === chosen.job) send(pid, "SIGKILL");
    hits += 1;
    if (victim === "job") continue;
    await supervisor.kill();
    supervisor = stormy.supervise();
  }
  return supervisor;
}

async function play(victim, { count, seed, startMs, perMs }) {
  const mostMs = startMs * mostStarts[victim];
  // As many jobs as nobody could do in this storm, so that every kill finds work.
  const jobs = Math.ceil((count * mostMs * 0.6 * perMs) / callsPerJob) + 2 * slots;
  let isStorm = true;
  const stormy = await openNight({ jobs, slots, parent, attempts, pace: () => (isStorm ? answerMs : 0) });
  try {
    const startedAt = performance.now();
    const supervisor = await harass(stormy, victim, { count, mostMs, random: createRandom(seed) });
    const stormMs = performance.now() - startedAt;
    const [{ useful }] = stormy.ask("SELECT count(*) AS useful FROM call WHERE state = 'done'");
    say(`\n${victim}: ${count} kills in ${(stormMs / 1000).toFixed(1)} s, ${jobs} jobs, seed ${seed}`);
    await supervisor.kill();
    isStorm = false;
    const { code, err } = await stormy.supervise({}, { slots: manySlots }).ended;
    check("exit code of the last start", code === 0 ? 0 : `${code}: ${err}`, code === 0);
    checkBooks(stormy, jobs);
    return { victim, useful, stormMs };
  } finally {
    await stormy.close();
  }
}

function checkBooks(stormy, jobs) {
  const [{ done, lost }] = stormy.ask("SELECT sum(state = 'done') AS done, sum(state <> 'done') AS lost FROM job");
  check("jobs done", done, done === jobs && lost === 0);
  const [{ answers, ends }] = stormy.ask(
    "SELECT (SELECT count(*) FROM job_answer) AS answers, (SELECT count(*) FROM attempt WHERE end = 'done') AS ends",
  );
  check("answers, and attempts that gave one", `${answers}, ${ends}`, answers === jobs && ends === jobs);
  const rows = stormy.ask("SELECT key, seq, try, state, hash, result FROM call WHERE parent = ?", batch);
  const booked = rows.filter(({ state }) => state === "done");
  check("calls with an answer in our books", booked.length, booked.length === jobs * callsPerJob);
  const known = new Set(rows.map(({ result }) => JSON.parse(result ?? "{}").providerRequestId));
  const charges = stormy.invoice();
  const extra = charges.filter(({ request }) => !known.has(request));
  const unknown = rows.filter(({ state }) => state === "unknown");
  const found = extra.filter(({ body_sha256: body }) => unknown.some(({ hash }) => hash === body));
  check(`charges on the invoice (${charges.length}) without a result`, extra.length, charges.length - extra.length === booked.length);
  check("of them among the unknown rows", found.length, found.length === extra.length && extra.length <= unknown.length);
  check(
    "rows that are still open",
    rows.filter(({ state }) => state === "open").length,
    rows.every(({ state }) => state !== "open"),
  );
}

const before = await measure();
const seed = Number(options.seed);
const storms = [];
for (const [index, victim] of victims.entries())
  storms.push(await play(victim, { ...before, count: Math.ceil(kills * shares[victim]), seed: seed + index }));
const after = await measure();
// Others may load the machine meanwhile: what a calm night does is the mean of one before and one after.
const perMs = (before.perMs + after.perMs) / 2;
say(
  `\nundisturbed: ${Math.round(perMs * 1000)} calls a second, the first after ${Math.round(before.startMs)} ms; ${slots} slots, ${answerMs} ms an answer`,
);
for (const { victim, useful, stormMs } of storms) {
  const share = useful / ((stormMs - before.startMs) * perMs);
  check(`${victim}: ${useful} useful calls in the storm, beside an undisturbed night of that time`, share.toFixed(2), share >= 0.5);
}
if (!options.quick) {
  const [vitest, lane] = ["node_modules/vitest/vitest.mjs", "test/scenario/batch-lease.test.ts"];
  const env = { ...process.env, MIDWATCH_CHAOS: "all" };
  const sleepers = spawnSync(process.execPath, [vitest, "run", lane], { cwd: join(import.meta.dirname, ".."), env, stdio: "inherit" });
  check("a sleep past the lease at each of the 25 calls: exit code", sleepers.status, sleepers.status === 0);
}
say(failures === 0 ? "\nall of it holds" : `\n${failures} of these do not hold`);
process.exitCode = failures === 0 ? 0 : 1;
