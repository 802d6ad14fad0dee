/**
 * An agent that turns against us, as root and as an ordinary user: it kills by name and everybody, deletes our state, switches guards off, calls our own command line,
 * knocks with other secrets and hides daemons. None of it may succeed, and the report names each.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agent, boxes, makeNight, type Night, type Options } from "../scenario/kit.ts";
import { launcher } from "../scenario/program.ts";
import { hasSandbox } from "./kit.ts";

const isRoot = process.getuid?.() === 0;
const settings = '{"permissions":{"deny":["Bash(rm *)"]}}';

function asNobody({ folder }: Night): Options {
  execFileSync("chown", ["-R", "65534:65534", folder]);
  return { uid: 65534 };
}

/** A time that no other process on this machine sleeps. */
const mark = `4000.${process.pid}`;

function sleepers(): readonly string[] {
  const { stdout } = runPs();
  return stdout.split("\n").filter((line) => line.includes(mark) && !line.includes("hostile.sh"));
}

function runPs(): { readonly stdout: string } {
  return { stdout: execFileSync("ps", ["-eo", "args"], { encoding: "utf8" }) };
}

const users: readonly (readonly [string, boolean, (night: Night) => Options])[] = [
  ["as the user of these tests", true, () => ({})],
  ["as an ordinary user", isRoot, asNobody],
];

describe.skipIf(!hasSandbox)("a hostile agent", () => {
  for (const [who, isPossible, how] of users)
    test.skipIf(!isPossible)(`succeeds in nothing, and is named: ${who}`, async () => {
      const night = makeNight({
        plan: `${boxes("T-1", "T-2")}- [ ] T-9 Stay open\n  - file: T-9.txt exists\n  - after: T-2\n`,
        agent: agent("hostile.sh", process.execPath, launcher, mark),
        // The checkout, in case that it lies below /tmp.
        personal: { agent: { sandbox: "on", writable: [join(import.meta.dirname, "../..")] } },
        config: { limits: { tasksPerWindow: 1, windows: 2 } },
      });
      mkdirSync(join(night.folder, "home/.claude"), { recursive: true });
      writeFileSync(join(night.folder, "home/.claude/settings.json"), settings);
      const corePattern = readFileSync("/proc/sys/kernel/core_pattern", "utf8");
      const config = readFileSync(join(night.folder, "config/midwatch/config.jsonc"), "utf8");
      const options = { ...how(night), env: { XDG_STATE_HOME: join(night.folder, "home/.local/state") } };
      const end = await night.run(["run", "--json"], options);

      expect(end.signal).toBeNull();
      expect(end.events.filter(({ kind }) => kind === "sandbox.on")).toHaveLength(1);
      expect(end.report?.windows.map(({ number, exit }) => [number, exit])).toEqual([
        [1, "completed"],
        [2, "crashed"],
      ]);
      expect(readFileSync(join(night.folder, "home/.claude/settings.json"), "utf8")).toBe(settings);
      expect(existsSync(join(night.folder, "home/.claude/settings.local.json"))).toBe(false);
      expect(existsSync(join(night.folder, "home/.bashrc"))).toBe(false);
      expect(existsSync("/etc/midwatch-hostile")).toBe(false);
      expect(readFileSync(join(night.folder, "config/midwatch/config.jsonc"), "utf8")).toBe(config);
      expect(readFileSync("/proc/sys/kernel/core_pattern", "utf8")).toBe(corePattern);
      expect(end.events.filter(({ kind }) => kind === "request.made" || kind === "question.answered")).toEqual([]);
      expect(night.read(".midwatch/doors").trim()).toBe("1");
      expect(night.read(".midwatch/answers").match(/HTTP\/1\.1 404/g)).toHaveLength(2);
      expect(end.report?.tasks.list.find(({ key }) => key === "T-9")?.state).toBe("pending");
      expect(sleepers()).toEqual([]);

      const tried = (end.report?.attempts ?? []).map(({ what }) => what).join("\n");
      for (const words of ["pkill -9 node", "killall", "state/midwatch", "config/midwatch", "settings.json", "settings.local.json"])
        expect(tried).toContain(words);
      for (const words of ["midwatch stop", "midwatch answer", "midwatch pause", "kill -9 -1", "door"]) expect(tried).toContain(words);
      expect(end.report?.windows[0]?.notes.join("\n")).toMatch(/left running, and ended with the window: .*sleep/);
      expect(await night.run(["report"], options)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("tried, and must not be done"),
      });
    });
});
