/**
 * A batch whose supervisor and jobs are killed with -9 again and again: how soon after the start of the next `batch run` the jobs that were cut go on. A job goes on
 * with its next call that nobody has paid yet: by then its program was started again and was served what was paid before. All of it is the built program with
 * nothing warm; the times are the ledger's own. The jobs' program is in bash, whose own start costs a tenth of Node's: that time is not ours.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { batch, callsPerJob, jobProcesses, openNight, send } from "../../scripts/veredas-night.mjs";
import { inScratch } from "../measure.mjs";

const slots = 4;
const answerMs = 20;
/** So far a job gets before it is cut: about half. */
const callsBetween = slots * 12;

/** Says when it was started; asks the same in the same order whenever that is. @param log  a path without a quote */
const programOf = (log) => `#!/bin/bash
LC_ALL=C
echo "$EPOCHREALTIME $MIDWATCH_JOB_KEY" >> '${log}'
rest=\${ANTHROPIC_BASE_URL#http://127.0.0.1:}
for ((n = 1; n <= ${callsPerJob}; n++)); do
  body='{"model":"veredas-1","max_tokens":500,"system":"veredas leaf","messages":[{"role":"user","content":"job '$MIDWATCH_JOB' call '$n'"}]}'
  exec 3<>/dev/tcp/127.0.0.1/\${rest%%/*} || exit 1
  printf 'POST /%s/v1/messages HTTP/1.1\\r\\nHost: 127.0.0.1:%s\\r\\nConnection: close\\r\\nContent-Length: %s\\r\\n\\r\\n%s' "\${rest#*/}" "\${rest%%/*}" \${#body} "$body" >&3
  IFS= read -r -d '' answer <&3
  exec 3>&-
  [[ $answer == 'HTTP/1.1 200 '* ]] || exit 2
done
echo done
`;

function takeCalls(night, count) {
  return new Promise((resolve) => {
    let seen = 0;
    const stop = night.onCall(() => {
      seen += 1;
      if (seen < count) return;
      stop();
      resolve();
    });
  });
}

/** Jobs that are at work and have not had all their answers: the others have nothing left to call. */
function jobsAtWork(night) {
  const calls = "SELECT count(*) FROM call WHERE key = job.key AND state = 'done'";
  const sql = `SELECT key FROM (SELECT ? || ':' || id || ':v1' AS key FROM job WHERE state = 'running') AS job WHERE (${calls}) < ?`;
  return night.ask(sql, batch, callsPerJob).map(({ key }) => key);
}

/** @returns for each job that was cut, milliseconds until its program ran again and until its next call that was not paid yet */
async function cutOnce(night, supervisor, log) {
  await takeCalls(night, callsBetween);
  const processes = jobProcesses(supervisor.pid);
  for (const pid of [supervisor.pid, ...processes.map((one) => one.pid)]) send(pid, "SIGKILL");
  await supervisor.ended;
  const cut = jobsAtWork(night);
  writeFileSync(log, "");
  const startedAt = Date.now();
  const next = night.supervise();
  const sql = `SELECT min(sent_at) - ? AS ms FROM call WHERE sent_at >= ? AND key IN (${cut.map(() => "?").join(", ")}) GROUP BY key`;
  const times = () => night.ask(sql, startedAt, startedAt, ...cut).map(({ ms }) => ms);
  for (let tries = 0; times().length < cut.length; tries += 1) {
    if (tries === 1000) throw new Error("a job that was cut does not go on");
    await wait(10);
  }
  const begun = readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(" "));
  const begins = cut.map((key) => Number(begun.find(([, one]) => one === key)[0]) * 1000 - startedAt);
  return { next, begun: Math.max(...begins), moved: Math.max(...times()) };
}

/** @returns for each restart, milliseconds until the last of the cut jobs had begun and had moved on */
export async function cutJobs(restarts) {
  return inScratch(async (folder) => {
    const [script, log] = [join(folder, "job.sh"), join(folder, "log")];
    writeFileSync(script, programOf(log), { mode: 0o755 });
    const jobs = restarts * slots * 2;
    const night = await openNight({ jobs, slots, program: [script], attempts: restarts + 1, pace: () => answerMs });
    try {
      const all = [];
      for (let supervisor = night.supervise(); all.length < restarts; ) {
        const { next, ...times } = await cutOnce(night, supervisor, log);
        supervisor = next;
        all.push(times);
      }
      return all;
    } finally {
      await night.close();
    }
  });
}
