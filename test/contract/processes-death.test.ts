/** A supervisor that dies leaves no agent that keeps spending; and nothing an agent does in its namespace reaches the supervisor. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { createProcesses } from "../../src/adapters/processes/processes.ts";
import type { ProcessIdentity } from "../../src/ports/processes.ts";
import { eventually, findSleepers, newMark, newSleep, nodePath, programs, startChild } from "./processes-kit.ts";

const processes = createProcesses();
const hasNamespace = processes.containment.kind === "namespace";

function startSupervisor(how: "namespace" | "partial", mark: string, command: readonly string[], env = {}): ChildProcess {
  const supervisor = spawn(nodePath, [`${programs}supervisor.ts`, how, mark, ...command], { stdio: ["ignore", "pipe", "inherit"], env });
  onTestFinished(() => void supervisor.kill("SIGKILL"));
  return supervisor;
}

async function readIdentity(supervisor: ChildProcess): Promise<ProcessIdentity> {
  const [line] = await once(createInterface(supervisor.stdout!), "line");
  return JSON.parse(String(line));
}

async function kill(supervisor: ChildProcess): Promise<void> {
  supervisor.kill("SIGKILL");
  await once(supervisor, "exit");
}

test.runIf(hasNamespace)("with a namespace everything goes with a killed supervisor: leader, child and daemon", async () => {
  const asleep = newSleep();
  const supervisor = startSupervisor("namespace", newMark(), [`${programs}stay-with.sh`, asleep]);
  const identity = await readIdentity(supervisor);
  await eventually(() => findSleepers(asleep).length >= 2, "both sleepers run");
  await kill(supervisor);
  await eventually(() => findSleepers(asleep).length === 0, "all are gone");
  expect(processes.isAlive(identity)).toBe(false);
});

test("without one the leader goes with a killed supervisor, and a later sweep by the mark ends the rest", async () => {
  const mark = newMark();
  const asleep = newSleep();
  const supervisor = startSupervisor("partial", mark, [
    "sh",
    "-c",
    'setsid sleep "$0" >/dev/null 2>&1 & echo ready; exec sleep "$0"',
    asleep,
  ]);
  const identity = await readIdentity(supervisor);
  await eventually(() => findSleepers(asleep).length === 2, "both sleepers run");
  await kill(supervisor);
  await eventually(() => !processes.isAlive(identity), "the leader is gone");
  expect(findSleepers(asleep)).toHaveLength(1);
  expect(await processes.sweep(mark, identity)).toBe(1);
  expect(findSleepers(asleep)).toEqual([]);
});

test.runIf(hasNamespace)(
  "a supervisor killed in the moment of the spawn leaves no agent, and what is left of bubblewrap is swept",
  async () => {
    const mark = newMark();
    const asleep = newSleep();
    for (let n = 0; n < 3; n += 1) {
      const fault = { MIDWATCH_FAULT: "kill:process.spawned" };
      const supervisor = startSupervisor("namespace", mark, ["sleep", asleep], {
        ...fault,
        NODE_OPTIONS: `--import=data:text/javascript,globalThis.MIDWATCH_FAULTS=true`,
      });
      await once(supervisor, "exit");
    }
    await processes.sweep(mark, null);
    expect(findSleepers(asleep)).toEqual([]);
  },
);

test.runIf(hasNamespace)("an agent that kills all it can see reaches nothing outside (F17)", async () => {
  const outside = startChild(processes, ["sleep", newSleep()], { containment: "plain" });
  const { child, lines } = startChild(processes, [`${programs}kill-all.sh`]);
  expect(await child.end).toMatchObject({ kind: "exited", code: 0, uncontained: [] });
  expect(lines).toEqual(["survived"]);
  expect(processes.isAlive(outside.child.identity!)).toBe(true);
  outside.child.stop("stopped", "now");
  await outside.child.end;
});

test.runIf(hasNamespace)("20 agents that leave a daemon leave 0 (F16)", async () => {
  const asleep = newSleep();
  for (let n = 0; n < 20; n += 1) {
    await startChild(processes, [`${programs}leave-behind.sh`, "cleared-session", asleep]).child.end;
    expect(findSleepers(asleep)).toEqual([]);
  }
});

test.runIf(hasNamespace)("an agent that started and could not be run is told apart from one that ended with that code", async () => {
  expect(await startChild(processes, ["sh", "-c", "exit 1"]).child.end).toMatchObject({ kind: "exited", code: 1 });
});

test("a sweep reaches neither us nor our other children, although we carry the mark ourselves", async () => {
  const mark = newMark();
  const script = `import { spawn } from "node:child_process";
    import { createProcesses } from ${JSON.stringify(new URL("../../src/adapters/processes/processes.ts", import.meta.url))};
    const other = spawn("sleep", ["300"], { env: { PATH: process.env.PATH } });
    console.log("swept", await createProcesses({ containment: "partial" }).sweep(${JSON.stringify(mark)}, null), process.kill(other.pid, 0));
    other.kill();`;
  const { child, lines } = startChild(processes, [nodePath, "--input-type=module", "-e", script], { containment: "plain", mark });
  expect(await child.end).toMatchObject({ kind: "exited", code: 0 });
  expect(lines).toEqual(["swept 0 true"]);
});
