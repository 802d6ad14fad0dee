/** The contract of `ports/processes.ts`, run against each way in which a child can be held. */
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ProcessEnd } from "../../src/core/process-end.ts";
import type { Processes } from "../../src/ports/processes.ts";
import {
  type Changes,
  childEnv,
  eventually,
  findSleepers,
  makeFolder,
  newMark,
  newSleep,
  nodePath,
  programs,
  startChild,
} from "./processes-kit.ts";

export interface Lane {
  readonly name: string;
  readonly processes: Processes;
  /** Which containment a test asks for. */
  readonly containment: "agent" | "plain";
  readonly isNamespace: boolean;
}

const quiet = { descendantsEnded: 0, uncontained: [], stdoutBytes: 0, linesCut: 0, stderrTail: "", durationMs: expect.any(Number) };
const lingering = `${programs}lingers.sh`;

export function describeProcesses(lane: Lane): void {
  const run = (command: readonly [string, ...string[]], changes: Changes = {}) =>
    startChild(lane.processes, command, { containment: lane.containment, ...changes });
  const endOf = (command: readonly [string, ...string[]], changes: Changes = {}): Promise<ProcessEnd> => run(command, changes).child.end;

  describe(`${lane.name}: how a child ends`, () => {
    test.each([
      ["exit code 0", "exit 0", { kind: "exited", code: 0, signal: null }],
      ["an exit code", "exit 3", { kind: "exited", code: 3, signal: null }],
      ["exit code 143 of the program's own choice is no signal", "exit 143", { kind: "exited", code: 143, signal: null }],
      ["a crash is a signal", "kill -SEGV $$", { kind: "signalled", code: null, signal: "SIGSEGV" }],
      ["a kill from inside is a signal", "kill -KILL $$", { kind: "signalled", code: null, signal: "SIGKILL" }],
    ])("%s", async (_name, script, end) => {
      expect(await endOf(["sh", "-c", script])).toEqual({ ...quiet, ...end });
    });

    test("the end of standard error is kept, read as text, and cut between characters", async () => {
      const end = await endOf([nodePath, "-e", "process.stderr.write('é'.repeat(30000) + 'end\\xff')"]);
      expect(end.stderrTail.slice(-5)).toBe("éendÿ");
      expect(end.stderrTail).not.toContain("\uFFFD");
      expect(Buffer.byteLength(end.stderrTail)).toBeLessThanOrEqual(8192);
    });

    test("a signal while a child runs is told of the child that got it", async () => {
      const { child, firstLine } = run([`${programs}deaf.sh`]);
      await firstLine;
      expect(lane.processes.isAlive(child.identity!)).toBe(true);
      child.stop("stopped", "now");
      expect(await child.end).toMatchObject({ kind: "ended-by-us", cause: "stopped", code: null, signal: "SIGKILL" });
      expect(lane.processes.isAlive(child.identity!)).toBe(false);
    });
  });

  describe(`${lane.name}: a program that cannot start is an end`, () => {
    const folder = (): string => {
      const path = makeFolder();
      writeFileSync(join(path, "no-right"), "#!/bin/sh\n", { mode: 0o644 });
      writeFileSync(join(path, "no-interpreter"), "#!/no/such/interpreter\n", { mode: 0o755 });
      return path;
    };
    test.each<[string, readonly [string, ...string[]], Changes, string]>([
      ["a program that is not on the PATH", ["no-such-program"], {}, "ENOENT"],
      ["a program that is not at its path", ["./no-such-program"], {}, "ENOENT"],
      ["an empty name", [""], {}, "ENOENT"],
      ["a file without the right to run", ["./no-right"], {}, "EACCES"],
      ["a folder", ["/"], {}, "EACCES"],
      ["a script whose interpreter is missing", ["./no-interpreter"], {}, "ENOENT:interpreter"],
      ["a folder to start in that is missing", ["true"], { cwd: "/no/such/folder" }, "ENOENT:cwd"],
      ["a folder to start in that is a file", ["true"], { cwd: "/etc/passwd" }, "ENOTDIR:cwd"],
      ["an argument that is too long", ["true", "x".repeat(200_000)], {}, "E2BIG"],
      ["more arguments than fit", ["true", ...Array<string>(200_000).fill("a long argument")], {}, "E2BIG"],
      ["a NUL in an argument", ["true", "a\0b"], {}, "EINVAL"],
    ])("%s", async (_name, command, changes, error) => {
      const { child } = run(command, { cwd: folder(), ...changes });
      expect(child.identity).toBeNull();
      child.stop("stopped");
      expect(await child.end).toEqual({ ...quiet, kind: "not-started", code: null, signal: null, error });
    });

    test("a program is looked for afresh each time", async () => {
      const path = makeFolder();
      const changes = { env: { PATH: path } };
      expect(await endOf(["agent"], changes)).toMatchObject({ kind: "not-started", error: "ENOENT" });
      writeFileSync(join(path, "agent"), "#!/bin/sh\nexit 5\n");
      chmodSync(join(path, "agent"), 0o755);
      expect(await endOf(["agent"], changes)).toMatchObject({ kind: "exited", code: 5 });
    });
  });

  describe(`${lane.name}: what a child is given`, () => {
    test("arguments arrive byte for byte", async () => {
      const words = ["", " a  b ", 'it\'s "quoted"', "two\nlines", "/leading/slash", "--", "-x", "$HOME", "*", "\\", "é😀", "a=b"];
      const { child, lines } = run([nodePath, `${programs}print-arguments.mjs`, ...words]);
      await child.end;
      expect(JSON.parse(lines.join("\n"))).toEqual(words);
    });

    test("the environment is the given one, with the mark and the folder, and nothing else", async () => {
      const mark = newMark();
      const cwd = makeFolder();
      const { child, lines } = run(["env"], { mark, cwd, env: { ...childEnv, GIVEN: "a b" } });
      await child.end;
      expect(lines.sort()).toEqual([`GIVEN=a b`, `MIDWATCH_WINDOW=${mark}`, `PATH=${childEnv.PATH}`, `PWD=${cwd}`]);
    });

    test("it starts in the given folder, and a relative program is found from there", async () => {
      const cwd = makeFolder();
      writeFileSync(join(cwd, "here"), "#!/bin/sh\npwd\n", { mode: 0o755 });
      const { child, lines } = run(["./here"], { cwd });
      await child.end;
      expect(lines).toEqual([cwd]);
    });

    test.each<[string, string, string | Uint8Array | null, string[]]>([
      ["text is read and then ends", "cat; echo end", "one\ntwö\n", ["one", "twö", "end"]],
      ["bytes are read as they are", "cat; echo end", Buffer.from("\xffabc\n", "latin1"), ["\uFFFDabc", "end"]],
      ["it can be opened by its name", "cat /dev/stdin; echo end", "named\n", ["named", "end"]],
      ["none is closed from the start", "cat; echo end", null, ["end"]],
      ["3 MB that nobody reads do no harm", "sleep 0.05; echo end", "x".repeat(3_000_000), ["end"]],
      ["3 MB that are read by half do no harm", "head -c 1500000 | wc -c", "x".repeat(3_000_000), ["1500000"]],
    ])("standard input: %s", async (_name, script, input, expected) => {
      const { child, lines } = run(["sh", "-c", script], { input });
      expect(await child.end).toMatchObject({ kind: "exited", code: 0 });
      expect(lines.map((line) => line.trim())).toEqual(expected);
    });

    test("open standard input is written and closed by the caller", async () => {
      const { child, lines, firstLine } = run(["cat"], { input: "open" });
      child.write("one\n");
      expect(await firstLine).toBe("one");
      child.write("two\n");
      child.closeInput();
      child.write("too late\n");
      expect(await child.end).toMatchObject({ kind: "exited", code: 0 });
      expect(lines).toEqual(["one", "two"]);
    });

    test("writing to a child that has closed its input does no harm", async () => {
      const { child, firstLine } = run(["sh", "-c", "exec <&-; echo closed; sleep 0.1"], { input: "open" });
      await firstLine;
      child.write("x".repeat(1_000_000));
      expect(await child.end).toMatchObject({ kind: "exited", code: 0 });
      child.write("nobody there");
      child.closeInput();
    });
  });

  describe(`${lane.name}: what a child prints`, () => {
    test.each<[string, string, string[]]>([
      ["a last line without an end is a line", "printf 'one\\ntwo'", ["one", "two"]],
      ["a CR before the LF goes with it, one alone stays", "printf 'a\\r\\nb\\rc\\n'", ["a", "b\rc"]],
      ["empty lines are lines", "printf '\\n\\nx\\n'", ["", "", "x"]],
      ["bytes that are no text arrive as they are", "printf '\\377\\376\\n\\0\\n'", ["\uFFFD\uFFFD", "\0"]],
    ])("%s", async (_name, script, expected) => {
      const { child, lines } = run(["sh", "-c", script]);
      await child.end;
      expect(lines).toEqual(expected);
    });

    test("a character whose bytes come one at a time is whole in its line (B016)", async () => {
      const text = "a😀é\nb";
      const { child, lines } = run([nodePath, `${programs}print-bytes.mjs`, Buffer.from(text).toString("hex")]);
      expect(await child.end).toMatchObject({ stdoutBytes: Buffer.byteLength(text) });
      expect(lines).toEqual(["a😀é", "b"]);
    });

    test("a line of 100 MB is cut at 16 MiB, and the next one is read (F13, B018)", async () => {
      const lengths: [number, boolean][] = [];
      const onLine = (line: Uint8Array, cut: boolean) => {
        lengths.push([line.length, cut]);
        return "work" as const;
      };
      const end = await endOf(["sh", "-c", "head -c 100000000 /dev/zero; echo; echo next"], { onLine });
      expect(lengths).toEqual([
        [16 * 1024 * 1024, true],
        [4, false],
      ]);
      expect(end).toMatchObject({ kind: "exited", code: 0, stdoutBytes: 100_000_006, linesCut: 1 });
    });

    test("the raw output is in the log, for its owner alone", async () => {
      const path = join(makeFolder(), "raw.log");
      await endOf(["printf", "a\\r\\nb\\377"], { log: { path, maxBytes: 1000 } });
      expect(readFileSync(path)).toEqual(Buffer.from("a\r\nb\xff", "latin1"));
      expect(statSync(path).mode & 0o777).toBe(0o600);
    });

    test("a log that is full has one mark at its end, and the lines go on (F12)", async () => {
      const path = join(makeFolder(), "raw.log");
      const { child, lines } = run(["sh", "-c", "head -c 1000000 /dev/zero; echo; echo last"], { log: { path, maxBytes: 100_000 } });
      const end = await child.end;
      expect(lines.at(-1)).toBe("last");
      expect(end.logError).toBeUndefined();
      expect(readFileSync(path, "latin1")).toBe(`${"\0".repeat(100_000)}\n[midwatch: the log is cut here, at 100000 bytes]\n`);
    });

    test.each([
      ["a full disk", "/dev/full", "ENOSPC"],
      ["a folder that is missing", "/no/such/folder/raw.log", "ENOENT"],
    ])("a log that cannot be written does not end the child: %s (F07)", async (_name, path, logError) => {
      const { child, lines } = run(["echo", "heard"], { log: { path, maxBytes: 1000 } });
      expect(await child.end).toMatchObject({ kind: "exited", code: 0, logError });
      expect(lines).toEqual(["heard"]);
    });

    test("a child that nobody listens to can print what it likes", async () => {
      const end = await startSilent(lane, ["sh", "-c", "head -c 5000000 /dev/zero; head -c 5000000 /dev/zero >&2"]);
      expect(end).toMatchObject({ kind: "exited", code: 0, stdoutBytes: 5_000_000 });
    });
  });

  describe(`${lane.name}: clocks and signals`, () => {
    test.each<[string, string[], string]>([
      ["SIGINT is the first", [], "SIGINT"],
      ["SIGTERM comes after a grace for one that is deaf to SIGINT", ["INT"], "SIGTERM"],
      ["SIGKILL comes last for one that is deaf to both (F15)", ["INT", "TERM"], "SIGKILL"],
    ])("%s", async (_name, deafTo, signal) => {
      const { child, firstLine } = run([`${programs}deaf.sh`, ...deafTo]);
      await firstLine;
      child.stop("window-limit");
      child.stop("stopped");
      const end = await child.end;
      expect(end).toMatchObject({ kind: "ended-by-us", cause: "window-limit", code: null, signal, uncontained: [] });
    });

    test("a child that answers SIGINT in its own way keeps its output and its exit code", async () => {
      const script = "trap 'echo result; exit 7' INT; echo ready; while :; do sleep 0.02; done";
      const { child, firstLine, lines } = run(["sh", "-c", script]);
      await firstLine;
      child.stop("stopped");
      expect(await child.end).toMatchObject({ kind: "ended-by-us", cause: "stopped", code: 7, signal: null });
      expect(lines).toEqual(["ready", "result"]);
    });

    test("a stop in the moment of the start ends it as well", async () => {
      for (const how of ["gracefully", "now"] as const) {
        const { child } = run(["sleep", newSleep()], { limits: { graceMs: 5_000 } });
        child.stop("stopped", how);
        expect(await child.end).toMatchObject({ kind: "ended-by-us", cause: "stopped", code: null, uncontained: [] });
      }
    });

    test('"now" does not wait for a grace that has begun', async () => {
      const { child, firstLine } = run([`${programs}deaf.sh`, "INT", "TERM"], { limits: { graceMs: 60_000 } });
      await firstLine;
      child.stop("idle-clock");
      child.stop("stopped", "now");
      expect(await child.end).toMatchObject({ kind: "ended-by-us", cause: "idle-clock", signal: "SIGKILL" });
    });

    test("the wall clock ends a child that works", async () => {
      const end = await endOf([`${programs}beats.sh`], { limits: { wallMs: 250, idleMs: 10_000 } });
      expect(end).toMatchObject({ kind: "ended-by-us", cause: "wall-clock" });
      expect(end.durationMs).toBeGreaterThanOrEqual(249);
    });

    test("the idle clock ends a silent child, although standard error is busy", async () => {
      const { child } = run(["sh", "-c", "while :; do echo busy >&2; sleep 0.02; done"], { limits: { idleMs: 150 } });
      expect(await child.end).toMatchObject({ kind: "ended-by-us", cause: "idle-clock" });
    });

    test("a heartbeat does not reset the idle clock, a sign of work does", async () => {
      const beat = async (kind: "work" | "heartbeat", wallMs: number): Promise<string | undefined> => {
        const heard = Promise.withResolvers<void>();
        const onLine = () => {
          heard.resolve();
          return kind;
        };
        const { child } = run([`${programs}beats.sh`], { onLine, limits: { wallMs } });
        await heard.promise;
        child.setIdleLimit(300);
        return (await child.end).cause;
      };
      expect(await Promise.all([beat("work", 1_000), beat("heartbeat", 20_000)])).toEqual(["wall-clock", "idle-clock"]);
    });

    test("an open tool brings its own idle limit, and gives it back", async () => {
      const { child, firstLine } = run([lingering, newSleep()], { limits: { idleMs: 100_000, wallMs: 10_000 } });
      await firstLine;
      child.setIdleLimit(null);
      child.setIdleLimit(80);
      expect(await child.end).toMatchObject({ kind: "ended-by-us", cause: "idle-clock" });
    });

    test("a child that does not leave after its last word is ended as lingering (B003)", async () => {
      const { child, firstLine, lines } = run([lingering, newSleep()]);
      await firstLine;
      child.setIdleLimit(60);
      child.expectExitWithin(150);
      expect(await child.end).toMatchObject({ kind: "ended-by-us", cause: "lingered" });
      expect(lines).toEqual(['{"type":"result","subtype":"success"}']);
    });

    test("the clock of one child is no other's (B002)", async () => {
      const silent = run([lingering, newSleep()], { limits: { idleMs: 150 } });
      const busy = [1, 2, 3].map(() => run([nodePath, "-e", "setTimeout(() => console.log('done'), 400)"], { limits: { idleMs: 5_000 } }));
      expect(await silent.child.end).toMatchObject({ cause: "idle-clock" });
      for (const other of busy) expect(await other.child.end).toMatchObject({ kind: "exited", code: 0 });
    });
  });

  describe(`${lane.name}: what a child leaves behind`, () => {
    const kinds = [
      "child",
      "output",
      "session",
      "twice-forked",
      "closed",
      "cleared",
      "deaf",
      ...(lane.isNamespace ? ["cleared-session"] : []),
    ];
    test.each(kinds)("a process left behind is gone when the end is told: %s (F16, B062, B063)", async (kind) => {
      const asleep = newSleep();
      const { child, lines } = run([`${programs}leave-behind.sh`, kind, asleep]);
      const end = await child.end;
      expect(findSleepers(asleep)).toEqual([]);
      expect(lines).toEqual(["left"]);
      expect(end).toMatchObject({ kind: "exited", code: 0, uncontained: [] });
      // In a namespace the kernel ends them before they can be counted.
      if (!lane.isNamespace) expect(end.descendantsEnded).toBeLessThanOrEqual(1);
    });

    test("a child that keeps standard output open does not hold us", async () => {
      const end = await endOf([`${programs}leave-behind.sh`, "output", newSleep()]);
      expect(end.durationMs).toBeLessThan(2_000);
      expect(end).toMatchObject({ kind: "exited", stdoutBytes: 5 });
    });

    test("what hides while its parent lives is found by the look before the first signal", async () => {
      const asleep = newSleep();
      const { child, firstLine } = run([`${programs}stay-with.sh`, asleep]);
      await firstLine;
      await eventually(() => findSleepers(asleep).length >= 2, "both are asleep");
      child.stop("stopped");
      expect(await child.end).toMatchObject({ kind: "ended-by-us", uncontained: [] });
      expect(findSleepers(asleep)).toEqual([]);
    });

    test("a sweep by mark and identity ends everything, and tells how many", async () => {
      const mark = newMark();
      const asleep = newSleep();
      const { child, firstLine } = run([`${programs}stay-with.sh`, asleep], { mark });
      await firstLine;
      expect(await lane.processes.sweep(mark, child.identity)).toBeGreaterThan(0);
      expect(findSleepers(asleep)).toEqual([]);
      expect(await child.end).toMatchObject({ kind: "signalled", signal: "SIGKILL" });
      expect(await lane.processes.sweep(mark, child.identity)).toBe(0);
    });

    test("a sweep spares a pid that has another start time or is of another boot", async () => {
      const { child, firstLine } = run([lingering, newSleep()]);
      await firstLine;
      const identity = child.identity!;
      for (const other of [
        { ...identity, startTicks: identity.startTicks + 1 },
        { ...identity, bootId: "another" },
      ]) {
        expect(lane.processes.isAlive(other)).toBe(false);
        expect(await lane.processes.sweep(newMark(), other)).toBe(0);
      }
      expect(lane.processes.isAlive(identity)).toBe(true);
      child.stop("stopped", "now");
      await child.end;
    });

    test("many runs leave no descriptor, no timer and no handle", async () => {
      const how = lane.isNamespace ? "namespace" : "partial";
      const { child, lines } = run([nodePath, `${programs}many-runs.ts`, how, lane.containment, lane.isNamespace ? "200" : "50"]);
      expect(await child.end).toMatchObject({ kind: "exited", code: 0 });
      const [before, after] = lines.map((line): unknown => JSON.parse(line));
      expect(after).toEqual(before);
    });
  });
}

function startSilent(lane: Lane, command: readonly [string, ...string[]]): Promise<ProcessEnd> {
  const limits = { wallMs: 20_000, idleMs: 5_000, graceMs: 100 };
  const cwd = makeFolder();
  mkdirSync(join(cwd, "sub"));
  return lane.processes.start({
    command,
    cwd: join(cwd, "sub"),
    env: childEnv,
    input: null,
    mark: newMark(),
    limits,
    containment: lane.containment,
  }).end;
}
