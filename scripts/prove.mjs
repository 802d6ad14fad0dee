/**
 * `npm run prove [-- --jobs 400] [--on FOLDER]`: that a night of 400 questions never pays twice, told by the provider's own invoice with our books beside it.
 *   1  undisturbed
 *   2  everything killed with -9 when one job has booked its 12th call and no call is open, then run again
 *   3  killed at the worst point: four answers were paid for and have come, none of them is booked yet; then run again
 * Exit code 1 when anything does not hold. A kill ends processes and not the machine, so the state folder lies in memory where the system has such a place; --on puts it elsewhere.
 */
import { tmpdir } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openStore } from "../src/adapters/store/sqlite/open.ts";
import { batch, callMicroUsd, callsPerJob, faultyProgram, jobProcesses, memoryFolder, openNight, send } from "./veredas-night.mjs";

const { values: options } = parseArgs({ options: { jobs: { type: "string", default: "400" }, on: { type: "string" } } });
const jobs = Number(options.jobs);
const parent = options.on ?? memoryFolder() ?? tmpdir();
const slots = 4;
/** The job of the named point: 215 of 400. */
const chosen = String(Math.max(1, Math.round(jobs * 0.5375)));
const chosenCalls = 12;
const patienceMs = 600_000;
let failures = 0;

function say(text) {
  process.stdout.write(`${text}\n`);
}

function check(what, is, shouldBe) {
  const holds = typeof shouldBe === "function" ? shouldBe(is) : is === shouldBe;
  if (!holds) failures += 1;
  say(`    ${holds ? "holds " : "BROKEN"}  ${what}: ${is}${holds || typeof shouldBe === "function" ? "" : `, not ${shouldBe}`}`);
}

const usd = (microUsd) => `US$ ${(microUsd / 1e6).toFixed(2)}`;
const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);

