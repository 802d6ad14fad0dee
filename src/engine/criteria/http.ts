/** Asks a server, and where the line says so starts it: with a free port in PORT, until it answers, and ends it with all it started. */
import { saidOf } from "../../core/criteria/command.ts";
import type { HttpCriterion } from "../../core/criteria/criterion.ts";
import { type HttpMeasured, judgeHttp } from "../../core/criteria/http.ts";
import type { ProcessEnd } from "../../core/process-end.ts";
import type { ChildProcess } from "../../ports/processes.ts";
import { type Evaluate, type Measuring, stoppedCheck } from "./measuring.ts";
import { createOutput } from "./shell-command.ts";

const maxBodyBytes = 1024 * 1024;
const keptBytes = 128 * 1024;
const betweenTriesMs = 100;

export const evaluateHttp: Evaluate<"http"> = async (measuring, criterion) => {
  if (measuring.stop.isSaid()) return stoppedCheck;
  const { start, target } = criterion;
  const measured =
    start === null ? await askUntil(measuring, criterion, { url: target, server: null }) : await askStarted(measuring, criterion, start);
  return measured === "stopped" ? stoppedCheck : judgeHttp(criterion, measured);
};

interface Server {
  readonly child: ChildProcess;
  readonly output: () => string;
}

type Asked = HttpMeasured | "stopped";

async function askStarted(measuring: Measuring, criterion: HttpCriterion, command: string): Promise<Asked> {
  const { ports, limits } = measuring;
  const port = await ports.web.freePort();
  const kept = createOutput(keptBytes);
  const child = ports.processes.start({
    command: ["/bin/sh", "-c", command],
    cwd: ports.workspace.location.top,
    env: { ...ports.criterionEnv, PORT: String(port) },
    input: null,
    mark: measuring.mark,
    limits: { wallMs: limits.criterionMs, idleMs: null, graceMs: limits.graceMs },
    containment: "criterion",
    onLine: (line) => {
      kept.add(line);
      return "work";
    },
  });
  try {
    return await askUntil(measuring, criterion, {
      url: `http://127.0.0.1:${port}${criterion.target}`,
      server: { child, output: kept.text },
    });
  } finally {
    child.stop("stopped", measuring.stop.isSaid() ? "now" : "gracefully");
    await child.end;
    measuring.onRan();
  }
}

interface Place {
  readonly url: string;
  /** Null = it is not ours. */
  readonly server: Server | null;
}

/** Tries until there is an answer, the time is over, the program has ended, or a person says stop. */
async function askUntil(measuring: Measuring, { method, withinMs }: HttpCriterion, { url, server }: Place): Promise<Asked> {
  const { clock, web } = measuring.ports;
  const over = new AbortController();
  const state: { ended: ProcessEnd | null } = { ended: null };
  void server?.child.end.then((end) => {
    state.ended = end;
    over.abort();
  });
  const stopListening = measuring.stop.onSaid(() => over.abort());
  const allowedMs = Math.min(withinMs, measuring.limits.criterionMs);
  const timer = new AbortController();
  void clock.sleep(allowedMs, timer.signal).then(() => over.abort());
  try {
    let last = "";
    while (!over.signal.aborted) {
      const end = await web.ask({ method, url, maxBytes: maxBodyBytes, signal: over.signal });
      if (end.kind === "answer") return end;
      if (end.kind === "failed") return { kind: "none", verdict: "cannot-tell", reason: `no answer from ${url}: ${end.detail}` };
      if (end.kind === "not-yet") last = end.detail;
      await clock.sleep(betweenTriesMs, over.signal);
    }
    if (measuring.stop.isSaid()) return "stopped";
    return { kind: "none", verdict: "fails", reason: whyNone({ url, allowedMs, last, ended: state.ended, server }) };
  } finally {
    stopListening();
    timer.abort();
  }
}

interface NoAnswer {
  readonly url: string;
  readonly allowedMs: number;
  readonly last: string;
  readonly ended: ProcessEnd | null;
  readonly server: Server | null;
}

function whyNone({ url, allowedMs, last, ended, server }: NoAnswer): string {
  const said = ended === null || server === null ? (server?.output().slice(-2000).trim() ?? "") : saidOf(ended, server.output());
  const what =
    ended === null
      ? `${url} did not answer within ${allowedMs / 1000} s${last === "" ? "" : ` (${last})`}`
      : `the program ended before it answered: ${ended.kind === "exited" ? `exit code ${ended.code}` : (ended.error ?? ended.signal ?? ended.kind)}`;
  return said === "" ? what : `${what}\n${said}`;
}
