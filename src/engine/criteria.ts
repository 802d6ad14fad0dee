/**
 * Runs the criteria of a task: in our own process, at HEAD, never by reading a claim.
 * Commands go through a shell, as the person wrote them in the plan; they get no keys and no rights that the agent had not.
 */
import type { Evidence } from "../core/evidence.ts";
import type { RunId } from "../core/ids.ts";
import type { ProcessEnd } from "../core/process-end.ts";
import type { Criterion, Task } from "../core/task.ts";
import { type RunContext, treePath } from "./context.ts";

const tailBytes = 2000;

/** Marks the processes of a run's criteria, so that those of a dead supervisor are found. One mark is enough: criteria run one at a time. */
export function criteriaMark(run: RunId): string {
  return `${run}.criteria`;
}

/** Only the criteria that can be run; prose gives no evidence. */
export async function checkCriteria(context: RunContext, task: Task, commit: string): Promise<readonly Evidence[]> {
  const evidence: Evidence[] = [];
  for (const criterion of task.criteria) {
    if (criterion.kind === "prose") continue;
    const startedAt = context.ports.clock.monotonicMs();
    const { verdict, detail } = await check(context, criterion);
    evidence.push({
      criterion: criterion.text,
      verdict,
      detail,
      commit,
      durationMs: Math.round(context.ports.clock.monotonicMs() - startedAt),
    });
  }
  return evidence;
}

export function allHold(evidence: readonly Evidence[]): boolean {
  return evidence.every(({ verdict }) => verdict === "holds");
}

/** For the next window and the report: what did not hold, and why. */
export function describeRefusal(evidence: readonly Evidence[]): string {
  return evidence
    .filter(({ verdict }) => verdict !== "holds")
    .map(
      ({ criterion, verdict, detail, commit }) =>
        `${criterion}: ${verdict === "fails" ? "fails" : "cannot be told"} at ${commit.slice(0, 9) || "the empty tree"}: ${detail}`,
    )
    .join("\n");
}

type Check = Pick<Evidence, "verdict" | "detail">;

function check(context: RunContext, criterion: Exclude<Criterion, { kind: "prose" }>): Promise<Check> {
  switch (criterion.kind) {
    case "command":
      return checkCommand(context, criterion.command);
    case "file":
      return checkFile(context, criterion);
  }
}

async function checkCommand(context: RunContext, command: string): Promise<Check> {
  const { ports, settings } = context;
  if (context.control.current() === "stop-now") return { verdict: "cannot-tell", detail: "it was stopped" };
  const tail = createTail();
  const child = ports.processes.start({
    command: ["/bin/sh", "-c", command],
    cwd: ports.workspace.location.top,
    env: ports.criterionEnv,
    input: null,
    mark: criteriaMark(context.run),
    limits: { wallMs: settings.limits.criterionMs, idleMs: null, graceMs: settings.limits.graceMs },
    containment: "plain",
    onLine: (line) => {
      tail.add(line);
      return "work";
    },
  });
  const stopListening = context.control.onChange((request) => {
    if (request === "stop-now") child.stop("stopped", "now");
  });
  const end = await child.end;
  stopListening();
  context.ground.spoil();
  return judgeCommand(end, tail.text());
}

function judgeCommand(end: ProcessEnd, output: string): Check {
  const said = [output, end.stderrTail.slice(-tailBytes)]
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join("\n");
  const detail = (what: string) => (said === "" ? what : `${what}\n${said}`);
  if (end.kind === "exited" && end.code === 0) return { verdict: "holds", detail: "exit code 0" };
  if (end.kind === "exited")
    return { verdict: end.code === 127 || end.code === 126 ? "cannot-tell" : "fails", detail: detail(`exit code ${end.code}`) };
  if (end.kind === "not-started") return { verdict: "cannot-tell", detail: `it could not be started (${end.error})` };
  if (end.cause === "wall-clock") return { verdict: "fails", detail: detail(`it was ended after ${Math.round(end.durationMs / 1000)} s`) };
  return { verdict: "cannot-tell", detail: detail(end.cause === "stopped" ? "it was stopped" : `it was killed by ${end.signal}`) };
}

async function checkFile(context: RunContext, { path, expect }: Extract<Criterion, { kind: "file" }>): Promise<Check> {
  const absolute = treePath(context, path);
  if (expect.kind === "contains") {
    const file = await context.ports.files.readText(absolute, 16 * 1024 * 1024);
    if (file.kind === "absent") return { verdict: "fails", detail: `${path} is not there` };
    if (file.kind === "unreadable") return { verdict: "cannot-tell", detail: `${path}: ${file.detail}` };
    return file.text.includes(expect.needle)
      ? { verdict: "holds", detail: `${path} contains it` }
      : { verdict: "fails", detail: `${path} does not contain ${JSON.stringify(expect.needle)}` };
  }
  const exists = await context.ports.files.exists(absolute);
  const holds = exists === (expect.kind === "exists");
  return { verdict: holds ? "holds" : "fails", detail: `${path} ${exists ? "is there" : "is not there"}` };
}

/** The last lines of an output, bounded. */
function createTail() {
  const lines: string[] = [];
  let size = 0;
  const decoder = new TextDecoder();
  return {
    add(line: Uint8Array) {
      const text = decoder.decode(line.subarray(-tailBytes));
      lines.push(text);
      size += text.length + 1;
      while (size > tailBytes && lines.length > 1) size -= (lines.shift() ?? "").length + 1;
    },
    text: () => lines.join("\n").slice(-tailBytes),
  };
}
