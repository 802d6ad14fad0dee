/** The traps that a program which starts Claude Code can fall into, as they were met with the real one; what each test shows is that we do not. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createClaudeAgent } from "../../src/adapters/agents/claude-code/claude-agent.ts";
import { claudeArguments } from "../../src/adapters/agents/claude-code/command-line.ts";
import { createProcesses } from "../../src/adapters/processes/processes.ts";
import { criterionEnvironment } from "../../src/config/child-environment.ts";
import type { WindowId } from "../../src/core/ids.ts";
import { makeFolder } from "../fixtures/repositories.ts";
import { writeProgram } from "../scenario/kit.ts";
import { playAgent } from "./agent-kit.ts";
import { callsOnce, claude, type Line, playWindow, userSays } from "./claude-kit.ts";
import { playGuarded } from "./guard-kit.ts";
import { bash, inTurn } from "./night-kit.ts";

const resultOf = (lines: readonly Line[]) => lines.filter((line) => line["type"] === "result");
const deny = async () => ({ kind: "deny" as const, reason: "so says the test" });
const mayWork = ["--permission-mode", "dontAsk", "--allowedTools", "Bash,Write"];

describe.skipIf(claude === null)("trap", () => {
  test("trap 1: `success` and exit code 0 are no success; we read what was denied and what failed", async () => {
    const denied = await playWindow({ provider: callsOnce("Bash", { command: "touch made" }), args: ["--permission-mode", "dontAsk"] });
    const failed = await playWindow({ provider: [{ fault: { kind: "bad-key" } }], env: { CLAUDE_CODE_MAX_RETRIES: "0" } });
    const seen = [denied, failed].map(({ lines, end, reason }) => [resultOf(lines)[0]?.["subtype"], end.code, reason.kind]);
    expect(seen).toEqual([
      ["success", 0, "completed-with-denials"],
      ["success", 1, "auth"],
    ]);
  });

  test("trap 2: there can be several results, and their totals run on: the last one counts", async () => {
    const { lines, transcript } = await playWindow({
      provider: [
        { text: "one", usage: { input: 100_000 } },
        { text: "two", usage: { input: 100_000 } },
      ],
      talk(session) {
        userSays(session, "do it");
        let results = 0;
        session.onLine((line) => {
          if (line["type"] !== "result") return;
          results += 1;
          if (results === 1) userSays(session, "and again");
          else session.end();
        });
      },
    });
    const costs = resultOf(lines).map((line) => Math.round(Number(line["total_cost_usd"]) * 1_000_000));
    expect([transcript.results, costs]).toEqual([2, [expect.any(Number), 2 * (costs[0] ?? 0)]]);
    expect(transcript.costMicroUsd).toBe(costs[1]);
  });

  test("trap 3: usage in the lines of the assistant is not final and comes once for each block: it is not added up", async () => {
    const usage = { input: 500, output: 40 };
    const { lines, transcript } = await playWindow({
      provider: [
        { text: "On it.", tools: [bash("touch a"), bash("touch b")], usage },
        { text: "Done.", usage },
      ],
      args: mayWork,
    });
    const told = lines.flatMap((line) => (line["type"] === "assistant" ? [outputOf(line)] : []));
    expect([told.length, told.includes(40), transcript.tokens]).toMatchObject([4, false, { input: 1000, output: 80 }]);
  });

  test("trap 4: the first line is not init, and lines can have megabytes", async () => {
    const command = "head -c 3000000 /dev/zero | tr '\\0' x > big; echo done";
    const written = { name: "Bash", input: { command, description: "x".repeat(3_000_000) } };
    let bytes = 0;
    const { reason, end, transcript } = await playAgent({
      provider: inTurn(written),
      after: ({ tree }) => {
        bytes = readFileSync(join(tree, "big")).length;
      },
    });
    expect([reason.kind, bytes, end.linesCut, transcript.toolErrors]).toEqual(["completed", 3_000_000, 0, 0]);
  });

  test("trap 5: a failed start writes only to standard error, and a program may end with 0 and say nothing: neither is a success", async () => {
    const start = (text: string) =>
      playAgent({ provider: [], program: writeProgram(join(makeFolder(), "claude"), `#!/bin/sh\n${text}\n`) });
    const ends = [await start("echo 'no such flag' >&2; exit 1"), await start("exit 0"), await start("echo '{]'; exit 0")];
    expect(ends.map(({ reason }) => reason)).toEqual([
      { kind: "start-failed", error: "", detail: "no such flag" },
      { kind: "no-result" },
      { kind: "no-result" },
    ]);
    const real = await playWindow({ provider: [{ text: "never" }], args: ["--settings", "{"] });
    expect([real.lines, real.end.code, real.end.stderrTail]).toEqual([[], 1, expect.stringMatching(/settings/i)]);
  });

  test("trap 6: neither a settings file with a mistake nor disableAllHooks takes the guard away", async () => {
    for (const settings of [
      '{"hooks": 1, "permissions": {"allow": ["Bash"]},}',
      '{"disableAllHooks":true,"permissions":{"allow":["Bash"]}}',
    ]) {
      const made = await makes({ files: { ".claude/settings.json": settings, ".claude/settings.local.json": settings }, guard: deny });
      expect(made).toBe(false);
    }
  });

  test("trap 7: older versions ignore settings of a guard without a word: they are refused", async () => {
    const program = writeProgram(join(makeFolder(), "claude"), "#!/bin/sh\necho '2.1.197 (Claude Code)'\n");
    const agent = createClaudeAgent({ processes: createProcesses({}), program, model: null });
    expect(await agent.probe({ PATH: process.env["PATH"] ?? "" })).toEqual({
      kind: "missing",
      detail: `${program} is version 2.1.197; the guards need 2.1.332 or a later one`,
    });
  });

  test("trap 8: a guard that hangs lets nothing pass when its time is over", async () => {
    expect(await makes({ guard: () => new Promise(() => undefined), guardTimeoutMs: 500 })).toBe(false);
  });

  test("trap 9: `continue: false` does not prevent a call by itself, so we say deny; and said to us alone it grants nothing", async () => {
    const { marks } = await playGuarded({ guard: ({ reply }) => reply({ continue: false }), calls: [bash("echo > main-bash")] });
    expect(marks).toEqual([]);
  });

  test("trap 10: a stop hook of the repository that never lets go does not hold a window", async () => {
    const hooks = { hooks: { Stop: [{ hooks: [{ type: "command", command: "exit 2" }] }] } };
    const { reason, calls } = await playAgent({
      provider: inTurn(bash("touch made")),
      files: { ".claude/settings.json": JSON.stringify(hooks) },
    });
    expect([reason.kind, calls.length]).toEqual(["completed", 2]);
  });

  test("trap 11: nothing goes to the background, also when the model wants it", async () => {
    const task = { description: "look", prompt: "Look around.", run_in_background: true };
    const { calls, reason, strays } = await playAgent({
      provider: {
        conversations: [
          { when: { prompt: "Look around." }, steps: inTurn(bash("touch made")) },
          {
            steps: inTurn(
              { name: "Agent", input: task },
              { name: "Bash", input: { command: "echo one; sleep 0.2", run_in_background: true } },
            ),
          },
        ],
      },
    });
    expect([calls.map(({ conversation }) => conversation), reason.kind, strays]).toEqual([[1, 0, 0, 1, 1], "completed", []]);
  });

  test("trap 12: a command lives on after SIGKILL of the program: we end it too", async () => {
    const { strays, end } = await playAgent({
      provider: inTurn(bash("touch begun; tail -f /dev/null")),
      onEvent: (event, run) => {
        if (event.kind === "tool-start") run.stop("stopped", "now");
      },
    });
    expect([end.cause, strays, end.uncontained]).toEqual(["stopped", [], []]);
  });

  test("trap 13: a session that is being worked in can be resumed: we resume none, and each window's session is its own", () => {
    const spec = { window: "01890a5d-ac96-774b-bcce-b302099a8057" as WindowId, toolsUrl: null, capMicroUsd: 1 };
    const args = claudeArguments({ program: "claude", model: null, projectMemory: "" }, spec);
    expect(args.slice(args.indexOf("--session-id"), args.indexOf("--session-id") + 2)).toEqual(["--session-id", spec.window]);
    expect(args.filter((arg) => /resume|continue|fork|^-[cr]$/.test(arg))).toEqual([]);
  });

  test("trap 14: a changed system prompt is ignored on resume: a fresh session has the words of now", async () => {
    const systems: string[] = [];
    for (const words of ["Use tabs.", "Use spaces."]) {
      const { calls } = await playAgent({ provider: [{ text: "Done." }], files: { "CLAUDE.md": words } });
      systems.push(calls[0]?.request?.system ?? "");
    }
    expect(systems.map((system) => [system.includes("Use tabs."), system.includes("Use spaces.")])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  test("trap 15 and 16: the prompt comes on standard input: long, with leading dashes, and without a wait for more", async () => {
    const prompt = `--version\n-p "$HOME" \`x\` ${"word ".repeat(60_000)}end`;
    const { calls, end } = await playAgent({ provider: [{ text: "Done." }], prompt });
    expect(calls[0]?.request?.prompt.includes(prompt)).toBe(true);
    expect([end.code, end.stderrTail]).toEqual([0, ""]);
  });

  test("trap 17: a stream that hangs is ended by our own idle clock", async () => {
    const { reason, strays } = await playAgent({
      provider: [{ tools: [bash("ls")] }, { text: "I will go on", fault: { kind: "stall" } }],
      idleMs: 5000,
    });
    expect([reason, strays]).toEqual([{ kind: "idle", openTool: "" }, []]);
  });

  test("trap 18: the agent's key is in the environment of its commands: none of ours has it", async () => {
    let key = "";
    await playAgent({
      provider: inTurn(bash('printf "$ANTHROPIC_API_KEY" > key')),
      after: ({ tree }) => {
        key = readFileSync(join(tree, "key"), "utf8");
      },
    });
    const env = { PATH: "/bin", ANTHROPIC_API_KEY: key, CLAUDE_CODE_OAUTH_TOKEN: key, ANTHROPIC_BASE_URL: "http://127.0.0.1" };
    expect([key, criterionEnvironment(env)]).toEqual(["sk-ant-dummy", { PATH: "/bin" }]);
  });

  test("trap 19: a server of our tools that is not connected ends the window, and none of the repository's is started", async () => {
    const marker = join(makeFolder(), "started");
    const server = { mcpServers: { theirs: { command: "/bin/sh", args: ["-c", `touch ${marker}`] } } };
    const { reason, calls } = await playAgent({
      provider: inTurn(bash("touch made")),
      toolsUrl: "http://127.0.0.1:9/mcp",
      files: { ".mcp.json": JSON.stringify(server) },
    });
    expect([reason, calls.length, existsSync(marker)]).toEqual([
      { kind: "start-failed", error: "no tools", detail: "it is not connected to our tools" },
      0,
      false,
    ]);
  });
});

/** Whether a call that makes a file made it. */
async function makes(scene: Omit<Parameters<typeof playAgent>[0], "provider">): Promise<boolean> {
  let made = false;
  await playAgent({
    ...scene,
    provider: inTurn(bash("touch made")),
    after: ({ tree }) => {
      made = existsSync(join(tree, "made"));
    },
  });
  return made;
}

function outputOf(line: Line): unknown {
  return (line["message"] as { readonly usage?: { readonly output_tokens?: unknown } } | undefined)?.usage?.output_tokens;
}
