/** A night of the built program with the real Claude Code: three tasks in two windows, and what a killed supervisor leaves. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ProviderCall, ProviderRequest } from "../../src/ports/provider.ts";
import { boxes } from "../scenario/kit.ts";
import { eventually } from "../scenario/program.ts";
import { findStrays } from "../scenario/strays.ts";
import { claude } from "./claude-kit.ts";
import { bash, inTurn, makeClaudeNight, ours, windowsOf, write } from "./night-kit.ts";

type Body = { readonly messages: readonly { readonly role: string }[]; readonly metadata?: { readonly user_id?: string } };

describe.skipIf(claude === null)("a night with the real Claude Code", () => {
  test("three tasks in two windows: committed, claimed by a tool and by a tick, handed over, each window a session of its own", async () => {
    const night = await makeClaudeNight({
      plan: boxes("T-1", "T-2", "T-3"),
      personal: { limits: { tasksPerWindow: 2 } },
      windows: ({ repo }) => {
        const finish = (key: string) => [
          write(`${repo.path}/${key}.txt`, "done\n"),
          bash(`git add ${key}.txt && git commit -q -m "feat: ${key}"`),
        ];
        const tick = { name: "Edit", input: { file_path: `${repo.path}/tasks.md`, old_string: "- [ ] T-2", new_string: "- [x] T-2" } };
        const read = { name: "Read", input: { file_path: `${repo.path}/tasks.md` } };
        const handoff = (status: string, next: string) => ours("handoff", { status, next, body: "Written by a script." });
        return {
          1: inTurn(...finish("T-1"), ours("task_done", { task: "T-1" }), ...finish("T-2"), read, tick, handoff("CHECKPOINT", "T-3")),
          2: inTurn(...finish("T-3"), ours("task_done", { task: "T-3" }), handoff("DONE", "")),
        };
      },
    });
    const { code, stderr, report, events } = await night.play();
    expect([code, stderr]).toEqual([0, ""]);
    expect(windowsOf(report)).toEqual([
      { number: 1, exit: "completed", counted: true, tasksClosed: ["T-1", "T-2"], commits: 2 },
      { number: 2, exit: "completed", counted: true, tasksClosed: ["T-3"], commits: 1 },
    ]);
    expect(report).toMatchObject({
      ...{
        stopReason: "finished",
        agent: `Claude Code (${claude})`,
        notMeasured: [],
        tasks: { total: 3, verified: 3, open: 0, failed: 0 },
      },
      windows: [
        { agentVersion: "2.1.332", toolCalls: 8, notes: [] },
        { agentVersion: "2.1.332", toolCalls: 4, notes: [] },
      ],
    });
    expect(night.repo.git("log", "--format=%s").split("\n").slice(0, 3)).toEqual(["feat: T-3", "feat: T-2", "feat: T-1"]);
    expect(night.read("tasks.md").match(/- \[x\]/g)).toHaveLength(3);

    // Our window's id is the program's session id; nothing of the window before it is in the next one's first request.
    const opened = events.filter((event) => event.kind === "window.opened").map((event) => event.window);
    const sessions = perWindow(night.calls).map((requests) => requests.map(sessionOf));
    expect(sessions).toEqual([Array(9).fill(opened[0]), Array(5).fill(opened[1])]);
    for (const [first] of perWindow(night.calls))
      expect(bodyOf(first)?.messages.filter(({ role }) => role !== "system")).toMatchObject([{ role: "user" }]);
    expect(perWindow(night.calls)[1]?.[0]?.prompt).toContain("T-3");
    expect(findStrays(night.folder)).toEqual([]);
  });

  test("a supervisor that is killed with -9 in mid-window leaves no Claude Code and no command of it, and the night goes on", async () => {
    const night = await makeClaudeNight({
      windows: ({ folder, repo }) => ({
        1: inTurn(bash(`touch ${folder}/begun; tail -f /dev/null`)),
        2: inTurn(
          write(`${repo.path}/T-1.txt`, "done\n"),
          bash("git add T-1.txt && git commit -q -m 'feat: T-1'"),
          ours("task_done", { task: "T-1" }),
        ),
      }),
    });
    const first = night.begin();
    await eventually(() => existsSync(join(night.folder, "begun")), "the command");
    expect(findStrays(night.folder).length).toBeGreaterThan(2);
    first.signal("SIGKILL");
    await first.ended;
    await eventually(() => findStrays(night.folder).length === 0, "the end of all that it had started");
    const { code, report } = await night.play();
    expect([code, windowsOf(report)]).toEqual([
      0,
      [
        { number: 1, exit: "lost", counted: true, tasksClosed: [], commits: 0 },
        { number: 2, exit: "completed", counted: true, tasksClosed: ["T-1"], commits: 1 },
      ],
    ]);
  });
});

/** The requests of each window, in their order. */
function perWindow(calls: readonly ProviderCall[]): readonly (readonly ProviderRequest[])[] {
  const requests = calls.flatMap(({ request }) => (request === null ? [] : [request]));
  return [1, 2].map((number) => requests.filter(({ prompt }) => prompt.includes(`This is window ${number} of`)));
}

function bodyOf(request: ProviderRequest | undefined): Body | undefined {
  return request?.body as Body | undefined;
}

function sessionOf(request: ProviderRequest): unknown {
  return (JSON.parse(bodyOf(request)?.metadata?.user_id ?? "{}") as { readonly session_id?: unknown }).session_id;
}
