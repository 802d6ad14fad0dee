/** The sandbox from inside, wherever the tree, the home and our state lie, and whatever they are called. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createProcesses } from "../../src/adapters/processes/processes.ts";
import { sandboxPlaces } from "../../src/core/sandbox/places.ts";
import { startChild } from "../contract/processes-kit.ts";
import { hasSandbox } from "./kit.ts";

let folder = "";
const at = (name: string) => join(folder, name);

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "midwatch-places-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["home/.cache", "home/.ssh", "state/scratch/r", "tree"]) mkdirSync(at(name), { recursive: true });
  for (const name of ["state/midwatch.db", "home/.ssh/id"]) writeFileSync(at(name), "kept");
});

interface Scene {
  readonly tree?: string;
  readonly home?: string;
  readonly state?: string;
  readonly git?: string;
  readonly writable?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly toolPath?: string;
}

function processesIn({ tree = at("tree"), home = at("home"), state = at("state"), git = tree, writable = [], env = {}, toolPath }: Scene) {
  const places = sandboxPlaces({
    kind: "command",
    tree: [tree, git],
    ours: [state],
    program: "/nonexistent",
    writable,
    env: { HOME: home, ...env },
  });
  const sandbox = { mode: "on", places, tree, hidden: state, searchPath: "/usr/bin:/bin" } as const;
  return createProcesses({ sandbox, ...(toolPath === undefined ? {} : { toolPath }) });
}

/** What a script prints, a line a value. */
async function lines(set: Scene, script: string, cwd = set.tree ?? at("tree")) {
  const processes = processesIn(set);
  expect(processes.sandbox).toEqual({ kind: "on" });
  const { child, lines } = startChild(processes, ["/bin/sh", "-c", script], { cwd });
  const end = await child.end;
  return { end, lines };
}

/** `yes` or `no` for each path: whether something can be written there. */
const writes = (...paths: readonly string[]) =>
  paths.map((path) => `(: > '${path.replaceAll("'", "'\\''")}/w') 2>/dev/null && echo yes || echo no`).join("; ");

