/** The board with the real Claude Code: the evidence of a refused claim in the same window, and a teammate that is told who it is, again after a compaction. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { taskKey } from "../../src/core/ids.ts";
import type { PlannedTask } from "../../src/core/task.ts";
import { claude } from "./claude-kit.ts";
import { bash, type ClaudeNight, inTurn, makeClaudeNight, ours, windowsOf, wrapper, write } from "./night-kit.ts";

const commit = (what: string) => bash(`git add -A && git commit -q -m "${what}"`);

/** What the model was asked after its n-th tool call. */
const asked = (night: ClaudeNight, n: number) => night.calls.at(n)?.request?.last ?? "";

describe.skipIf(claude === null)("the board with the real Claude Code", () => {
  test("a finish that is claimed with a failing test comes back with the evidence in the same window, is mended there, and is accepted", async () => {
    const night = await makeClaudeNight({
      plan: "- [ ] T-1 Add two numbers\n  - tests: node --test\n",
      windows: ({ repo }) => ({
        1: inTurn(
          write(`${repo.path}/sum.mjs`, "export const sum = (one, other) => one - other;\n"),
          write(
            `${repo.path}/sum.test.mjs`,
            'import assert from "node:assert";\nimport { test } from "node:test";\nimport { sum } from "./sum.mjs";\ntest("two and three are five", () => assert.equal(sum(2, 3), 5));\n',
          ),
          commit("feat: sum"),
          ours("task_done", { task: "T-1" }),
          bash(`sed -i 's/one - other/one + other/' ${repo.path}/sum.mjs`),
          commit("fix: sum adds"),
          ours("task_done", { task: "T-1" }),
          ours("handoff", { status: "DONE", next: "", body: "" }),
        ),
      }),
    });
    const { code, report } = await night.play();
    expect(asked(night, 4)).toMatch(/refused.*1 failed/);
    expect(asked(night, 7)).toContain("verified");
    expect([code, windowsOf(report)]).toEqual([0, [{ number: 1, exit: "completed", counted: true, tasksClosed: ["T-1"], commits: 2 }]]);
    expect(report?.tasks).toMatchObject({ verified: 1, list: [{ key: "T-1", attempts: 0 }] });
  });

  test("a teammate is told who it is, and again after a compaction (K3); its tools are there, and after idle no other runs", async () => {
    const night = await makeClaudeNight({
      // As the program tells it, right after the first command.
      program: wrapper(
        `let seen = 0; fromClaude = (message) => { toUs(message); if (message.type === "user" && !isTrial && ++seen === 1) toUs({ type: "system", subtype: "compact_boundary", session_id: message.session_id, compact_metadata: { trigger: "auto", pre_tokens: 150000, post_tokens: 9000 } }); };`,
      ),
      windows: ({ repo }) => ({
        1: inTurn(
          bash("echo begin"),
          write(`${repo.path}/T-1.txt`, "done\n"),
          commit("feat: T-1"),
          ours("task_done", { task: "T-1" }),
          ours("tell", { member: "bob", text: "T-1 is done" }),
          ours("idle"),
          bash("touch after-idle"),
        ),
      }),
    });
    await putOnBoard(night, ["T-1"]);
    const run = night.start(["run", "--board", "--member", "alice:coder", "--team", "crew", "--json"]);
    await run.event("member.idled");
    run.signal("SIGTERM");
    const { report } = await run.ended;
    const identity = "You are 'alice', role: coder, team: crew. Continue your work.";
    expect(night.calls[0]?.request?.prompt).toContain(identity);
    const told = night.calls.map((call) => JSON.stringify(call.request?.body).split(identity).length - 1);
    expect([told[1], told[3]]).toEqual([1, 2]);
    expect(asked(night, 5)).toContain("there is no bob on this board");
    expect(asked(night, 7)).toContain("you said that you are idle");
    expect(report?.tasks).toMatchObject({ verified: 1 });
    expect(night.repo.git("status", "--porcelain")).toBe("");
  });
});

async function putOnBoard(night: ClaudeNight, keys: readonly string[]): Promise<void> {
  mkdirSync(join(night.folder, "state/midwatch"), { recursive: true, mode: 0o700 });
  const store = await openStore({ folder: join(night.folder, "state/midwatch") });
  onTestFinished(() => store.close());
  const tasks = keys.map((key): PlannedTask => {
    const criteria = [{ kind: "file", text: `file: ${key}.txt exists`, path: `${key}.txt`, expect: { kind: "exists" } }] as const;
    return {
      key: taskKey(key),
      keyGiven: true,
      title: `Write ${key}.txt`,
      objective: "",
      criteria,
      context: [],
      dependsOn: [],
      priority: 1,
      ticked: false,
    };
  });
  await store.boards.put(join(night.repo.path, ".git"), tasks, { by: "person", changes: [] }, Date.now());
}
