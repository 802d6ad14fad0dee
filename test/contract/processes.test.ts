/** Child processes as they are held on this machine: in a process namespace where bubblewrap works, and in every lesser way. */
import { describe, expect, test } from "vitest";
import { createProcesses } from "../../src/adapters/processes/processes.ts";
import { describeProcesses } from "./processes-suite.ts";

const best = createProcesses();
const partial = createProcesses({ containment: "partial" });

if (best.containment.kind === "namespace")
  describeProcesses({ name: "namespace", processes: best, containment: "agent", isNamespace: true });
describeProcesses({ name: "partial", processes: partial, containment: "agent", isNamespace: false });
describeProcesses({
  name: "plain, and without tools",
  processes: createProcesses({ toolPath: "/nowhere" }),
  containment: "plain",
  isNamespace: false,
});

describe("containment", () => {
  test("where no namespace can be made the reasons are named", () => {
    expect(createProcesses({ toolPath: "/nowhere" }).containment).toEqual({
      kind: "partial",
      why: "bubblewrap is not installed; no setpriv: an agent outlives a killed supervisor until the next sweep",
    });
    expect(partial.containment).toMatchObject({ kind: "partial", why: expect.stringContaining("switched off") });
  });

  test("our own identity is alive", () => {
    expect(best.self()).toEqual({ pid: process.pid, startTicks: expect.any(Number), bootId: expect.stringMatching(/^[\da-f-]{36}$/) });
    expect(best.isAlive(best.self())).toBe(true);
  });
});
