/** Agents in a process namespace, where bubblewrap works; and what this machine says about how it can hold them. */
import { describe, expect, test } from "vitest";
import { createProcesses } from "../../src/adapters/processes/processes.ts";
import { describeProcesses } from "./processes-suite.ts";

const best = createProcesses();

if (best.containment.kind === "namespace")
  describeProcesses({ name: "namespace", processes: best, containment: "agent", isNamespace: true });

describe("containment", () => {
  test("where no namespace can be made the reasons are named", () => {
    expect(createProcesses({ toolPath: "/nowhere" }).containment).toEqual({
      kind: "partial",
      why: "bubblewrap is not installed; no setpriv: an agent outlives a killed supervisor until the next sweep",
    });
    expect(createProcesses({ containment: "partial" }).containment).toMatchObject({ why: expect.stringContaining("switched off") });
  });

  test("our own identity is alive", () => {
    expect(best.self()).toEqual({ pid: process.pid, startTicks: expect.any(Number), bootId: expect.stringMatching(/^[\da-f-]{36}$/) });
    expect(best.isAlive(best.self())).toBe(true);
  });
});