async function play(title, work, more = {}) {
  say(`\n${title}`);
  const startedAt = performance.now();
  const night = await openNight({ jobs, slots, parent, ...more });
  try {
    await work(night);
  } finally {
    await night.close();
  }
  say(`    ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

/** Runs it to its end, as a person would after a crash. */
async function finish(night) {
  const end = await night.supervise().ended;
  check("exit code of batch run", end.code, 0);
  if (end.code !== 0) say(end.err.slice(-2000));
}

/** What holds after each of the nights. @param unbooked  charges that no row of ours has an answer for */
async function checkBooks(night, unbooked) {
  const charges = night.invoice();
  const total = sum(charges.map((charge) => charge.micro_usd));
  const rows = night.ask("SELECT state, count(*) AS calls, ifnull(sum(cost), 0) AS cost FROM call WHERE parent = ? GROUP BY state", batch);
  const booked = rows.find(({ state }) => state === "done") ?? { calls: 0, cost: 0 };
  say(`    the provider's invoice   ${charges.length} calls, ${usd(total)}`);
  say(
    `    our ledger beside it     ${rows.map(({ state, calls, cost }) => `${calls} ${state}, ${state === "unknown" ? "cost unknown" : usd(cost)}`).join("; ")}`,
  );
  check("calls on the invoice", charges.length, jobs * callsPerJob + unbooked);
  check("its sum", usd(total), usd((jobs * callsPerJob + unbooked) * callMicroUsd));
  check(
    "bodies that the invoice charges more than once",
    charges.length - new Set(charges.map((charge) => charge.body_sha256)).size,
    unbooked,
  );
  check("calls that our ledger has an answer of", booked.calls, jobs * callsPerJob);
  check("their sum", usd(booked.cost), usd(jobs * callsPerJob * callMicroUsd));
  const twice = await duplicates(night);
  say(`    ${twice.sql.replaceAll(/\s+/g, " ").trim()}`);
  check("rows that this query for duplicates finds", twice.rows.length, 0);
  const proof = night.say("batch", "prove", batch, "--witness", night.invoicePath, "--job", chosen);
  check("exit code of midwatch batch prove, with the invoice as witness", proof.status, 0);
  if (proof.status !== 0) say(`${proof.stdout}${proof.stderr}`);
  const [{ done }] = night.ask("SELECT count(*) AS done FROM job JOIN job_answer ON job = number WHERE state = 'done'");
  check("jobs with an answer", done, jobs);
  return charges;
}

async function duplicates({ state }) {
  const store = await openStore({ folder: state });
  try {
    return await store.ledger.duplicates({ batch });
  } finally {
    await store.close();
  }
}

const attemptsOf = (night, job) =>
  night
    .ask("SELECT end FROM attempt JOIN job ON attempt.job = job.number WHERE job.id = ? ORDER BY attempt.fence", job)
    .map(({ end }) => end);
const jobsTriedTwice = (night) =>
  night.ask("SELECT id FROM job JOIN attempt ON attempt.job = job.number GROUP BY job.number HAVING count(*) > 1").map(({ id }) => id);

await play(`1. undisturbed: ${jobs} jobs of ${callsPerJob} calls, ${slots} slots, US$ ${callMicroUsd / 1e6} a call`, async (night) => {
  await finish(night);
  await checkBooks(night, 0);
  check("jobs tried more than once", jobsTriedTwice(night).length, 0);
});

await play(`2. all killed with -9 when job ${chosen} has booked call ${chosenCalls} and no call is open`, async (night) => {
  const before = await killBetweenCalls(night);
  check(`at the kill: calls booked for job ${chosen}`, before.booked, chosenCalls);
  check("at the kill: open calls", before.open, 0);
  check("at the kill: charges without a row", before.charges - before.closed, 0);
  await finish(night);
  const charges = await checkBooks(night, 0);
  check(`attempts of job ${chosen}`, attemptsOf(night, chosen).join(", "), "returned, done");
  const hashes = new Set(night.ask("SELECT DISTINCT hash FROM call WHERE key = ?", `${batch}:${chosen}:v1`).map(({ hash }) => hash));
  check(`charges for job ${chosen} on the invoice`, charges.filter(({ body_sha256: hash }) => hashes.has(hash)).length, callsPerJob);
  const others = jobsTriedTwice(night).filter((id) => id !== chosen);
  check(`other jobs with two attempts (${others.join(", ")})`, others.length, (count) => count < slots);
});

/** Halts every job as its 12th call of the chosen one is charged, lets what is on its way be booked, and kills. */
async function killBetweenCalls(night) {
  const supervisor = night.supervise();
  let asked = 0;
  await new Promise((resolve, reject) => {
    supervisor.ended.then(({ err }) => reject(new Error(`it ended before the named point: ${err}`)));
    const stopListening = night.onCall(({ request }) => {
      if (!request?.prompt.startsWith(`Question ${chosen}:`)) return;
      asked += 1;
      if (asked < chosenCalls) return;
      halt(supervisor);
      stopListening();
      resolve();
    });
  });
  for (let quiet = 0, until = performance.now() + patienceMs; quiet < 3; ) {
    if (performance.now() > until) throw new Error("the calls on their way were not booked in time");
    await wait(20);
    halt(supervisor); // also those whose slot was about to start one
    const { open, booked } = standing(night);
    quiet = open === 0 && booked === chosenCalls ? quiet + 1 : 0;
  }
  const processes = jobProcesses(supervisor.pid);
  send(supervisor.pid, "SIGKILL");
  for (const { pid } of processes) send(pid, "SIGKILL");
  await supervisor.ended;
  return { ...standing(night), charges: night.invoice().length };
}

function halt(supervisor) {
  for (const { pid } of jobProcesses(supervisor.pid)) send(pid, "SIGSTOP");
}

function standing(night) {
  const [row] = night.ask(
    "SELECT sum(state = 'open') AS open, sum(state = 'done') AS closed, sum(state = 'done' AND key = ?) AS booked FROM call",
    `${batch}:${chosen}:v1`,
  );
  return row;
}

/** From this call on answers come late, so that each slot has one on its way when the first of them has come; that one kills. */
const worst = Math.round((jobs * callsPerJob) / 2);
let isSlow = true;
let asked = 0;
const pace = () => {
  asked += 1;
  return isSlow && asked >= worst ? 1500 : 0;
};

await play(
  `3. killed with -9 at the worst point: ${worst - 1} answers are booked, the next have come and are not`,
  async (night) => {
    const { signal } = await night.supervise({ MIDWATCH_FAULT: `kill:call.answered:${worst}` }, { entry: faultyProgram }).ended;
    isSlow = false;
    check("how it ended", signal, "SIGKILL");
    const [{ inFlight, closed }] = night.ask("SELECT sum(state = 'open') AS inFlight, sum(state = 'done') AS closed FROM call");
    const paid = night.invoice().length - closed;
    say(`    at the kill: ${closed} booked, ${inFlight} in flight, ${paid} of them paid for`);
    check("paid for and not booked", paid, (count) => count >= 1 && count <= inFlight);
    await finish(night);
    const charges = await checkBooks(night, paid);
    checkUnknown(night, charges, paid);
  },
  { pace },
);

/** A charge without an answer in our books has no request id there; its body's hash is that of exactly one row that says: unknown. */
function checkUnknown(night, charges, paid) {
  const rows = night.ask("SELECT key, seq, try, state, failure, hash, sent_at, result FROM call WHERE parent = ? ORDER BY number", batch);
  const known = new Set(rows.map(({ result }) => JSON.parse(result ?? "{}").providerRequestId));
  const unknown = rows.filter(({ state }) => state === "unknown");
  const extra = charges.filter(({ request }) => !known.has(request));
  check("charges whose request id no row of ours has", extra.length, paid);
  const found = extra.map((charge) =>
    unknown.filter(({ hash, sent_at: sentAt }) => hash === charge.body_sha256 && sentAt <= Date.parse(charge.at)),
  );
  for (const [index, { request, at, body_sha256: hash }] of extra.entries())
    for (const row of found[index])
      say(`    ${request} ${at} body ${hash.slice(0, 12)}  =  ${row.key} call ${row.seq}, try ${row.try}: ${row.state} (${row.failure})`);
  check("of them among the unknown rows, by body and time", found.filter((matches) => matches.length === 1).length, paid);
  check("unknown rows in all (the others never reached the provider)", unknown.length, (count) => count >= paid && count <= slots);
}

say(failures === 0 ? "\nall of it holds" : `\n${failures} of these do not hold`);
process.exitCode = failures === 0 ? 0 : 1;