describe.skipIf(!hasSandbox)("in the sandbox", () => {
  test.each([["a space"], ["ünïcödé 🦊"], ["a\nnewline"], ["-dash"], ["it's"], ["$HOME `id`"], ["x".repeat(200)]])(
    "a tree called %j is written, and nothing beside it",
    async (name) => {
      const tree = at(name);
      mkdirSync(tree);
      expect((await lines({ tree }, writes(tree, at("home"), "/etc"))).lines).toEqual(["yes", "no", "no"]);
    },
  );

  test("a tree behind a link is the tree", async () => {
    symlinkSync(at("tree"), at("link"));
    expect((await lines({}, writes("."), at("link"))).lines).toEqual(["yes"]);
    expect(readFileSync(at("tree/w"), "utf8")).toBe("");
  });

  test("a tree that is the home is written, and our state in it is not there", async () => {
    mkdirSync(at("home/.local/state/midwatch"), { recursive: true });
    writeFileSync(at("home/.local/state/midwatch/midwatch.db"), "kept");
    const set = { tree: at("home"), state: at("home/.local/state/midwatch") };
    const script = `${writes(at("home"), set.state)}; ls -A ${set.state}; mv .local gone 2> /dev/null || echo stays`;
    expect((await lines(set, script)).lines).toEqual(["yes", "no", "stays"]);
    expect(readFileSync(at("home/.local/state/midwatch/midwatch.db"), "utf8")).toBe("kept");
  });

  test("our state inside of the tree is not there, and cannot be taken away", async () => {
    mkdirSync(at("tree/state"));
    writeFileSync(at("tree/state/midwatch.db"), "kept");
    await lines({ state: at("tree/state") }, "rm -rf state; mv state gone; : > state/midwatch.db");
    expect(readFileSync(at("tree/state/midwatch.db"), "utf8")).toBe("kept");
  });

  test("a git dir outside of the tree is written", async () => {
    mkdirSync(at("main/.git"), { recursive: true });
    await lines({ git: at("main/.git") }, writes(at("main/.git"), at("main")));
    expect([existsSync(at("main/.git/w")), existsSync(at("main/w"))]).toEqual([true, false]);
  });

  test("a copy of ours below the state folder is written, and nothing else is there", async () => {
    const { lines: seen } = await lines({}, `${writes(".", "..")}; ls -A ${at("state")}`, at("state/scratch/r"));
    expect([existsSync(at("state/scratch/r/w")), existsSync(at("state/scratch/w")), seen.at(-1)]).toEqual([true, false, "scratch"]);
  });

  test("/tmp is empty but for what has to be there, and does not outlive the process", async () => {
    writeFileSync(join(tmpdir(), "midwatch-beside"), "");
    onTestFinished(() => rmSync(join(tmpdir(), "midwatch-beside")));
    expect((await lines({}, "ls /tmp | grep -c midwatch-beside; echo x > /tmp/midwatch-left && echo made")).lines).toEqual(["0", "made"]);
    expect((await lines({}, "ls /tmp/midwatch-left || echo gone")).lines).toEqual(["gone"]);
  });

  test("what the person named is written, made if need be, and what is left empty is gone", async () => {
    const set = { writable: ["~/.made", "~/.empty"] };
    expect((await lines(set, writes(at("home/.made")))).lines).toEqual(["yes"]);
    expect((await lines({}, `ls -A ${at("home")} | sort`)).lines).toEqual([".cache", ".made", ".npm", ".ssh"]);
  });

  test("a home that may not be written is no obstacle", async () => {
    chmodSync(at("home"), 0o555);
    expect((await lines({}, writes("."))).lines).toEqual(["yes"]);
    chmodSync(at("home"), 0o755);
  });

  test("neither a home that is not there nor a PATH of 100 KB is one", async () => {
    expect((await lines({ home: at("nowhere"), env: { PATH: "/x:".repeat(33_000) } }, writes("."))).lines).toEqual(["yes"]);
  });

  test("what could not be written is told by its path", async () => {
    const { end } = await lines({}, `touch ${at("home/.toolrc")}; touch /etc/midwatch-x`);
    expect(end.refusedWrites).toEqual([at("home/.toolrc"), "/etc/midwatch-x"]);
  });

  test("an exit code, a signal and the end of standard error are those of the program", async () => {
    expect((await lines({}, "echo why >&2; exit 3")).end).toMatchObject({ kind: "exited", code: 3, stderrTail: "why\n" });
    expect((await lines({}, "kill -SEGV $$")).end).toMatchObject({ kind: "signalled", signal: "SIGSEGV" });
  });

  test("a criterion has the rights of the agent", async () => {
    const { child, lines: seen } = startChild(processesIn({}), ["/bin/sh", "-c", writes(".", "/etc", at("home"))], {
      cwd: at("tree"),
      containment: "criterion",
    });
    expect((await child.end).code).toBe(0);
    expect(seen).toEqual(["yes", "no", "no"]);
  });

  test("several at once do not meet", async () => {
    const processes = processesIn({});
    const ends = await Promise.all(
      Array.from(
        { length: 20 },
        () => startChild(processes, ["/bin/sh", "-c", "echo x > /tmp/same; sleep 0.05; rm /tmp/same"], { cwd: at("tree") }).child.end,
      ),
    );
    expect(ends.map(({ code }) => code)).toEqual(ends.map(() => 0));
  });
});

describe("where none can be made", () => {
  test.each([
    ["bubblewrap is missing", null, "bubblewrap is not installed"],
    [
      "bubblewrap fails",
      "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1",
      "bubblewrap cannot make one here (bwrap: No permissions to create new namespace)",
    ],
    [
      "bubblewrap does nothing",
      '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"',
      "processes outside could be seen from inside",
    ],
  ])("it is off, with the reason: %s", (_title, program, why) => {
    mkdirSync(at("bin"));
    if (program !== null) writeFileSync(at("bin/bwrap"), program, { mode: 0o755 });
    expect(processesIn({ toolPath: at("bin") }).sandbox).toEqual({ kind: "off", wanted: true, why });
  });
});
