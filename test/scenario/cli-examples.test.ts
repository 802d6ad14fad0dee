/** The examples do what they say, and the door answers as its document shows it. */
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeNight, writeProgram } from "./kit.ts";
import { eventually } from "./program.ts";

const root = join(import.meta.dirname, "../..");
const hasCurl = existsSync("/usr/bin/curl");

test.skipIf(!hasCurl)("the scripted agent works its plan to the end, through the door", async () => {
  const night = makeNight({ plan: null, config: null });
  cpSync(join(root, "examples/scripted-agent"), night.repo.path, { recursive: true });
  night.repo.commit("the example");
  const end = await night.run(["run", "--json"]);
  expect(end).toMatchObject({
    code: 0,
    report: { stopReason: "finished", tasks: { verified: 2, claimed: 0 }, windows: [{ tasksClosed: ["N-01"] }, { tasksClosed: ["N-02"] }] },
  });
  expect(night.read("notes/N-02.md")).toBe("What there is to say about N-02.\n");
});

interface Step {
  readonly command: string;
  /** As the document shows it; "" for a command that prints nothing. */
  readonly answer: string;
}

/** The session in the document: lines with a `$`, and what stands below them. */
function readSession(): readonly Step[] {
  const text = readFileSync(join(root, "docs/agent-contract.md"), "utf8");
  const session = /```console\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
  return session
    .split(/^\$ /m)
    .slice(1)
    .map((step) => ({ command: step.split("\n", 1)[0] ?? "", answer: step.slice(step.indexOf("\n") + 1).trim() }));
}

/** Times and commits are of their day. */
function normalized(json: string): unknown {
  return JSON.parse(json.replace(/at [0-9a-f]{9}:/, "at COMMIT:"), (key, value) =>
    key === "commit" || key === "durationMs" ? typeof value : value,
  );
}

test.skipIf(!hasCurl)("the door answers as its document shows it, request by request", async () => {
  const steps = readSession();
  const night = makeNight({ plan: "- [ ] T-01 Say hello\n  - command: test -s hello.txt\n", agent: ["../agent.sh"] });
  const script = steps.map(({ command }, index) => `${command} > "$SCENE/answer-${index}"`).join("\n");
  writeProgram(join(night.folder, "agent.sh"), `#!/bin/bash\n${script}\n: > "$SCENE/told"\n`);
  night.start(["run"]); // its question waits for half an hour
  await eventually(() => existsSync(join(night.folder, "told")), "the last answer");
  const answers = steps.map((_step, index) => readFileSync(join(night.folder, `answer-${index}`), "utf8"));
  expect(steps.length).toBeGreaterThan(5);
  for (const [index, { command, answer }] of steps.entries())
    if (answer !== "") expect([command, normalized(answers[index] ?? "")]).toEqual([command, normalized(answer)]);
});
