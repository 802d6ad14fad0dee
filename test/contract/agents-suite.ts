/** What every agent made from a command does, whatever its processes are. Margins are wide: a busy machine may be late, never early. */
import { fileURLToPath } from "node:url";
import { describe, test } from "vitest";
import { createCommandAgent } from "../../src/adapters/agents/command/command-agent.ts";
import type { Processes } from "../../src/ports/processes.ts";
import {
  answer,
  beat,
  begin,
  call,
  hang,
  result,
  runScript,
  type Seen,
  sha256,
  task,
  type WindowChange,
  wait,
  words,
} from "./agents-kit.ts";
import type { Step } from "./agents-script.ts";
import { parseAll, readRecording } from "./stream-recordings.ts";

const recording = (name: string): Step => ({
  do: "file",
  path: fileURLToPath(new URL(`../fixtures/traces/claude/${name}.jsonl`, import.meta.url)),
});
const plainLines = ({ events }: Seen) => events.flatMap((event) => (event.kind === "text" && event.plain === true ? [event.text] : []));
const short = { idleMs: 1500, toolMs: 1500, lingerMs: 1500 };

export function describeCommandAgent(name: string, createProcesses: () => Processes): void {
  describe.concurrent(`a command as an agent, on ${name}`, () => {
    const processes = createProcesses();
    const run = (script: readonly Step[], change?: WindowChange) => runScript(processes, script, change);

    test("gets the prompt byte for byte, and then the end of its input", async ({ expect }) => {
      const prompt = `-- "quoted" $HOME \`x\` /slash é 🎉\n\ttab${"long ".repeat(60_000)}`;
      expect(plainLines(await run([{ do: "prompt" }], { prompt }))).toEqual([`prompt ${sha256(prompt)}`]);
    });

    test("runs in the window's folder, with the window's environment and its id", async ({ expect }) => {
      const seen = await run([{ do: "folder" }, { do: "variable", name: "TOKEN" }, { do: "variable", name: "MIDWATCH_WINDOW" }], {
        env: { TOKEN: "a=b c" },
      });
      expect(plainLines(seen)).toEqual([`folder ${seen.folder}`, "TOKEN=a=b c", expect.stringMatching(/^MIDWATCH_WINDOW=window-/)]);
    });

    test("tells the events of its stream in order, and its end", async ({ expect }) => {
      const seen = await run([recording("basic")]);
      expect(seen.events).toEqual(parseAll(readRecording("claude", "basic.jsonl")));
      expect(seen).toMatchObject({
        end: { kind: "exited", code: 0 },
        reason: { kind: "completed", exitCode: 0 },
        transcript: { costMicroUsd: 34_320 },
      });
    });

    test("may be a program that prints plain words, and its exit code is its end", async ({ expect }) => {
      const seen = await run([
        { do: "print", text: "building" },
        { do: "complain", text: "no rule" },
        { do: "exit", code: 3 },
      ]);
      expect(seen).toMatchObject({ events: [{ kind: "text", text: "building" }], reason: { kind: "crashed", code: 3, detail: "no rule" } });
    });

    test("that is not there is an end, no exception (F37)", async ({ expect }) => {
      const seen = await run([], { command: ["no-such-program-is-missing"] });
      expect(seen).toMatchObject({
        events: [],
        end: { kind: "not-started", error: "ENOENT" },
        reason: { kind: "start-failed", error: "ENOENT" },
      });
    });

    test("is ended when it falls silent (B001)", async ({ expect }) => {
      const seen = await run([begin, words("on it"), hang], { limits: { idleMs: 1500 } });
      expect(seen).toMatchObject({ end: { kind: "ended-by-us", cause: "idle-clock" }, reason: { kind: "idle" } });
    });

    test("is ended when it only beats (B139)", async ({ expect }) => {
      const seen = await run([begin, words("on it"), { do: "repeat", text: beat, everyMs: 100, times: 1000 }], {
        limits: { idleMs: 1500 },
      });
      expect(seen.end).toMatchObject({ kind: "ended-by-us", cause: "idle-clock" });
    });

    test("may work for longer than it may be silent", async ({ expect }) => {
      const seen = await run([begin, { do: "repeat", text: "working", everyMs: 100, times: 25 }], { limits: { idleMs: 1800 } });
      expect(seen.end).toMatchObject({ kind: "exited", code: 0 });
    });

    test("may be silent in a tool for as long as a tool may take", async ({ expect }) => {
      const seen = await run([begin, call("t"), wait(2200), answer("t"), words("done"), result], { limits: { ...short, toolMs: 30_000 } });
      expect(seen).toMatchObject({ end: { kind: "exited" }, reason: { kind: "completed" } });
    });

    test("is ended when a tool takes longer, and the tool is named", async ({ expect }) => {
      const seen = await run([begin, call("t"), hang], { limits: { idleMs: 30_000, toolMs: 800 } });
      expect(seen).toMatchObject({ end: { cause: "idle-clock" }, reason: { kind: "idle", openTool: "Bash npm test" } });
    });

    test("has its own limit back when the tool is done", async ({ expect }) => {
      const seen = await run([begin, call("t"), answer("t"), hang], { limits: { idleMs: 1500, toolMs: 50_000 } });
      expect(seen).toMatchObject({ end: { cause: "idle-clock" }, reason: { kind: "idle", openTool: "" } });
    });

    test("is ended when it does not leave after its result, and keeps the result (B003)", async ({ expect }) => {
      const seen = await run([begin, call("t"), answer("t"), words("done"), result, hang], { limits: { lingerMs: 500 } });
      expect(seen).toMatchObject({
        end: { kind: "ended-by-us", cause: "lingered" },
        reason: { kind: "completed" },
        transcript: { costMicroUsd: 10_000 },
      });
    });

    test("may begin another turn after a result", async ({ expect }) => {
      const seen = await run([begin, call("t"), answer("t"), result, begin, wait(2400), words("more"), result], {
        limits: { lingerMs: 1500 },
      });
      expect(seen).toMatchObject({ end: { kind: "exited" }, transcript: { results: 2 } });
    });

    test("is ended when that turn falls silent", async ({ expect }) => {
      const seen = await run([begin, call("t"), answer("t"), result, begin, words("more"), hang], { limits: { idleMs: 1500 } });
      expect(seen).toMatchObject({ end: { cause: "idle-clock" }, reason: { kind: "idle" } });
    });

    test("is waited for while background work runs after its result (A16)", async ({ expect }) => {
      const seen = await run(
        [begin, call("t"), task("started"), answer("t"), result, wait(2400), task("completed"), begin, words("done"), result],
        { limits: { ...short, toolMs: 30_000 } },
      );
      expect(seen).toMatchObject({ end: { kind: "exited" }, reason: { kind: "completed" }, transcript: { results: 2, backgroundOpen: 0 } });
    });

    test("is waited for up to a bound, and what was left is told (F18)", async ({ expect }) => {
      const seen = await run([begin, call("t"), task("started"), answer("t"), words("done"), result, hang], { limits: { toolMs: 800 } });
      expect(seen).toMatchObject({ end: { cause: "idle-clock" }, reason: { kind: "background-abandoned", tasks: 1 } });
    });

    test("is ended when its time is out, whatever it does", async ({ expect }) => {
      const seen = await run([begin, { do: "repeat", text: "busy", everyMs: 50, times: 2000 }], { limits: { wallMs: 1500 } });
      expect(seen).toMatchObject({ end: { kind: "ended-by-us", cause: "wall-clock" }, reason: { kind: "wall-clock" } });
    });

    test("has no idle clock where none is wanted", async ({ expect }) => {
      const seen = await run([begin, call("t"), hang], { limits: { idleMs: null, toolMs: 100, wallMs: 1500 } });
      expect(seen.end).toMatchObject({ cause: "wall-clock" });
    });

    test("can be stopped", async ({ expect }) => {
      const seen = await run([begin, words("on it"), hang], { onEvent: (event, agent) => event.kind === "text" && agent.stop("stopped") });
      expect(seen).toMatchObject({ end: { kind: "ended-by-us", cause: "stopped" }, reason: { kind: "stopped" } });
    });

    test("may print a line of 20 MB, and what follows is read (B018, F13)", async ({ expect }) => {
      const start = '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"';
      const seen = await run([begin, call("t"), { do: "long-line", start, bytes: 20_000_000 }, words("done"), result]);
      expect(seen).toMatchObject({
        end: { kind: "exited", linesCut: 1 },
        reason: { kind: "completed" },
        transcript: { lastText: "done", openTools: [] },
      });
    });

    test("is not disturbed by one beside it that goes mute (B002)", async ({ expect }) => {
      const healthy: readonly Step[] = [begin, call("t"), answer("t"), { do: "repeat", text: "working", everyMs: 100, times: 25 }, result];
      const mute: readonly Step[] = [begin, call("t"), answer("t"), hang];
      const seen = await Promise.all([healthy, mute, healthy].map((script) => run(script, { limits: { idleMs: 1800 } })));
      expect(seen.map(({ reason }) => reason.kind)).toEqual(["completed", "idle", "completed"]);
    });

    test("is found without being run", async ({ expect }) => {
      const probe = (command: string, PATH: string) => createCommandAgent({ processes, command: [command], name: "x" }).probe({ PATH });
      const mark = expect.stringMatching(/^\/\S+( \d+){5}$/) as string;
      const found = { kind: "found", path: "/bin/sh", mark, version: "", remarks: [] };
      expect(await probe("sh", "/nowhere:/bin")).toEqual(found);
      expect(await probe("/bin/sh", "")).toEqual(found);
      expect(await probe("no-such-program", "/bin")).toMatchObject({
        kind: "missing",
        detail: 'there is no program "no-such-program" in PATH',
      });
      expect(await probe("/no/such", "/bin")).toMatchObject({ kind: "missing", detail: "there is no file /no/such" });
      expect(await probe("/etc/passwd", "/bin")).toMatchObject({ kind: "missing", detail: "/etc/passwd is not a program that may be run" });
      expect(await probe("/bin", "/bin")).toMatchObject({ kind: "missing", detail: "/bin is not a program that may be run" });
      expect((await probe("", "/bin")).kind).toBe("missing");
    });
  });
}
