/** What a run says of its sandbox: on, off, insisted on, and what could not be written in it. */
import { describe, expect, test } from "vitest";
import { boxes, makeNight, writeProgram } from "../scenario/kit.ts";
import { hasSandbox } from "./kit.ts";

describe.skipIf(!hasSandbox)("a run in the sandbox", () => {
  test("says so in the night, the report and the status, and names what its agent could not write", async () => {
    const night = makeNight({ plan: boxes("T-1"), personal: { limits: { windows: 1 } } });
    writeProgram(`${night.folder}/agent.sh`, "#!/bin/sh\ntouch /etc/midwatch-no\n");
    const { events, report } = await night.run(["run", "--json", "--", `${night.folder}/agent.sh`]);
    expect(events.filter(({ kind }) => kind.startsWith("sandbox.")).map(({ kind }) => kind)).toEqual(["sandbox.on"]);
    expect(report).toMatchObject({ sandbox: { kind: "on" }, attempts: [] });
    expect((await night.status()).sandbox).toEqual({ kind: "on" });
    expect(report?.windows[0]?.notes.join()).toContain("not writable in the sandbox: /etc/midwatch-no");
    const { stdout } = await night.run(["doctor"]);
    expect(stdout).toMatch(/ok +sandbox +an agent writes only in the tree/);
  });

  test("a criterion sees what the agent sees", async () => {
    const plan =
      '- [ ] T-1 Write it\n  - file: T-1.txt exists\n  - run: test -z "$(ls -A "$HOME/../state/midwatch" 2>/dev/null)" && ! touch /etc/midwatch-no\n';
    const { report } = await makeNight({ plan }).run(["run", "--json"]);
    expect(report?.tasks).toMatchObject({ verified: 1 });
  });

  test("with --no-sandbox it is loudly off", async () => {
    const night = makeNight({ plan: boxes("T-1", "T-2"), personal: { limits: { windows: 1, tasksPerWindow: 1 } } });
    expect((await night.run(["run", "--json"])).report?.sandbox).toEqual({ kind: "on" });
    const { report } = await night.run(["run", "--json", "--no-sandbox"]);
    expect(report?.sandbox).toEqual({ kind: "off", why: "it is switched off" });
    expect((await night.run(["report"])).stdout).toMatch(/sandbox +NONE: it is switched off; the agent could write wherever you can/);
    expect((await night.status()).sandbox).toEqual({ kind: "off", why: "it is switched off" });
  });
});

test("where it is insisted on and there can be none, nothing is started", async () => {
  const night = makeNight({ personal: { agent: { sandbox: "on", containment: "partial" } } });
  expect(await night.run(["run"])).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(/agent.sandbox is on, and there can be none: process namespaces are switched off\n {2}next: /),
  });
});

test("where there can be none, a run that does not insist says so and goes on", async () => {
  const night = makeNight({ plan: boxes("T-1"), personal: { agent: { containment: "partial", env: {}, writable: [] } } });
  const { stderr, code } = await night.run(["run", "--foreground"], { env: { SCENE: night.folder, MIDWATCH_AGENT_PASS_ENV: '["SCENE"]' } });
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining("NO SANDBOX: process namespaces are switched off. The agent can write wherever you can"),
  ]);
});
